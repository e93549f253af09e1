package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiSigned are the rules of the area reasoning about thought signatures in the dialect gemini.
var geminiSigned = []rules.Rule{
	{
		ID:        "reasoning/signatures-untouched",
		Level:     trace.Should,
		Text:      "A thought signature is sent back unchanged, on the call or the text for which it was given.",
		Why:       "A signature that was changed or moved is refused as corrupted.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request with a thought signature of ours",
		Sources:   []rules.Source{{URL: reasoning.GeminiSignatures, Says: "return the signature in the part in which it was received; never merge parts"}},
		Vars:      []string{"at", "found"},
		Request:   signaturesUntouched,
	},
}

// ofACall is what the signatures of calls are given for, whatever a gateway calls the function; that of a text is given for the
// text.
const ofACall = "a call"

func signaturesUntouched(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Altered == nil {
		return j
	}
	for _, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		eachPartOf(m, func(part *wire.Node) {
			signature := under(part, "thoughtSignature")
			if signature.Text() == "" || slices.Contains(reasoning.NoSignature, signature.Text()) {
				return
			}
			j.HasEvidence = true
			if altered(req, m, part, wire.StandardBase64(signature.Text())) {
				j.Find(at(part, "thoughtSignature", "a thought signature is not that of this part", "the signature as it was given", map[string]string{"at": gemini.Place(part), "found": signature.Text()}))
			}
		})
	}
	return j
}

// altered reports whether a signature was given neither for the part nor, since in a stream a text comes in parts and its
// signature with the last, for the whole text.
func altered(req *wire.Request, m wire.Message, part *wire.Node, signature string) bool {
	if under(part, "functionCall") != nil {
		return req.Altered(ofACall, signature)
	}
	return req.Altered(m.Content.Text, signature) && req.Altered(part.Get("text").Text(), signature)
}

func eachPartOf(m wire.Message, f func(part *wire.Node)) {
	for _, p := range m.Content.Parts {
		f(p.Node)
	}
}

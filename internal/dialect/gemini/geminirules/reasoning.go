package geminirules

import (
	"slices"
	"strings"

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
		Evidence:  "a request with a thought signature that the mock provider made",
		Sources:   []rules.Source{{URL: reasoning.GeminiSignatures, Says: "return the signature in the part in which it was received; never merge parts"}},
		Vars:      []string{"at", "found"},
		Request:   signaturesUntouched,
	},
}

// ofACall is what the signatures of calls are given for, whatever a gateway calls the function;
// that of a text is given for the text.
const ofACall = "a call"

func signaturesUntouched(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Altered == nil {
		return j
	}
	for _, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		for i, part := range m.Content.Parts {
			signature := under(part.Node, "thoughtSignature")
			if signature.Text() == "" || slices.Contains(reasoning.NoSignature, signature.Text()) {
				continue
			}
			j.HasEvidence = true
			if altered(req, m.Content, i, wire.StandardBase64(signature.Text())) {
				j.Find(at(part.Node, "thoughtSignature", "a thought signature is not that of this part", "the signature as it was given", map[string]string{"at": gemini.Place(part.Node), "found": signature.Text()}))
			}
		}
	}
	return j
}

// altered reports whether the signature on a part was given for something else. A text comes in
// parts in a stream, and its signature with the last: so it may be that of all the text, or of what
// ends with this part. Spaces at the ends of a text are left out by many loops, and it counts as
// the same without them.
func altered(req *wire.Request, said wire.Content, n int, signature string) bool {
	if said.Parts[n].Type == "functionCall" {
		return req.Altered(ofACall, signature)
	}
	if !req.Altered(strings.TrimSpace(said.Text), signature) {
		return false
	}
	text := ""
	for _, part := range slices.Backward(said.Parts[:n+1]) {
		if part.Type == "text" {
			text = part.Text + text
		}
		if !req.Altered(strings.TrimSpace(text), signature) {
			return false
		}
	}
	return true
}

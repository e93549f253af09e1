package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiSigned are the rules of the area reasoning about thought signatures in the dialect gemini.
var geminiSigned = []Rule{
	{
		ID:        "reasoning/signatures-untouched",
		Level:     Should,
		Dialect:   onlyGemini,
		Text:      "A thought signature that goes back stands on the call or the text for which it was given, unchanged.",
		Why:       "A signature that was changed or moved is refused as corrupted.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request with a thought signature of ours",
		Sources:   []Source{{geminiSignatures, "return the signature in the part in which it was received; never merge parts"}},
		Vars:      []string{"at", "found"},
		Request:   signaturesUntouched,
	},
	{
		ID:        "reasoning/thoughts-stay-thoughts",
		Level:     Should,
		Dialect:   onlyGemini,
		Text:      "A thought that goes back is marked as one; it does not become something that the model said.",
		Why:       "The model reads its thoughts as its answer, and goes on in their style.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that returns a turn with thoughts",
		Sources:   []Source{{"https://ai.google.dev/gemini-api/docs/thinking", "thought: true marks the parts that summarize thoughts"}},
		Run:       thoughtsStayThoughts,
	},
}

// signedText is what the signature of a part was given for: the function of a call, or the text.
func signedText(part *wire.Node) string {
	if call := under(part, "functionCall"); call != nil {
		return call.Get("name").Text()
	}
	return part.Get("text").Text()
}

func signaturesUntouched(_ *profiles.Profile, req *wire.Request) (j Judged) {
	if req.Altered == nil {
		return j
	}
	for _, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		whole := m.Content.Text
		eachPartOf(m, func(part *wire.Node) {
			signature := under(part, "thoughtSignature")
			if signature.Text() == "" || slices.Contains(noSignature, signature.Text()) {
				return
			}
			j.Seen = true
			text := signedText(part)
			if under(part, "functionCall") == nil {
				text = whole // in a stream the text comes in parts, and its signature with the last
			}
			if text != "" && req.Altered(text, signature.Text()) { // a call without a name is for call-has-name
				j.Find(at(part, "thoughtSignature", "a thought signature is not that of this part", "the signature as it was given", map[string]string{"at": gemini.Place(part), "found": signature.Text()}))
			}
		})
	}
	return j
}

func eachPartOf(m wire.Message, f func(part *wire.Node)) {
	for _, p := range m.Content.Parts {
		f(p.Node)
	}
}

func thoughtsStayThoughts(r *Run) (j Judged) {
	for _, e := range r.Echoes() {
		thought := e.Turn.Answer.Reasoning
		if e.Message == nil || thought == nil || *thought == "" {
			continue
		}
		j.Seen = true
		for _, p := range e.Message.Content.Parts {
			if p.Type == "text" && p.Text == *thought && p.Text != e.Turn.Answer.Text {
				j.Find(Finding{
					Request: e.In.Number, Pointer: p.Node.Pointer(), Message: "a thought came back as a text",
					Expected: `"thought": true, or no such part`, Actual: show(p.Node),
				})
			}
		}
	}
	return j
}

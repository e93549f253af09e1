package gemini

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// keepLastTexts leaves out the text parts of a payload before its last one.
func keepLastTexts(a *raw.Answer) {
	const path = "candidates.0.content.parts"
	for i, payload := range a.Payloads {
		parts := gjson.Get(payload, path).Array()
		last := -1
		for n, part := range parts {
			if isSaid(part) {
				last = n
			}
		}
		var kept []string
		for n, part := range parts {
			if n == last || !isSaid(part) {
				kept = append(kept, part.Raw)
			}
		}
		if len(kept) < len(parts) {
			a.Payloads[i] = raw.SetRaw(payload, path, raw.List(kept))
		}
	}
}

// isSaid reports whether a part is a text of the answer.
func isSaid(part gjson.Result) bool {
	return part.Get("text").String() != "" && !part.Get("thought").Bool()
}

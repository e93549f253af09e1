package gemini

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// reasoning are faults about thoughts and their signatures.
var reasoning = []raw.Fault{
	{
		Name:   "reasoning/says-its-thoughts",
		Does:   "Thoughts go back as texts that the model said.",
		Breaks: []string{"reasoning/kept-out-of-the-content"},
		Make:   onParts("thought", func(r *raw.Request, path string, _ gjson.Result) { r.Delete(path + ".thought") }),
	},
	{
		Name:   "reasoning/cuts-signatures",
		Does:   "The signature of a call loses its last letters.",
		Breaks: []string{"reasoning/signatures-untouched", "reasoning/call-signature-returned"},
		Make: onParts("thoughtSignature", func(r *raw.Request, path string, part gjson.Result) {
			if signature := part.Get("thoughtSignature").String(); part.Get("functionCall").Exists() && len(signature) > 4 {
				r.Set(path+".thoughtSignature", signature[:len(signature)-4])
			}
		}),
	},
	{
		Name:   "reasoning/cuts-signatures-of-texts",
		Does:   "The signature of an answer loses its last letters.",
		Breaks: []string{"reasoning/signatures-untouched"},
		Make: onParts("thoughtSignature", func(r *raw.Request, path string, part gjson.Result) {
			if signature := part.Get("thoughtSignature").String(); !part.Get("functionCall").Exists() && len(signature) > 4 {
				r.Set(path+".thoughtSignature", signature[:len(signature)-4])
			}
		}),
	},
	{
		Name:   "reasoning/moves-signatures-to-the-next-part",
		Does:   "The signature of the first call of a turn goes back on the last one.",
		Breaks: []string{"reasoning/call-signature-returned", "reasoning/call-signature-not-made-up"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, c := range r.Get("contents").Array() {
				var calls []int
				for n, part := range c.Get("parts").Array() {
					if part.Get("functionCall").Exists() {
						calls = append(calls, n)
					}
				}
				if len(calls) < 2 {
					continue
				}
				first := fmt.Sprintf("contents.%d.parts.%d.thoughtSignature", i, calls[0])
				if signature := r.Get(first); signature.Exists() {
					r.Set(fmt.Sprintf("contents.%d.parts.%d.thoughtSignature", i, calls[len(calls)-1]), signature.String())
					r.Delete(first)
				}
			}
		}),
	},
}

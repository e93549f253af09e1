package chat

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var arguments = []raw.Fault{
	{
		Name:    "arguments/leaves-out-empty-ones",
		Does:    "Where there are no arguments, the call goes back without the key.",
		Reports: []string{"https://github.com/prism-php/prism/issues/660"},
		Breaks:  []string{"egress/arguments-are-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachCall(r, func(path string, c gjson.Result) {
				if none(c.Get("function.arguments").String()) {
					r.Delete(path + ".function.arguments")
				}
			})
		}),
	},
	{
		Name:    "arguments/appends-null",
		Does:    "null in the place of a piece of arguments is appended as a word.",
		Reports: []string{"https://github.com/simonw/llm/issues/1218", "https://github.com/crmne/ruby_llm/issues/710"},
		Breaks:  []string{"arguments/null-piece"},
		Make: onPieces(func() func(*piece) {
			return func(p *piece) {
				if p.get("function.arguments").Type == gjson.Null && p.get("function.arguments").Exists() {
					p.set("function.arguments", "null")
				}
			}
		}),
	},
	{
		Name:   "arguments/ends-at-an-empty-piece",
		Does:   "An empty piece of arguments is treated as the end of them, where some have come.",
		Breaks: []string{"arguments/null-piece"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			begun, ended := map[string]bool{}, map[string]bool{}
			return func(p *piece) {
				index, more := p.get("index").Raw, p.get("function.arguments")
				if heads.take(p) {
					begun[index], ended[index] = false, false
				}
				if ended[index] {
					p.set("function.arguments", "")
				}
				ended[index] = ended[index] || begun[index] && more.Type == gjson.String && more.String() == ""
				begun[index] = begun[index] || more.String() != ""
			}
		}),
	},
	{
		Name:    "arguments/knows-only-text",
		Does:    "Arguments that come as an object are treated as none.",
		Reports: []string{"https://github.com/microsoft/autogen/issues/5260", "https://github.com/badlogic/pi-mono/issues/1259"},
		Breaks:  []string{"arguments/as-object"},
		Make: onPieces(func() func(*piece) {
			return func(p *piece) {
				if p.get("function.arguments").IsObject() {
					p.set("function.arguments", "")
				}
			}
		}),
	},
	{
		Name:    "arguments/appends-to-empty-braces",
		Does:    "The arguments that come after {} are appended to it.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/551"},
		Breaks:  []string{"arguments/empty-braces-first"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			return func(p *piece) {
				if head := heads.take(p); !head && heads.of(p).text("function.arguments") == "{}" && strings.HasPrefix(p.text("function.arguments"), "{") {
					p.set("function.arguments", " "+p.text("function.arguments"))
				}
			}
		}),
	},
}

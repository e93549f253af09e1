package chat

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var execution = []raw.Fault{
	{
		Name:    "execution/sends-lists-as-parts",
		Does:    "A result that is a list of objects is sent as a list of content parts.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/pull/11092", "https://github.com/prism-php/prism/issues/599"},
		Breaks:  []string{"egress/tool-content-is-text", "execution/result-reaches-the-model"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("tool", func(path string, m gjson.Result) {
				if text := m.Get("content").String(); gjson.Parse(text).IsArray() {
					r.SetRaw(path+".content", text)
				}
			})
		}),
	},
}

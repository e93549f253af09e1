package messages

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInTurns = []raw.Variation{
	{
		Name:    "turns/answer-as-a-string",
		Does:    "A turn that is nothing but a text goes back as a string.",
		Sources: []string{messagesAPI + " (content is a string or an array)", "https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-anthropic/src/utils/message_inputs.ts (content: message.content)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if blocks := m.Get("content").Array(); len(blocks) == 1 && isBlock(blocks[0], "text") {
					r.Set(path+".content", blocks[0].Get("text").String())
				}
			})
		}),
	},
}

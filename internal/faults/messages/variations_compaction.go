package messages

import (
	"net/http"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

// variationsInCompaction are those in how the provider is asked to make the history shorter.
var variationsInCompaction = []raw.Variation{
	{
		Name:     "compaction/on-demand",
		Does:     "The provider is asked for a summary alone, once an answer had as many input tokens as the task says. The signed block takes the place of what was before the newest turn or prompt.",
		Sources:  []string{"https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand"},
		Profiles: []string{"anthropic"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make: raw.Shortening{
			List: "messages", UpTo: upToNewest,
			Request: func(req *http.Request, body []byte) []byte {
				req.Header.Set("anthropic-beta", "compact-2026-09-04")
				with, _ := sjson.SetRawBytes(body, "compaction", []byte(`{"type":"summarize"}`)) // the path is a right one
				return with
			},
			Instead: func(answer gjson.Result) []gjson.Result {
				return []gjson.Result{gjson.Parse(`{"role":"assistant","content":` + answer.Get("content").Raw + `}`)}
			},
		}.Make,
	},
}

// upToNewest returns the messages before a new prompt, or before the turn whose results are the last
// message.
func upToNewest(messages []gjson.Result) int {
	last := len(messages) - 1
	if messages[last].Get(`content.#(type=="tool_result")`).Exists() {
		return last - 1
	}
	return last
}

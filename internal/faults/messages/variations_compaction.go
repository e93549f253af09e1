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
		Name:     "compaction/pauses",
		Does:     "The provider is asked to stop behind the summary. The block goes back, and the provider goes on.",
		Sources:  []string{"https://platform.claude.com/docs/en/build-with-claude/compaction-threshold (pause_after_compaction)"},
		Profiles: []string{"anthropic"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make:     raw.OnRequest(pauseAfterCompaction),
	},
	{
		Name:     "compaction/pauses-before-the-newest-messages",
		Does:     "The provider is asked to stop behind the summary. The block takes the place of all but the newest message, and the provider goes on.",
		Sources:  []string{"https://platform.claude.com/docs/en/build-with-claude/compaction-threshold (pause_after_compaction: recent messages are kept behind the block)"},
		Profiles: []string{"anthropic"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make: raw.OnRequest(func(r *raw.Request) {
			pauseAfterCompaction(r)
			newestBehindTheBlock(r)
		}),
	},
	{
		Name:     "compaction/on-demand",
		Does:     "The provider is asked for a summary alone, once an answer had as many input tokens as the task says. The signed block takes the place of what was before the newest turn or prompt.",
		Sources:  []string{"https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand"},
		Profiles: []string{"anthropic"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make:     onDemand("compact-2026-09-04").Make,
	},
}

// onDemand asks for a summary alone, under a beta.
func onDemand(beta string) raw.Shortening {
	return raw.Shortening{
		List: "messages", UpTo: upToNewest,
		Request: func(req *http.Request, body []byte) []byte {
			req.Header.Set("anthropic-beta", beta)
			with, _ := sjson.SetRawBytes(body, "compaction", []byte(`{"type":"summarize"}`)) // the path is a right one
			return with
		},
		Instead: func(answer gjson.Result) []gjson.Result {
			return []gjson.Result{gjson.Parse(`{"role":"assistant","content":` + answer.Get("content").Raw + `}`)}
		},
	}
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

// pauseAfterCompaction asks the provider to stop behind the summary.
func pauseAfterCompaction(r *raw.Request) {
	if r.Get("context_management.edits.0").Exists() {
		r.Set("context_management.edits.0.pause_after_compaction", true)
	}
}

// newestBehindTheBlock puts the prompt or the round before a summary behind it, once more, where the
// summary is the last message.
func newestBehindTheBlock(r *raw.Request) {
	messages := r.Get("messages").Array()
	last := len(messages) - 1
	if last < 1 || messages[last].Get("content.0.type").String() != "compaction" || messages[last].Get("content.1").Exists() {
		return
	}
	newest := upToNewest(messages[:last])
	r.SetRaw("messages", raw.List(raw.Items(append([]gjson.Result{messages[last]}, messages[newest:last]...))))
}

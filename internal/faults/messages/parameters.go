package messages

import (
	"strconv"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// settingForNoThought sets a key of every request, and switches the thinking off that does not go
// with it.
func settingForNoThought(key string, value any) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.SetRaw("thinking", `{"type":"disabled"}`)
		r.Set(key, value)
	})
}

// mark is what caches everything up to where it is.
const mark = `{"type":"ephemeral"}`

// markEnd marks the last block of a message.
func markEnd(r *raw.Request, path string) {
	if n := len(r.Get(path + ".content").Array()); n > 0 && r.Get(path+".content").IsArray() {
		r.SetRaw(path+".content."+strconv.Itoa(n-1)+".cache_control", mark)
	}
}

const promptCaching = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching"

const (
	messagesAPI     = "https://platform.claude.com/docs/en/api/messages"
	handleToolCalls = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
)

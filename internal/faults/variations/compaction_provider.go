package variations

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var serverCompaction = []protocol.Feature{protocol.ServerCompaction}

// compactionsByTheProvider are what loops do otherwise with a history that the provider makes
// shorter. The reference loop goes on to send all that was said, with what the provider gave in its
// place.
var compactionsByTheProvider = []hooks.Variation{
	{
		Name:    "compaction/drops-what-the-provider-replaced",
		Does:    "A request begins with the newest of what the provider gave in place of the history: all before it is dropped.",
		Sources: []string{"https://developers.openai.com/api/docs/guides/compaction (items that came before the most recent compaction item can be dropped)", "https://platform.claude.com/docs/en/build-with-claude/compaction (the client may drop what the API ignores)"},
		Only:    neutral.CompactedHistory, Elsewhere: "no provider makes a history shorter.",
		With: serverCompaction,
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if message, part := newestCompaction(r); message >= 0 {
				r.Messages = r.Messages[message:]
				r.Messages[0].Parts = r.Messages[0].Parts[part:]
			}
		}),
	},
	{
		Name:    "compaction/keeps-the-prompts-that-the-provider-replaced",
		Does:    "Of what is before the newest of what the provider gave in place of the history, what the user said stays, and the rest is dropped.",
		Sources: []string{"https://platform.openai.com/docs/api-reference/responses/compact (the output: what the user said, and the item)", "https://github.com/openai/openai-agents-js/pull/760"},
		Only:    neutral.CompactedHistory, Elsewhere: "no provider makes a history shorter.",
		With: serverCompaction,
		Make: hooks.OnRequest(func(r *hooks.Request) {
			message, part := newestCompaction(r)
			if message < 0 {
				return
			}
			var said []neutral.Message
			for _, m := range r.Messages[:message] {
				if hooks.IsPrompt(m) {
					said = append(said, m)
				}
			}
			r.Messages = append(said, r.Messages[message:]...)
			r.Messages[len(said)].Parts = r.Messages[len(said)].Parts[part:]
		}),
	},
	{
		Name:    "compaction/keeps-the-newest-alone",
		Does:    "Of several that the provider gave in place of the history, only the newest goes back, in its place; all other messages do, too.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/compaction_block_ambiguous_error.py (send only the one that came last)"},
		Only:    neutral.CompactedHistory, Elsewhere: "no provider makes a history shorter.",
		With: serverCompaction,
		Make: hooks.OnRequest(func(r *hooks.Request) {
			message, part := newestCompaction(r)
			for i := range r.Messages {
				var kept []neutral.Part
				for n, p := range r.Messages[i].Parts {
					if !hooks.IsCompaction(p) || i == message && n == part {
						kept = append(kept, p)
					}
				}
				r.Messages[i].Parts = kept
			}
		}),
	},
	{
		Name:    "compaction/items-without-ids",
		Does:    "An item that the provider gave in place of the history goes back without its id, since the provider keeps nothing.",
		Sources: []string{"https://github.com/openai/openai-openapi (CompactionSummaryItemParam: the id may be left out)", "https://github.com/openai/codex/blob/main/codex-rs/protocol/src/models.rs (ResponseItem::Compaction)"},
		Only:    neutral.Items, Elsewhere: "a block has no id.",
		With: serverCompaction,
		Make: hooks.EachCompaction(func(keys *neutral.Object) { keys.Drop("id") }),
	},
	{
		Name:    "compaction/marks-what-the-provider-gave-for-the-cache",
		Does:    "The block that the provider gave in place of the history is marked for the cache.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/compaction (a cache_control breakpoint on compaction blocks)"},
		Only:    neutral.CompactedHistory, Unless: neutral.Items, Elsewhere: "items have no marks.",
		With: serverCompaction,
		Make: hooks.EachCompaction(func(keys *neutral.Object) { keys.Set("cache_control", json.RawMessage(`{"type":"ephemeral"}`)) }),
	},
	{
		Name:    "compaction/asks-the-provider-at-a-length-of-its-own",
		Does:    "The provider is asked to make the history shorter at another length than the task says.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/compaction (150,000 input tokens, where nothing is said)"},
		Only:    neutral.CompactedHistory, Elsewhere: "no provider makes a history shorter.",
		With:    serverCompaction,
		Shoulds: []string{"compaction/provider-asked"},
		Why:     "The loop knows the model better.",
		Make:    hooks.OnTask(func(t *protocol.Task) { t.CompactThreshold *= 2 }),
	},
}

// newestCompaction returns where the newest of what the provider gave in place of the history is: the
// message, and the place in it; -1 where there is none.
func newestCompaction(r *hooks.Request) (message, part int) {
	message = -1
	for i, m := range r.Messages {
		for n, p := range m.Parts {
			if hooks.IsCompaction(p) {
				message, part = i, n
			}
		}
	}
	return message, part
}

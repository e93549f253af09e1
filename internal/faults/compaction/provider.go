package compaction

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// byTheProvider are the faults about what the provider gives in place of a history.
var byTheProvider = []hooks.Fault{
	{
		Name:    "compaction/never-asks-the-provider",
		Does:    "The provider is not asked to make the history shorter, although the loop is told to.",
		Reports: []string{"https://github.com/vercel/ai/issues/21263"},
		Breaks:  []string{"compaction/provider-asked"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.CompactThreshold = 0 }),
	},
	{
		Name:   "compaction/asks-the-provider-once",
		Does:   "The provider is asked to make the history shorter in the first two requests of a task alone.",
		Breaks: []string{"compaction/provider-asked"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Number > 2 {
				r.CompactAt = 0
			}
		}),
	},
	{
		Name:    "compaction/drops-what-the-provider-gave",
		Does:    "What the provider gives in place of the history is none of the parts that the loop knows, and is dropped.",
		Reports: []string{"https://github.com/anomalyco/opencode/pull/43708", "https://github.com/praxis-proxy/ai/issues/666"},
		Breaks:  []string{"compaction/comes-back"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsCompaction(p) })
		}),
	},
	{
		Name:   "compaction/forgets-later-what-the-provider-gave",
		Does:   "What the provider gave in place of the history goes back with the request after it alone.",
		Breaks: []string{"compaction/comes-back"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			newest := -1
			for i, m := range r.Messages {
				if m.Role == neutral.Assistant {
					newest = i
				}
			}
			for i := range r.Messages {
				if i != newest {
					r.Messages[i].Parts = hooks.KeepParts(r.Messages[i].Parts, func(p neutral.Part) bool { return !hooks.IsCompaction(p) })
				}
			}
		}),
	},
	{
		Name:    "compaction/shortens-what-the-provider-gave",
		Does:    "What the provider gave in place of the history is cut at the end.",
		Reports: []string{"https://github.com/openai/codex/issues/36704"},
		Breaks:  []string{"compaction/unchanged"},
		Make: hooks.EachCompaction(func(keys *neutral.Object) {
			for _, key := range []string{"content", "encrypted_content"} {
				if text := keys.Text(key); text != "" {
					keys.SetText(key, text[:len(text)-4])
				}
			}
		}),
	},
	{
		Name:    "compaction/sends-twice-what-the-provider-gave",
		Does:    "What the provider gave in place of the history is in the request twice, one behind the other.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/3295"},
		Breaks:  []string{"compaction/once"},
		InItems: []string{"compaction/once", "egress/item-ids-distinct"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			var twice []neutral.Part
			for _, p := range m.Parts {
				if twice = append(twice, p); hooks.IsCompaction(p) {
					twice = append(twice, p)
				}
			}
			m.Parts = twice
		}),
	},
	{
		Name:    "compaction/puts-behind-the-calls-what-the-provider-gave",
		Does:    "Texts and calls come first in what goes back of an answer, and what the provider gave in place of the history last.",
		Reports: []string{"https://github.com/TanStack/ai/issues/910"},
		Breaks:  []string{"compaction/in-its-place"},
		Make:    hooks.LastInTurns(hooks.IsCompaction),
	},
}

package runner

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/history"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// cacheOf says how much of the prompts of a case the cache of a provider does not know again, nil
// where there is no second request. A loop that is told to keep below a limit changes its history
// on purpose.
func cacheOf(r *rules.Run, judgements []rules.Judgement) *report.Cache {
	p := history.PrefixOf(r)
	if p.Bytes == 0 || r.Task.ContextLimit > 0 || r.Task.CompactThreshold > 0 {
		return nil
	}
	c := &report.Cache{Conversations: 1}
	if first := p.First; first != nil {
		c.Broken, c.Bytes, c.Lost = 1, p.Bytes, p.Lost
		c.From, c.Rule = first.After.Number, breaksPrefix(judgements, first.After.Number)
		c.Example = &report.CacheExample{
			Case:    r.Case.ID(),
			Before:  cachePart(first.Before, first.Was),
			Request: cachePart(first.After, first.Now),
		}
	}
	return c
}

func cachePart(x *trace.Exchange, p history.PromptPart) report.CachePart {
	return report.CachePart{Number: x.Number, Pointer: p.Pointer, Text: rules.Show(p.Node)}
}

// prefixRules are the rules about what comes again as it was, the narrowest first.
var prefixRules = []string{"history/keys-keep-their-order", "history/tools-stay", "history/earlier-messages-unchanged", "history/only-grows"}

// breaksPrefix returns the rule that a request breaks by not beginning like the one before it, or
// "".
func breaksPrefix(judgements []rules.Judgement, request int) string {
	for _, id := range prefixRules {
		if slices.ContainsFunc(judgements, func(j rules.Judgement) bool {
			return j.Rule.ID == id && slices.ContainsFunc(j.Findings, func(f trace.Finding) bool { return f.Request == request })
		}) {
			return id
		}
	}
	return ""
}

package compaction

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var byTheProvider = []protocol.Feature{protocol.ServerCompaction}

// compacts reports whether providers make histories shorter in a dialect.
func compacts(d *wire.Dialect) bool { return d.Compaction.Asked != nil }

// What the providers say of it.
const (
	openAIDocs    = "https://developers.openai.com/api/docs/guides/compaction"
	anthropicDocs = "https://platform.claude.com/docs/en/build-with-claude/compaction"
	onDemandDocs  = "https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand"
)

// providerRules are the rules about a history that the provider makes shorter. A loop may go on to
// send all that was said before, or leave it away: both providers document either.
var providerRules = []rules.Rule{
	{
		ID:        "compaction/provider-asked",
		Level:     trace.Must,
		Text:      "Once an answer to a prompt had as many input tokens as the compact_threshold of the task, the requests of the next prompt ask the provider to make the history shorter, or have what the loop got for it by a request of its own. To wait for the next prompt, or to ask at another length, only breaks a should.",
		Why:       "A provider that is not asked does not do so, and the conversation ends where it is longer than the model takes.",
		Needs:     byTheProvider,
		Where:     compacts,
		Invariant: true,
		Evidence:  "a request that asks for it, has what came of it, or comes after an answer with so many input tokens",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "compact_threshold: at how many input tokens the loop asks the provider to make the history shorter"},
			{URL: openAIDocs, Says: "context_management with compact_threshold in a create request, or /responses/compact"},
			{URL: anthropicDocs, Says: "the edit compact_20260112, with a trigger of input tokens"},
			{URL: onDemandDocs, Says: "a request with compaction: {type: summarize}, at a time that the application chooses"},
			{URL: "https://openai.github.io/openai-agents-python/ref/memory/openai_responses_compaction_session", Says: "responses.compact is called once a run is over"},
		},
		Run: providerAsked,
	},
	{
		ID:        "compaction/comes-back",
		Level:     trace.Must,
		Text:      "What the provider gave in place of the history is in each later request, in full, by reference or as the provider kept it, until it gives something newer, with an answer or where the loop asks for it alone.",
		Why:       "It is all that the model knows of what was said before it: without it the provider makes the history shorter anew each time, or the model has forgotten all.",
		Needs:     byTheProvider,
		Where:     compacts,
		Invariant: true,
		Evidence:  "a request after an answer that began with it",
		Sources: []rules.Source{
			{URL: anthropicDocs, Says: "the compaction block has to be passed back on subsequent requests"},
			{URL: openAIDocs, Says: "append the output, including compaction items, to the next input array"},
			{URL: "https://github.com/anomalyco/opencode/pull/43708", Says: "a loop that did not keep the items"},
		},
		Run: comesBack,
	},
	{
		ID:        "compaction/unchanged",
		Level:     trace.Must,
		Text:      "What the provider gave in place of the history goes back as it came: the summary of a block, the encrypted content of an item.",
		Why:       "The provider refuses encrypted content that it did not write, and the model takes another summary for what happened.",
		Needs:     byTheProvider,
		Where:     compacts,
		Invariant: true,
		Evidence:  "a request with such a block or item",
		Sources: []rules.Source{
			{URL: openAIDocs, Says: "the item is opaque, and not to be pruned"},
			{URL: "https://github.com/openai/codex/issues/36704", Says: "the 400 invalid_encrypted_content for an item of the type compaction, and the session is lost"},
			{URL: "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/beta/beta_compaction_block.py", Says: "to be round-tripped verbatim"},
		},
		Run: unchanged,
	},
	{
		ID:        "compaction/once",
		Level:     trace.Must,
		Text:      "What the provider gave in place of the history is in a request once.",
		Why:       "OpenAI refuses an item twice; between two equal blocks of Anthropic all is dropped.",
		Needs:     byTheProvider,
		Where:     compacts,
		Invariant: true,
		Evidence:  "a request with such a block or item",
		Sources: []rules.Source{
			{URL: "https://github.com/microsoft/agent-framework/issues/3295", Says: "Duplicate item found with id: the 400 of OpenAI"},
			{URL: anthropicDocs, Says: "all that is before the block is ignored"},
			{URL: "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/compaction_block_ambiguous_error.py", Says: "signed blocks: send only the one the conversation returned last"},
		},
		Run: once,
	},
	{
		ID:        "compaction/in-its-place",
		Level:     trace.Must,
		Text:      "What the provider gave in place of the history is before what came behind it in its answer: the text and the calls.",
		Why:       "The provider drops what is before it, so that the results of these calls have no call any more, and the model does not see what it said.",
		Needs:     byTheProvider,
		Where:     compacts,
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns it with a text or a call of its answer",
		Sources: []rules.Source{
			{URL: anthropicDocs, Says: "all that is before the block is ignored"},
			{URL: openAIDocs, Says: "what came before the most recent item can be dropped: append the output items as usual"},
		},
		Run: inItsPlace,
	},
}

// providerAsked looks at what comes after an answer that had too many input tokens, until the history
// is made shorter. A loop that asks for that alone need not do so while a prompt is being answered.
func providerAsked(r *rules.Run) (j rules.CheckResult) {
	if r.Task.CompactThreshold == 0 {
		return j
	}
	var told, over bool // an answer had too many tokens, and its prompt is over
	var given []*wire.Compaction
	seen := map[wire.Compaction]bool{}
	for _, x := range r.Conversation() {
		threshold, asked := x.Request.Dialect.Compaction.Asked(x.Request)
		if newApart(x.Request, given, seen) {
			j.HasEvidence, told, over = true, false, false
		}
		j.HasEvidence = j.HasEvidence || asked || told
		switch f := notAsked(r, x); {
		case asked && threshold != r.Task.CompactThreshold:
			f.Level, f.Message = trace.Should, "the request asks the provider to make the history shorter at another length than the task says"
			j.Find(f)
		case !asked && told:
			if !over {
				f.Level = trace.Should
			}
			j.Find(f)
		}
		if x.Turn == nil || !x.Turn.Whole() {
			continue
		}
		if compacted(x) {
			given, told, over = append(given, x.Turn.Answer.Compaction), false, false
			continue
		}
		told = told || x.Turn.Answer.Usage.Prompt >= r.Task.CompactThreshold
		over = told && (over || x.Turn.Final())
	}
	return j
}

func notAsked(r *rules.Run, x *trace.Exchange) trace.Finding {
	return trace.Finding{
		Request: x.Number, Pointer: "/context_management", Message: "the request does not ask the provider to make the history shorter",
		Expected: fmt.Sprintf("compaction from %d input tokens on", r.Task.CompactThreshold), Actual: rules.Show(x.Request.Body.Get("context_management")),
	}
}

// newApart reports whether a request has what stands for a history, was asked for alone, and is none
// of those that were seen.
func newApart(req *wire.Request, given []*wire.Compaction, seen map[wire.Compaction]bool) (is bool) {
	for _, o := range occurrences(req, given) {
		if c := req.Dialect.Compaction.Read(o.node); o.of == apart && !seen[c] {
			seen[c], is = true, true
		}
	}
	return is
}

// occurrence is what stands for a history in a request.
type occurrence struct {
	node *wire.Node
	of   int // which of those that came with answers; [changed]: none as it came; [apart]: the loop asked for it alone
}

const (
	changed = -1 - iota
	apart
)

// eachAfter calls f with each request that follows an answer which began with what stands for the
// history: what the provider gave so far, and what of it is in the request.
func eachAfter(r *rules.Run, f func(x *trace.Exchange, given []*wire.Compaction, found []occurrence)) {
	if r.Task.CompactThreshold == 0 {
		return
	}
	var given []*wire.Compaction
	for _, x := range r.Conversation() {
		if len(given) > 0 {
			f(x, given, occurrences(x.Request, given))
		}
		if compacted(x) {
			given = append(given, x.Turn.Answer.Compaction)
		}
	}
}

// compacted reports whether an answer that the loop got began with what stands for the history.
func compacted(x *trace.Exchange) bool {
	return x.Turn != nil && x.Turn.Returns() && x.Turn.Answer.Compaction != nil && !x.Dropped && x.Request.Dialect.Compacts(x.Request)
}

func occurrences(req *wire.Request, given []*wire.Compaction) (found []occurrence) {
	form := req.Dialect.Compaction
	for _, n := range form.In(req) {
		o := occurrence{n, whichOf(given, form.Read(n))}
		if o.of == changed && form.Apart(req, n, given) {
			o.of = apart
		}
		found = append(found, o)
	}
	return found
}

// whichOf returns which of those that were given came back, or [changed]. A reference has nothing
// but its id; one that says something else than it said is none of them.
func whichOf(given []*wire.Compaction, back wire.Compaction) int {
	for i, c := range given {
		reference := back.Data == "" && back.Text == "" && back.ID != ""
		if reference && back.ID == c.ID || back.Data != "" && back.Data == c.Data || back.Text != "" && strings.TrimSpace(back.Text) == strings.TrimSpace(c.Text) {
			return i
		}
	}
	return changed
}

func comesBack(r *rules.Run) (j rules.CheckResult) {
	eachAfter(r, func(x *trace.Exchange, given []*wire.Compaction, found []occurrence) {
		j.HasEvidence = true
		for _, o := range found {
			if o.of == len(given)-1 || o.of < 0 { // it is there, or stands for it; unchanged looks at what was changed
				return
			}
		}
		j.FindAt(x, x.Request.HistoryPointer(), "what the provider gave in place of the history did not come back", describe(given[len(given)-1]), describeAll(found))
	})
	return j
}

func unchanged(r *rules.Run) (j rules.CheckResult) {
	eachAfter(r, func(x *trace.Exchange, given []*wire.Compaction, found []occurrence) {
		for _, o := range found {
			j.HasEvidence = true
			if o.of == changed {
				j.FindAt(x, o.node.Pointer(), "what the provider gave in place of the history came back changed", describe(given[len(given)-1]), rules.Show(o.node))
			}
		}
	})
	return j
}

func once(r *rules.Run) (j rules.CheckResult) {
	eachAfter(r, func(x *trace.Exchange, _ []*wire.Compaction, found []occurrence) {
		seen := map[int]bool{}
		for _, o := range found {
			j.HasEvidence = true
			if o.of >= 0 && seen[o.of] {
				j.FindAt(x, o.node.Pointer(), "what the provider gave in place of the history came back twice", "it once, in its place", rules.Show(o.node))
			}
			seen[o.of] = true
		}
	})
	return j
}

// inItsPlace looks at the first one of a request, where it came back twice.
func inItsPlace(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		c := e.Turn.Answer.Compaction
		if c == nil || e.Message == nil {
			continue
		}
		for _, o := range occurrences(e.In.Request, []*wire.Compaction{c}) {
			if o.of != 0 {
				continue
			}
			rest := restOf(e)
			j.HasEvidence = j.HasEvidence || len(rest) > 0
			for _, n := range rest {
				if n.Offset() < o.node.Offset() {
					j.FindAt(e.In, o.node.Pointer(), "what the provider gave in place of the history is behind the rest of its answer", "it before "+rules.Show(n), rules.Show(o.node))
					break
				}
			}
			break
		}
	}
	return j
}

// restOf returns what else of an answer came back: its text and its calls.
func restOf(e rules.ReturnedTurn) (rest []*wire.Node) {
	for _, p := range e.Message.Content.Parts {
		if text := strings.TrimSpace(e.Turn.Answer.Text); text != "" && strings.TrimSpace(p.Text) == text {
			rest = append(rest, p.Node)
		}
	}
	for n := range e.Turn.Answer.Calls {
		if call, ok := e.Call(n); ok {
			rest = append(rest, call.Node)
		}
	}
	return rest
}

// describe tells what the provider gave.
func describe(c *wire.Compaction) string {
	if c.Data != "" {
		return "the item " + c.ID + ", with its encrypted content"
	}
	return "the block with the summary " + rules.Quote(c.Text)
}

func describeAll(found []occurrence) string {
	if len(found) == 0 {
		return "no item or block of the type compaction"
	}
	var old []string
	for _, o := range found {
		old = append(old, rules.Show(o.node))
	}
	return "only " + rules.List(old)
}

package journal

import (
	"github.com/loopproof/loopproof/internal/wire"
)

// Conversation is a list of requests, each of which continues the one before it.
type Conversation struct {
	Entries []Entry // at least one
}

// maxCandidates bounds among how many conversations the one of a request is looked for, the latest
// first.
const maxCandidates = 32

// Conversations sorts requests into conversations, in the order in which these began. Nothing on
// the wire says which one a request belongs to, so it is treated as the next of the one whose
// history it carries furthest: with more messages than before, or with the same ones again where
// these were not answered well. Requests that could not be read, and unrouted ones, are each by
// themselves.
func Conversations(entries []Entry) []Conversation {
	var all []*Conversation
	for _, e := range entries {
		if c := goesOn(all, e); c != nil {
			c.Entries = append(c.Entries, e)
			continue
		}
		all = append(all, &Conversation{Entries: []Entry{e}})
	}
	out := make([]Conversation, len(all))
	for i, c := range all {
		out[i] = *c
	}
	return out
}

func goesOn(all []*Conversation, e Entry) *Conversation {
	if e.Exchange.Request == nil {
		return nil
	}
	var best *Conversation
	most := 0
	for i := len(all) - 1; i >= max(0, len(all)-maxCandidates); i-- {
		if n := kinship(all[i].Last(), e); n > most {
			best, most = all[i], n
		}
	}
	return best
}

// kinship says how well a request continues from another; 0: not at all.
func kinship(before, e Entry) int {
	a, b := before.Exchange.Request, e.Exchange.Request
	if a == nil || a.Dialect != b.Dialect || before.Scenario != e.Scenario || prompt(a) != prompt(b) {
		return 0
	}
	grown, again := len(b.Messages) > len(a.Messages), len(b.Messages) == len(a.Messages) && before.Failed()
	if !grown && !again {
		return 0 // their bytes need not be compared
	}
	if same := b.Repeats(a); grown || same == len(b.Messages) {
		return 1 + same
	}
	return 0
}

// prompt returns the first thing that the user says in a request.
func prompt(req *wire.Request) string {
	for _, m := range req.Messages {
		if m.Role == wire.User {
			return m.Content.Text
		}
	}
	return ""
}

// Last returns the latest request.
func (c Conversation) Last() Entry { return c.Entries[len(c.Entries)-1] }

// Title names a conversation: by its scenario, or else by what the user said first.
func (c Conversation) Title() string {
	first := c.Entries[0]
	switch {
	case first.Scenario != "":
		return first.Scenario
	case first.Exchange.Request != nil && prompt(first.Exchange.Request) != "":
		return prompt(first.Exchange.Request)
	default:
		return first.Method + " " + first.Path()
	}
}

// Prompt returns the first text of the user, or "" if it is unknown.
func (c Conversation) Prompt() string {
	if req := c.Entries[0].Exchange.Request; req != nil {
		return prompt(req)
	}
	return ""
}

// Resent says how many messages of the i-th request repeat those of the request before it, and
// whether the request changes or drops some of them besides.
func (c Conversation) Resent(i int) (same int, changed bool) {
	if i == 0 || c.Entries[i].Exchange.Request == nil || c.Entries[i-1].Exchange.Request == nil {
		return 0, false
	}
	before := c.Entries[i-1].Exchange.Request
	same = c.Entries[i].Exchange.Request.Repeats(before)
	return same, same < len(before.Messages)
}

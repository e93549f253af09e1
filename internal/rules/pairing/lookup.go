package pairing

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// fewIDs are so few that they are searched faster than indexed.
const fewIDs = 8

// finder finds results by the ids of their calls.
type finder struct {
	results []wire.Result
	ids     map[string]bool // of many
}

func finderOf(results []wire.Result) finder {
	f := finder{results: results}
	if len(results) > fewIDs {
		f.ids = make(map[string]bool, len(results))
		for _, r := range results {
			f.ids[r.CallID] = true
		}
	}
	return f
}

// has reports whether a result of a call is among them.
func (f *finder) has(id string) bool {
	if f.ids != nil {
		return f.ids[id]
	}
	return slices.ContainsFunc(f.results, func(r wire.Result) bool { return r.CallID == id })
}

// answers finds results by the ids of their calls. Several messages of a turn have the same
// results, which are indexed once.
type answers struct {
	finder
	first map[string]int // where the first result of each call is, or nil if nobody asked
}

// among returns what finds a call among some results.
func (a *answers) among(results []wire.Result) *finder {
	if !isSame(a.results, results) {
		*a = answers{finder: finderOf(results)}
	}
	return &a.finder
}

// isSame reports whether two slices are the same place in memory.
func isSame(a, b []wire.Result) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// firsts returns where the first result of each call is.
func (a *answers) firsts(results []wire.Result) map[string]int {
	if a.first == nil || !isSame(a.results, results) {
		*a = answers{finder: finder{results: results}, first: make(map[string]int, len(results))}
		for i := len(results) - 1; i >= 0; i-- {
			a.first[results[i].CallID] = i
		}
	}
	return a.first
}

// unanswered returns the calls with an id that have no result. Nearly every turn has none.
func unanswered(calls []wire.Call, answered *finder) (open []wire.Call) {
	for i := range calls {
		if c := &calls[i]; c.ID != "" && !answered.has(c.ID) {
			open = append(open, *c)
		}
	}
	return open
}

// laterFinder returns what finds the result of a call further on, where results-directly-follow
// finds it.
func laterFinder(req *wire.Request, from int) finder {
	var later []wire.Result
	for _, m := range req.Messages[from:] {
		if len(m.Calls) > 0 {
			break
		}
		later = append(later, m.Results...)
	}
	return finderOf(later)
}

// callers follows a history, and knows at each message the turn to which results belong. Where
// results may be anywhere, all calls before them are as those of one turn.
type callers struct {
	req    *wire.Request
	read   int             // messages so far
	last   wire.Role       // of the message before
	turn   wire.Message    // to which results belong
	joined bool            // the calls of it are those of several messages
	ids    map[string]bool // of its calls, or nil if they were not asked for

	open   map[string]bool // calls in the first messages that have no result there
	opened int             // how many messages these are
}

func callersIn(req *wire.Request) *callers { return &callers{req: req} }

// before returns the assistant message to which the tool message i belongs, and false when the
// messages before it are not those of a turn with tool calls. i is after those of earlier uses.
func (c *callers) before(i int) (wire.Message, bool) {
	for ; c.read < i; c.read++ {
		c.follow(&c.req.Messages[c.read])
	}
	return c.turn, len(c.turn.Calls) > 0
}

func (c *callers) follow(m *wire.Message) {
	switch {
	case c.req.Dialect.Request.ResultsAnywhere && len(m.Calls) > 0:
		c.turn.Calls = append(c.turn.Calls, m.Calls...)
		c.note(m.Calls)
	case c.req.Dialect.Request.RolesJoin && m.Role == wire.Assistant && len(m.Results) == 0 && c.last == wire.Assistant && c.turn.Role == wire.Assistant:
		if !c.joined { // or the calls of the message would be written over
			c.turn.Calls, c.joined = slices.Clip(c.turn.Calls), true
		}
		c.turn.Calls = append(c.turn.Calls, m.Calls...)
		c.note(m.Calls)
	case !c.req.Dialect.Request.ResultsAnywhere && len(m.Results) == 0:
		c.turn, c.ids, c.joined = *m, nil, false
	}
	c.last = m.Role
}

// has reports whether the turn that was found last has a call of an id.
func (c *callers) has(id string) bool {
	if len(c.turn.Calls) <= fewIDs {
		return slices.ContainsFunc(c.turn.Calls, func(call wire.Call) bool { return call.ID == id })
	}
	if c.ids == nil {
		c.ids = make(map[string]bool, len(c.turn.Calls))
		c.note(c.turn.Calls)
	}
	return c.ids[id]
}

// note adds calls to the ids of the turn, if anybody asked for these.
func (c *callers) note(calls []wire.Call) {
	for i := 0; c.ids != nil && i < len(calls); i++ {
		c.ids[calls[i].ID] = true
	}
}

// isOpen reports whether a call of an id has no result so far. Few histories make anybody ask.
func (c *callers) isOpen(id string) bool {
	if c.open == nil {
		c.open = map[string]bool{}
	}
	for ; c.opened < c.read; c.opened++ {
		m := &c.req.Messages[c.opened]
		for _, call := range m.Calls {
			c.open[call.ID] = true
		}
		for _, r := range m.Results {
			delete(c.open, r.CallID)
		}
	}
	return id != "" && c.open[id]
}

// mostUnanswered is how many of the calls without a result a finding names.
const mostUnanswered = 20

// unansweredAround returns the calls of a turn that have no result in message i and in the messages
// of results directly around it, and the number of the message after these.
func unansweredAround(req *wire.Request, i int, turn wire.Message) (ids []string, end int) {
	first, end := i, i+1
	for first > 0 && len(req.Messages[first-1].Results) > 0 {
		first--
	}
	for end < len(req.Messages) && len(req.Messages[end].Results) > 0 {
		end++
	}
	var results []wire.Result
	for _, m := range req.Messages[first:end] {
		results = append(results, m.Results...)
	}
	answered := finderOf(results)
	for _, call := range turn.Calls {
		if len(ids) == mostUnanswered {
			break
		}
		if !answered.has(call.ID) {
			ids = append(ids, call.ID)
		}
	}
	return ids, end
}

// distinct returns the first of each id.
func distinct(ids []string) (all []string) {
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			all = append(all, id)
		}
	}
	return all
}

package wire

import (
	"bytes"
	"maps"
	"slices"
)

// Clean are checks that find nothing in a request, by numbers that whoever asks them has for them.
type Clean []uint64

// Has reports whether a check is among them.
func (c Clean) Has(check int) bool { return check/64 < len(c) && c[check/64]&(1<<(check%64)) != 0 }

// Add adds a check.
func (c *Clean) Add(check int) {
	if missing := check/64 + 1 - len(*c); missing > 0 {
		*c = append(*c, make([]uint64, missing)...)
	}
	(*c)[check/64] |= 1 << (check % 64)
}

// cleanOf are the checks that find nothing in a request to a provider.
type cleanOf struct {
	provider Provider
	checks   Clean
}

// Clean returns the checks that were noted to find nothing in the request under a provider. Nobody
// may change them.
func (r *Request) Clean(of Provider) Clean {
	if r.memo == nil {
		return nil
	}
	if known := r.memo.clean.Load(); known != nil && known.provider == of {
		return known.checks
	}
	return nil
}

// NoteClean notes the checks that find nothing in the request under a provider, in place of those that
// were noted before. Neither they nor the request may be changed afterwards.
func (r *Request) NoteClean(of Provider, checks Clean) {
	if r.memo != nil {
		r.memo.clean.Store(&cleanOf{of, checks})
	}
}

// past is what is known of the request before, of which nothing but the list of messages differs.
type past struct {
	outline  *Request
	clean    *cleanOf // nil: it was not judged
	messages int      // at the beginning of this request that are those of the one before
}

// pastOf returns what is known of the request before, whose list begins with so many of the same
// items, or nil if that says nothing about this one.
func (r *Request) pastOf(before *Request, same int) *past {
	list, had := r.MessageList(), before.MessageList()
	switch {
	case r.Dialect.Request.ResultsAnywhere && same < len(had.Items): // a result that answers an earlier call may be gone
		return nil
	case list == nil || list.start != had.start || !bytes.Equal(r.Body.Raw[list.end():], before.Body.Raw[had.end():]):
		return nil
	}
	return &past{outline: before.Outline(), clean: before.memo.clean.Load()}
}

// is reports whether a request came like the one before.
func (p *past) is(r *Request) bool {
	was := p.outline
	if !slices.EqualFunc(r.ToolChanges, was.ToolChanges, func(a, b ToolChange) bool {
		return a.Gone == b.Gone && a.Tool.Name == b.Tool.Name && a.Tool.Node == b.Tool.Node
	}) {
		return false
	}
	return r.Model == was.Model && r.Stream == was.Stream && r.Array == was.Array && r.Door == was.Door && r.Version == was.Version && maps.Equal(r.Headers, was.Headers)
}

// Tail returns the request without the turns at its beginning that the one before has, too, but for
// the last of these, and the checks that found nothing in the request before. It is nil where nothing
// is known of that, or where it may be that what the request says outside of these turns, or in
// results, changes what is to be found in them.
func (r *Request) Tail(of Provider) (tail *Request, clean Clean) {
	p := r.past
	if p == nil || p.clean == nil || p.clean.provider != of || !p.is(r) {
		return nil, nil
	}
	from := r.lastTurn(p.messages)
	if from < 0 || r.Dialect.Request.ResultsAnywhere && !answersItself(r.Messages[from:]) {
		return nil, nil
	}
	list, first := r.MessageList(), int(r.Messages[from].Node.index)
	if first >= len(list.Items) || !r.Messages[from].begins(list.Items[first:]) {
		return nil, nil
	}
	short, body, shorter := *r, *r.Body, *list
	shorter.Items = list.Items[first:]
	body.Members = slices.Clone(body.Members)
	for i := range body.Members {
		if body.Members[i].Value == list {
			body.Members[i].Value = &shorter
		}
	}
	short.Body, short.Messages = &body, r.Messages[from:]
	short.memo, short.found, short.past = &memo{hasResult: hasResult(short.Messages)}, nil, nil
	return &short, p.clean.checks
}

// lastTurn returns the last of so many messages with which a turn of the model begins that calls tools,
// so that nothing behind it answers a call before it. Where none of them calls tools it is the last
// turn, and -1 where there is none.
func (r *Request) lastTurn(messages int) int {
	last, calls := -1, false
	for i := messages - 1; i > 0; i-- {
		m := &r.Messages[i]
		begins := m.saysOnly(Assistant) && !r.JoinsNext(i-1)
		if begins && len(m.Calls) > 0 {
			return i
		}
		if begins && last < 0 {
			last = i
		}
		calls = calls || len(m.Calls) > 0
	}
	if calls {
		return -1
	}
	return last
}

// answersItself reports whether each result in some messages is that of a call before it in them.
func answersItself(messages []Message) bool {
	called := map[string]bool{}
	for i := range messages {
		for _, r := range messages[i].Results {
			if !called[r.CallID] {
				return false
			}
		}
		for _, c := range messages[i].Calls {
			called[c.ID] = true
		}
	}
	return true
}

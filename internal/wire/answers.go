package wire

import (
	"cmp"
	"slices"
)

// indexedFrom is the number of messages from which on results are indexed: a shorter history is
// searched faster than indexed.
const indexedFrom = 64

// resultPlace is where a result is: the message, and the result in it.
type resultPlace struct{ message, result int }

// answerIndex says of a long history which results are where. Without it a history of thousands of
// calls costs the square of their number, for most rules about results ask for the answers of each
// call.
type answerIndex struct {
	results []Result // of all messages
	behind  []int    // how many of them are before each message, and before the end
	first   []int    // of each message: the one at which its answers begin
	next    []int    // of each message: the first one behind the results that begin with it
	ids     resultIndex
	calls   map[string][]int // the messages with a call of an id, where results may be anywhere
}

// resultIndex has the places of the results for each id of a call.
type resultIndex map[string][]resultPlace

// answers returns the index of a long history that was read, made when it is first asked for; nil: it
// is to be searched.
func (r *Request) answers() *answerIndex {
	if r.memo == nil || len(r.Messages) < indexedFrom {
		return nil
	}
	index := r.memo.answers.Load()
	if index == nil {
		index = r.indexAnswers()
		r.memo.answers.Store(index)
	}
	return index
}

func (r *Request) indexAnswers() *answerIndex {
	n := len(r.Messages)
	index := &answerIndex{behind: make([]int, n+1), first: make([]int, n), next: make([]int, n+1)}
	for i := range r.Messages {
		index.results = append(index.results, r.Messages[i].Results...)
		index.behind[i+1] = len(index.results)
	}
	index.next[n] = n
	for i := n - 1; i >= 0; i-- {
		index.first[i], index.next[i] = i+1, i
		switch m := &r.Messages[i]; {
		case len(m.Results) > 0 && len(m.Calls) > 0:
			index.next[i] = i + 1
		case len(m.Results) > 0:
			index.next[i] = index.next[i+1]
		}
		if r.JoinsNext(i) {
			index.first[i] = index.first[i+1]
		}
	}
	if r.Dialect.Request.ResultsAnywhere {
		index.ids, index.calls = indexResults(r.Messages), indexCalls(r.Messages)
	}
	return index
}

// HasResult reports whether the request has a tool result. Of a long one that is known, for rules
// ask for each of its parts.
func (r *Request) HasResult() bool {
	if r.memo != nil {
		return r.memo.hasResult
	}
	return hasResult(r.Messages)
}

func hasResult(messages []Message) bool {
	return slices.ContainsFunc(messages, func(m Message) bool { return len(m.Results) > 0 })
}

// HasResultFor reports whether the request has a result for a call of an id, wherever it is.
func (r *Request) HasResultFor(id string) bool {
	return id != "" && slices.ContainsFunc(r.Messages, func(m Message) bool {
		return slices.ContainsFunc(m.Results, func(res Result) bool { return res.CallID == id })
	})
}

// JoinsNext reports whether a message and the one after it are one turn of the model.
func (r *Request) JoinsNext(i int) bool {
	return i+1 < len(r.Messages) && r.joins() && r.Messages[i].saysOnly(Assistant) && r.Messages[i+1].saysOnly(Assistant)
}

func indexCalls(messages []Message) map[string][]int {
	index := map[string][]int{}
	for i, m := range messages {
		for _, c := range m.Calls {
			index[c.ID] = append(index[c.ID], i)
		}
	}
	return index
}

func indexResults(messages []Message) resultIndex {
	index := resultIndex{}
	for i, m := range messages {
		for j, result := range m.Results {
			index[result.CallID] = append(index[result.CallID], resultPlace{i, j})
		}
	}
	return index
}

// places returns where the results for some calls are, in the order of the history, from one
// message on, and before a message with another call of the id.
func (index resultIndex) places(calls []Call, from int, again map[string][]int) (places []resultPlace) {
	at := func(p resultPlace, message int) int { return cmp.Compare(p.message, message) }
	for _, c := range calls {
		all := index[c.ID]
		first, _ := slices.BinarySearchFunc(all, from, at)
		end := len(all)
		if next, _ := slices.BinarySearch(again[c.ID], from); next < len(again[c.ID]) {
			end, _ = slices.BinarySearchFunc(all, again[c.ID][next], at)
		}
		places = append(places, all[first:max(first, end)]...)
	}
	slices.SortFunc(places, func(a, b resultPlace) int {
		return cmp.Or(cmp.Compare(a.message, b.message), cmp.Compare(a.result, b.result))
	})
	return slices.Compact(places) // two calls may have one id
}

// AnswersTo returns the results that a history gives to the calls of message i: those of the
// messages directly after it up to the next message that carries no result, or up to one with calls
// of its own, and in a dialect where they may be anywhere those further on that name one of the
// calls. Where messages of one role are one, they are after the last of these. It also returns the
// index of that next message, which is len(Messages) when the history ends there. Callers must not
// change the results.
func (r *Request) AnswersTo(i int) (results []Result, next int) {
	if index := r.answers(); index != nil {
		first := index.first[i]
		next = index.next[first]
		results = slices.Clip(index.results[index.behind[first]:index.behind[next]])
		if index.ids != nil {
			results = append(results, r.laterAnswers(r.Messages[i].Calls, next)...)
		}
		return results, next
	}
	first := i + 1
	for r.JoinsNext(first - 1) {
		first++
	}
	for next = first; next < len(r.Messages) && len(r.Messages[next].Results) > 0; next++ {
		if next > first && len(r.Messages[next-1].Calls) > 0 {
			break
		}
		if next == first {
			results = slices.Clip(r.Messages[next].Results) // most often these are all
			continue
		}
		results = append(results, r.Messages[next].Results...)
	}
	if r.Dialect == nil || !r.Dialect.Request.ResultsAnywhere { // a transcript is of no dialect
		return results, next
	}
	return append(results, r.laterAnswers(r.Messages[i].Calls, next)...), next
}

// joins reports whether messages of one role in a row are one. A transcript is of no dialect.
func (r *Request) joins() bool { return r.Dialect != nil && r.Dialect.Request.RolesJoin }

// saysOnly reports whether a message is of a role and carries no result.
func (m *Message) saysOnly(role Role) bool { return m.Role == role && len(m.Results) == 0 }

// laterAnswers returns the results for some calls from one message on. Where an id comes again,
// what is behind the later call belongs to that.
func (r *Request) laterAnswers(calls []Call, from int) (results []Result) {
	if index := r.answers(); index != nil {
		for _, p := range index.ids.places(calls, from, index.calls) {
			results = append(results, r.Messages[p.message].Results[p.result])
		}
		return results
	}
	open := slices.Clone(calls)
	for _, later := range r.Messages[from:] {
		open = slices.DeleteFunc(open, func(c Call) bool {
			return slices.ContainsFunc(later.Calls, func(again Call) bool { return again.ID == c.ID })
		})
		for _, result := range later.Results {
			if slices.ContainsFunc(open, func(c Call) bool { return c.ID == result.CallID }) {
				results = append(results, result)
			}
		}
	}
	return results
}

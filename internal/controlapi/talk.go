package controlapi

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/page"
)

// pageOfConversation shows the conversation to which a request belongs.
func (c *api) pageOfConversation(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	number, _ := strconv.Atoi(mux.Vars(r)["number"])
	for _, talk := range journal.Conversations(run.Journal.Entries()) {
		at := slices.IndexFunc(talk.Entries, func(e journal.Entry) bool { return e.Number == number })
		if at >= 0 {
			whole := r.URL.Query().Get("all") != ""
			show(w, "conversation.tmpl", c.conversation(run, talk, at, extentOf(whole, len(talk.Entries))))
			return
		}
	}
	refuse(w, http.StatusNotFound, "the run %s has no request %d, or has forgotten it", run.ID, number)
}

// extent is how much of a conversation is on its page.
type extent struct {
	whole    bool
	turns    int // at its beginning and its end
	messages int // of a request, at its beginning and its end
	findings int // of a request
	short    bool
}

// extentOf returns how much of a conversation is shown: a page has to come up quickly, whatever a
// client sent.
func extentOf(whole bool, turns int) extent {
	if whole {
		return extent{whole: true, turns: turns, messages: 5000, findings: 500, short: turns > 100}
	}
	return extent{turns: 25, messages: 50, findings: 50, short: turns > 50}
}

// shows reports whether the i-th of n things is shown, where so many are at either end.
func shows(i, n, ends int) bool { return i < ends || i >= n-ends }

// near is how many requests are shown alongside the one that is asked for.
const near = 3

// conversation shows a conversation, of which the request at an index was asked for.
func (c *api) conversation(run Run, talk journal.Conversation, at int, ext extent) page.Conversation {
	first := talk.Entries[0]
	p := page.Conversation{
		Live: c.live(titleOf(talk), run.ID), Run: run.ID, Scenario: first.Scenario, Profile: run.Profile,
		Dialect: run.Dialect, Lenient: run.Lenient, At: first.At, Sum: sumOf(talk), Statuses: statuses(talk),
		JSON: c.prefix + "/requests?run=" + run.ID,
	}
	if first.Profile != nil {
		p.Profile, p.Dialect = first.Profile.Name, first.Profile.Dialect
	}
	skipped, left := 0, false
	for i := range talk.Entries {
		if !shows(i, len(talk.Entries), ext.turns) && max(i-at, at-i) > near {
			skipped++
			continue
		}
		t := c.turn(talk, i, ext)
		noteDecisions(run, talk.Entries[i].Exchange.Number, &t)
		t.Skipped, skipped = skipped, 0
		left = left || t.Skipped > 0 || t.Left > 0 || t.Unshown > 0 || slices.ContainsFunc(t.Messages, func(m page.Message) bool { return m.Skipped > 0 })
		p.Turns = append(p.Turns, t)
	}
	if left && !ext.whole {
		p.Whole = fmt.Sprintf("%s/show/%s/%d?all=1", c.prefix, run.ID, talk.Entries[at].Number)
	}
	p.Picture, p.PictureVersion = picture(run, talk)
	if run.Executions == nil {
		return p
	}
	for _, x := range run.Executions() {
		p.Executions = append(p.Executions, page.Execution{
			Tool: x.Tool, CallID: x.CallID, Failed: x.Failed, Arguments: page.NewText(x.Arguments, ""), Result: page.NewText(x.Said(), ""),
			At: page.Span(x.Start), Took: page.Span(x.End - x.Start),
		})
	}
	return p
}

// noteDecisions adds to the calls of a turn, that answers the exchange of a number, what the user was
// asked about them.
func noteDecisions(run Run, number int, t *page.Turn) {
	if run.Approvals == nil || t.Answer == nil {
		return
	}
	for _, a := range run.Approvals() {
		if a.Request == number && a.N < len(t.Answer.Calls) {
			call := &t.Answer.Calls[a.N]
			call.Decided = append(call.Decided, a.Says())
			t.Version += a.Says()
		}
	}
}

package controlapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// question is what a client asks of the journal: as the query of a URL, or as JSON.
type question struct {
	journal.Expectation
	Within string `json:"within,omitempty"` // how long to wait until it holds
	Limit  int    `json:"limit,omitempty"`  // of requests that are listed, the latest

	within time.Duration
}

// How long a client may have us wait, and what it gets where it does not say.
const (
	maxWithin     = 5 * time.Minute
	defaultWithin = 10 * time.Second
)

// questionOf reads the question of a request.
func questionOf(r *http.Request) (question, error) {
	var q question
	values, err := url.ParseQuery(r.URL.RawQuery) // strictly: without the parameter that cannot be read, the rest would ask something else
	if err != nil {
		return q, fmt.Errorf("the query of the URL cannot be read: %w; a percent sign is %%25, and a semicolon %%3B", err)
	}
	if err := q.readQuery(values); err != nil {
		return q, err
	}
	if r.Method == http.MethodPost {
		if err := q.readBody(r); err != nil {
			return q, err
		}
	}
	if q.Within != "" {
		d, err := time.ParseDuration(q.Within)
		if err != nil || d < 0 || d > maxWithin {
			return q, fmt.Errorf("within: %q is no time up to %s, such as 10s", q.Within, maxWithin)
		}
		q.within = d
	}
	if q.Limit < 0 {
		return q, errors.New("limit: it is less than none")
	}
	if err := q.Check(); err != nil {
		return q, err
	}
	for _, f := range append(slices.Clip(q.InOrder), q.Filter) {
		if err := knownRule(f.Rule); err != nil {
			return q, err
		}
	}
	return q, nil
}

// knownRule returns an error if a pattern matches no rule: that none is broken would hold by a
// typing mistake.
func knownRule(pattern string) error {
	if pattern == "" {
		return nil
	}
	if slices.ContainsFunc(rulebook.IDs(), func(id string) bool { return doublestar.MatchUnvalidated(pattern, id) }) {
		return nil
	}
	return fmt.Errorf("rule: %q matches no rule%s; `loopproof list rules` shows all", pattern, suggest.PatternHint(pattern, rulebook.IDs(), doublestar.MatchUnvalidated))
}

// asked reads the question of a request, and answers when it cannot be answered.
func (c *api) asked(w http.ResponseWriter, r *http.Request) (question, bool) {
	q, err := questionOf(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return q, false
	}
	if _, ok := c.provider.ShownRun(q.Run); q.Run != "" && !ok {
		c.refuseUnknownRun(w, q.Run)
		return q, false
	}
	return q, true
}

// readQuery reads the query of a URL strictly: an unknown parameter would select everything, and a
// test would pass.
func (q *question) readQuery(values url.Values) error {
	names := slices.Sorted(maps.Keys(q.parameters()))
	for name, given := range values {
		read, known := q.parameters()[name]
		switch {
		case !known:
			return fmt.Errorf("there is no parameter %q%s; there are %s", name, suggest.Hint(name, names), strings.Join(names, ", "))
		case len(given) > 1:
			return fmt.Errorf("%s: it is given %d times", name, len(given))
		case given[0] == "":
			return selectsAll(name, "empty")
		}
		if err := read(given[0]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// readBody reads a question as JSON as strictly as one in a URL.
func (q *question) readBody(r *http.Request) error {
	body, err := decode(r, q)
	if err != nil {
		return err
	}
	if err := checkSelectors(body); err != nil {
		return err
	}
	known := suggest.Keys(journal.Filter{})
	for _, filter := range body.Get("in_order").All() {
		if filter.Is(wire.Null) {
			return selectsAll(strings.TrimPrefix(filter.Pointer(), "/"), "null")
		}
		if err := checkKeys(filter, known); err != nil {
			return err
		}
		if err := checkSelectors(filter); err != nil {
			return err
		}
	}
	return nil
}

// checkSelectors returns an error if a value of an object says nothing.
func checkSelectors(object *wire.Node) error {
	for _, value := range object.Fields() {
		name := strings.TrimPrefix(value.Pointer(), "/")
		switch {
		case value.Is(wire.Null):
			return selectsAll(name, "null")
		case value.Is(wire.String) && value.Text() == "":
			return selectsAll(name, "empty")
		}
	}
	return nil
}

// selectsAll words that a parameter says nothing, such as that of a variable which is not set.
func selectsAll(name, what string) error {
	return fmt.Errorf("%s: it is %s, which would select everything; leave it out", name, what)
}

// parameters are those of a URL, each with what reads it.
func (q *question) parameters() map[string]func(string) error {
	f := &q.Filter
	return map[string]func(string) error{
		"run": text(&f.Run), "path": text(&f.Path), "model": text(&f.Model), "scenario": text(&f.Scenario), "status": text(&f.Status), "outcome": text(&f.Outcome),
		"contains": text(&f.Contains), "user": text(&f.User), "result": text(&f.Result), "tool": text(&f.Tool),
		"answer": text(&f.Answer), "called": text(&f.Called), "rule": text(&f.Rule), "level": text(&f.Level),
		"after": number(&f.After), "unrouted": flag(&f.Unrouted),
		"count": optional(&q.Count), "at_least": optional(&q.AtLeast), "at_most": optional(&q.AtMost),
		"within": text(&q.Within), "limit": number(&q.Limit),
	}
}

func text(into *string) func(string) error {
	return func(given string) error {
		*into = given
		return nil
	}
}

func number(into *int) func(string) error {
	return func(given string) (err error) {
		if *into, err = strconv.Atoi(given); err != nil {
			return fmt.Errorf("%q is not a number", given)
		}
		return nil
	}
}

func optional(into **int) func(string) error {
	return func(given string) error {
		*into = new(int)
		return number(*into)(given)
	}
}

func flag(into *bool) func(string) error {
	return func(given string) (err error) {
		if *into, err = strconv.ParseBool(given); err != nil {
			return fmt.Errorf("%q is neither true nor false", given)
		}
		return nil
	}
}

func (c *api) listRequests(w http.ResponseWriter, r *http.Request) {
	q, ok := c.asked(w, r)
	if !ok {
		return
	}
	c.replyFound(w, http.StatusOK, q, c.selected(q), map[string]any{})
}

// selected returns the requests that a question selects.
func (c *api) selected(q question) []journal.Entry {
	return q.Filter.Of(c.toLookAt(q.Run, q.Filter.ReadsRequests() || q.Limit == 0))
}

// toLookAt returns all requests of all runs, or of one. The journals read those that are compact,
// and keep what they read, only if they are to be read and together short.
func (c *api) toLookAt(run string, read bool) []journal.Entry {
	if outlines := c.outlines(run); !read || !journal.Short(outlines) {
		return outlines
	}
	return c.entries(run)
}

// replyFound answers with requests, at most as many as the question allows, and with more.
func (c *api) replyFound(w http.ResponseWriter, status int, q question, found []journal.Entry, more map[string]any) {
	more["count"] = len(found)
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[len(found)-q.Limit:]
	}
	views := []requestView{}
	for _, e := range found {
		views = append(views, viewRequest(e.Expanded(), false))
	}
	more["requests"] = views
	reply(w, status, more)
}

// assert says whether an expectation holds, at once or within a time: 200 or 409.
func (c *api) assert(w http.ResponseWriter, r *http.Request) { c.expect(w, r, 0) }

// wait is assert with a default waiting time.
func (c *api) wait(w http.ResponseWriter, r *http.Request) { c.expect(w, r, defaultWithin) }

func (c *api) expect(w http.ResponseWriter, r *http.Request, within time.Duration) {
	q, ok := c.asked(w, r)
	if !ok {
		return
	}
	if q.Within == "" {
		q.within = within
	}
	out := c.outcome(r.Context(), q)
	status := http.StatusOK
	if !out.Holds {
		status = http.StatusConflict
	}
	c.replyFound(w, status, q, out.Found, map[string]any{"holds": out.Holds, "message": out.Message})
}

// outcome waits until an expectation holds, the time is over, the client has gone, or the server
// ends.
func (c *api) outcome(ctx context.Context, q question) journal.Outcome {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if q.within == 0 {
		return c.outcomeNow(q)
	}
	var expired chan struct{}
	await := q.Await(c.provider.Changes(), func() []*journal.Journal { return c.journals(q.Run) })
	defer await.Close()
	for {
		changed := c.provider.Changes().Next()
		if await.May() {
			if out := c.outcomeNow(q); out.Holds {
				return out
			}
		}
		if expired == nil {
			expired = make(chan struct{})
			go func() {
				defer close(expired)
				c.provider.Sleep(ctx, q.within)
			}()
		}
		select {
		case <-changed:
		case <-expired:
			return c.outcomeNow(q)
		case <-ctx.Done(): // nobody reads the answer
			return journal.Outcome{}
		case <-c.provider.Done():
			return c.outcomeNow(q)
		}
	}
}

// outcomeNow says whether an expectation holds.
func (c *api) outcomeNow(q question) journal.Outcome {
	return q.Of(c.toLookAt(q.Run, q.ReadsRequests()))
}

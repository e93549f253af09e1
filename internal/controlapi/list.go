package controlapi

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/trace"
)

// How many conversations are listed, how many when all are asked for, and how many unrouted
// requests.
const (
	maxRows     = 200
	maxAllRows  = 5000
	maxUnrouted = 200
)

// pageOfRuns lists all conversations, or those that fit a filter, the latest first.
func (c *api) pageOfRuns(w http.ResponseWriter, r *http.Request) {
	l := list{filter: filterOf(r.URL.Query()), prefix: c.prefix, runs: map[string]page.Group{}}
	for _, run := range c.provider.ShownRuns() {
		l.add(run)
	}
	p := page.Runs{Live: c.live("Conversations", ""), Exercises: c.exercises(), Addresses: c.addresses(r), Filter: l.filter, Totals: l.totals, Unrouted: l.unrouted}
	p.Rows, p.Shown = l.rows, len(l.rows)
	slices.SortStableFunc(p.Rows, func(a, b page.Row) int { return b.At.Compare(a.At) })
	most := maxRows
	if l.filter.All {
		most = maxAllRows
	}
	if len(p.Rows) > most {
		p.Rows, p.More = p.Rows[:most], len(p.Rows)-most
	}
	if !l.filter.All {
		p.AllURL = l.url(func(f *page.Filter) { f.All = true })
	}
	if !l.filter.Flat && l.totals.Runs > 1 {
		p.Rows = l.grouped(p.Rows)
	}
	slices.SortStableFunc(p.Unrouted, func(a, b page.Unrouted) int { return b.At.Compare(a.At) })
	p.Unrouted = p.Unrouted[:min(len(p.Unrouted), maxUnrouted)]
	show(w, "runs.tmpl", p)
}

// addresses are what SDKs take as their base URLs.
func (c *api) addresses(r *http.Request) []page.Address {
	base := baseOf(r)
	var all []page.Address
	for _, d := range c.provider.Dialects() {
		all = append(all, page.Address{Variable: d.Endpoint.URLVariable(), URL: base + d.Endpoint.BasePath, Dialect: d.Title, Profile: c.provider.Plays(d), Example: d.Standard})
	}
	return all
}

// filterOf reads what a list is limited to. What is no known value limits nothing.
func filterOf(values url.Values) page.Filter {
	f := page.Filter{
		Query: strings.TrimSpace(values.Get("q")), Only: values.Get("only"), Run: values.Get("run"),
		Flat: values.Get("flat") != "", All: values.Get("all") != "",
	}
	if f.Only != "broken" && f.Only != "errors" {
		f.Only = ""
	}
	return f
}

// list is a list in the making.
type list struct {
	filter   page.Filter
	prefix   string
	rows     []page.Row
	unrouted []page.Unrouted
	totals   page.Totals
	runs     map[string]page.Group
}

// url is that of the list with another filter.
func (l *list) url(change func(*page.Filter)) string {
	f := l.filter
	change(&f)
	values := url.Values{}
	for name, value := range map[string]string{"q": f.Query, "only": f.Only, "run": f.Run} {
		if value != "" {
			values.Set(name, value)
		}
	}
	for name, on := range map[string]bool{"flat": f.Flat, "all": f.All} {
		if on {
			values.Set(name, "1")
		}
	}
	if len(values) == 0 {
		return l.prefix + "/"
	}
	return l.prefix + "/?" + values.Encode()
}

// add counts the conversations of a run, and lists those that fit.
func (l *list) add(run Run) {
	group := page.Group{Run: run.ID, URL: l.url(func(f *page.Filter) { f.Run = run.ID })}
	for _, talk := range journal.Conversations(run.Journal.Entries()) {
		if first := talk.Entries[0]; first.Unrouted {
			l.unrouted = append(l.unrouted, page.Unrouted{Request: request(first), Status: first.Answer.Status})
			continue
		}
		row := rowOf(run, talk)
		row.URL = fmt.Sprintf("%s/show/%s/%d", l.prefix, run.ID, talk.Entries[0].Number)
		group.Conversations++
		group.Requests += row.Requests
		if row.Sum.Broken() {
			group.Broken++
		}
		if row.Failing() {
			l.totals.Errors++
		}
		if l.takes(row, talk) {
			l.rows = append(l.rows, row)
		}
	}
	idle := group.Conversations == 0
	if idle && run.Scenario == "" {
		return
	}
	if idle && !l.filter.Set() {
		l.rows = append(l.rows, page.Row{Key: run.ID, Title: run.Scenario, Run: run.ID, Profile: run.Profile, At: run.Started})
	}
	l.runs[run.ID] = group
	l.totals.Runs++
	l.totals.Conversations += group.Conversations
	l.totals.Requests += group.Requests
	l.totals.Broken += group.Broken
}

// takes reports whether a conversation fits the filter.
func (l *list) takes(row page.Row, talk journal.Conversation) bool {
	switch f := l.filter; {
	case f.Run != "" && f.Run != row.Run, f.Only == "broken" && !row.Sum.Broken(), f.Only == "errors" && !row.Failing():
		return false
	case f.Query == "":
		return true
	default:
		return says(row, talk, f.Query)
	}
}

// grouped puts the conversations of a run together, after a head. The run with the latest one is
// first.
func (l *list) grouped(rows []page.Row) []page.Row {
	var order []string
	of := map[string][]page.Row{}
	for _, row := range rows {
		if of[row.Run] == nil {
			order = append(order, row.Run)
		}
		of[row.Run] = append(of[row.Run], row)
	}
	var all []page.Row
	for _, run := range order {
		group := l.runs[run]
		all = append(all, page.Row{Key: "run-" + run, Version: fmt.Sprint(group), Group: &group})
		all = append(all, of[run]...)
	}
	return all
}

func rowOf(run Run, talk journal.Conversation) page.Row {
	first, last := talk.Entries[0], talk.Last()
	row := page.Row{
		Key: fmt.Sprintf("%s-%d", run.ID, first.Number), Title: titleOf(talk), Scenario: first.Scenario, Run: run.ID, Profile: run.Profile,
		Requests: len(talk.Entries), Statuses: statuses(talk), Sum: sumOf(talk), At: first.At, Open: !last.Done,
	}
	if row.Title == row.Scenario {
		row.Scenario = ""
	}
	if first.Profile != nil { // a run may speak several dialects, each in a profile of its own
		row.Profile = first.Profile.Name
	}
	if req := last.Exchange.Request; req != nil {
		row.Model = oneLine(req.Model)
	}
	if last.Done {
		row.Took = page.Span(last.Exchange.End - first.Exchange.Start)
	}
	if row.Failing() {
		row.Note = oneLine(cmp.Or(errorOf(last).message, endings[last.Answer.Ending]))
	}
	row.Version = fmt.Sprint(row.Requests, row.Sum, row.Open, row.Statuses, row.Took, row.Model)
	return row
}

// maxStatuses is how many different answers a row tells, the latest.
const maxStatuses = 3

// statuses are what the requests of a conversation were answered, equal consecutive ones as one.
func statuses(talk journal.Conversation) []page.Status {
	var all []page.Status
	for _, e := range talk.Entries {
		if !e.Done && e.Answer.Status == 0 {
			continue
		}
		s := page.Status{Code: e.Answer.Status, Times: 1, Cut: e.Answer.Ending != journal.Whole}
		if n := len(all) - 1; n >= 0 && all[n].Code == s.Code && all[n].Cut == s.Cut {
			all[n].Times++
			continue
		}
		all = append(all, s)
	}
	return all[max(0, len(all)-maxStatuses):]
}

// maxTitle is how long a title may be, in letters.
const maxTitle = 120

// titleOf names a conversation by what the user said first, as people remember it.
func titleOf(talk journal.Conversation) string {
	return oneLine(cmp.Or(strings.TrimSpace(talk.Prompt()), talk.Title()))
}

func oneLine(text string) string {
	if len(text) > 16*maxTitle { // a megabyte need not be looked through
		text = strings.ToValidUTF8(text[:16*maxTitle], "") + " …"
	}
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxTitle {
		return string(letters[:maxTitle]) + "…"
	}
	return text
}

// says reports whether a text is anywhere in what is said in a conversation, or in how it is
// listed.
func says(row page.Row, talk journal.Conversation, text string) bool {
	has := finder(text)
	if has(row.Title) || has(row.Run) || has(row.Model) || has(row.Profile) || has(row.Scenario) || has(row.Note) {
		return true
	}
	return slices.ContainsFunc(talk.Entries, func(e journal.Entry) bool { return entrySays(e, has) })
}

func entrySays(e journal.Entry, has func(string) bool) bool {
	if has(e.Exchange.Problem) || slices.ContainsFunc(e.Findings, func(f trace.Finding) bool { return has(f.Rule) || has(f.Message) }) {
		return true
	}
	for _, m := range e.New() {
		if has(m.Content.Text) {
			return true
		}
		for _, r := range m.Results {
			if has(r.Content.Text) {
				return true
			}
		}
	}
	said := e.Answer.Said
	if said == nil {
		return has(errorOf(e).message)
	}
	if has(said.Text) {
		return true
	}
	for _, call := range said.Calls {
		if has(call.Name) || has(call.Arguments) {
			return true
		}
	}
	return false
}

// maxSearched is how much of a text is searched.
const maxSearched = 1 << 20

// finder returns what finds a text in others, whatever its capitals.
func finder(text string) func(string) bool {
	wanted := strings.ToLower(text)
	return func(in string) bool {
		return strings.Contains(strings.ToLower(in[:min(len(in), maxSearched)]), wanted)
	}
}

// sumOf counts what was found in a conversation, what is repeated with the history once.
func sumOf(talk journal.Conversation) (s page.Sum) {
	seen := places{}
	for _, e := range talk.Entries {
		s = s.Plus(seen.sum(e))
	}
	return s
}

// places are findings that were counted: a loop sends its history again and again.
type places map[place]bool

type place struct{ rule, pointer, message string }

// sum counts what is wrong with a request and was not before.
func (p places) sum(e journal.Entry) (s page.Sum) {
	if e.Exchange.Problem != "" {
		s.Problems++
	}
	for _, f := range e.Findings {
		at := place{f.Rule, f.Pointer, f.Message}
		if p[at] {
			continue
		}
		p[at] = true
		switch f.Level {
		case trace.Must:
			s.Must++
		case trace.Should:
			s.Should++
		default:
			s.Info++
		}
	}
	return s
}

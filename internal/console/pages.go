package console

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/journal"
)

// policy lets a page load nothing but what we serve.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// show answers with a page.
func show(w http.ResponseWriter, name string, data any) {
	var b bytes.Buffer
	if err := page.Write(&b, name, data); err != nil {
		refuse(w, http.StatusInternalServerError, "the page is broken: %v", err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	w.Write(b.Bytes())
}

// asset answers with a file that pages load.
func (c *console) asset(w http.ResponseWriter, r *http.Request) {
	types := map[string]string{"style.css": "text/css; charset=utf-8", "live.js": "text/javascript; charset=utf-8"}
	name := mux.Vars(r)["name"]
	data := page.Asset(name)
	if data == nil {
		refuse(w, http.StatusNotFound, "there is no file %q", name)
		return
	}
	w.Header().Set("Content-Type", types[name])
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(data)
}

// home sends a browser that forgot the slash to the page of all runs.
func (c *console) home(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, c.prefix+"/", http.StatusMovedPermanently)
}

// live fills in what all pages share. run is that whose changes matter, or "".
func (c *console) live(title, run string) page.Live {
	l := page.Live{Title: title, Prefix: c.prefix, Events: c.prefix + "/events", State: c.state(run), Version: c.provider.Version()}
	if run != "" {
		l.Events += "?run=" + run // of letters, digits, dots, _ and -
	}
	return l
}

// maxRows bounds how many conversations and strays are listed.
const maxRows = 200

// pageOfRuns shows all conversations, the latest first.
func (c *console) pageOfRuns(w http.ResponseWriter, r *http.Request) {
	p := page.Runs{Live: c.live("Conversations", ""), BaseURL: baseOf(r)}
	for _, run := range c.provider.ShownRuns() {
		rows := 0
		for _, talk := range journal.Conversations(run.Journal.Entries()) {
			if first := talk.Entries[0]; first.Stray {
				p.Strays = append(p.Strays, page.Stray{Method: first.Method, Target: first.Target, Problem: first.Exchange.Problem, Status: first.Answer.Status, At: first.At})
				continue
			}
			p.Rows = append(p.Rows, c.row(run, talk))
			rows++
		}
		if rows == 0 && run.Scenario != "" {
			p.Rows = append(p.Rows, page.Row{Key: run.ID, Title: run.Scenario, Run: run.ID, Profile: run.Profile, At: run.Started})
		}
	}
	slices.SortStableFunc(p.Rows, func(a, b page.Row) int { return b.At.Compare(a.At) })
	if len(p.Rows) > maxRows {
		p.Rows, p.More = p.Rows[:maxRows], len(p.Rows)-maxRows
	}
	if len(p.Strays) > maxRows {
		p.Strays = p.Strays[len(p.Strays)-maxRows:]
	}
	show(w, "runs.tmpl", p)
}

func (c *console) row(run Run, talk journal.Conversation) page.Row {
	first, last := talk.Entries[0], talk.Last()
	row := page.Row{
		Key: fmt.Sprintf("%s-%d", run.ID, first.Number), Title: oneLine(talk.Title()), Run: run.ID, Profile: run.Profile,
		URL:      fmt.Sprintf("%s/show/%s/%d", c.prefix, run.ID, first.Number),
		Requests: len(talk.Entries), Sum: sumOf(talk), At: first.At, Open: !last.Over,
	}
	if first.Profile != nil { // a run may speak several dialects, each in a profile of its own
		row.Profile = first.Profile.Name
	}
	if last.Over {
		row.Took = page.Span(last.Exchange.End - first.Exchange.Start)
	}
	row.Version = fmt.Sprint(row.Requests, row.Sum, row.Open)
	return row
}

// maxTitle is how long a title may be, in letters.
const maxTitle = 120

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxTitle {
		return string(letters[:maxTitle]) + "…"
	}
	return text
}

// sumOf counts what was found in a conversation, what is repeated with the history once.
func sumOf(talk journal.Conversation) (s page.Sum) {
	type place struct{ rule, pointer, message string }
	seen := map[place]bool{}
	for _, e := range talk.Entries {
		if e.Exchange.Problem != "" {
			s.Problems++
		}
		for _, f := range e.Findings {
			at := place{f.Rule, f.Pointer, f.Message}
			if seen[at] {
				continue
			}
			seen[at] = true
			switch f.Level {
			case trace.Must:
				s.Must++
			case trace.Should:
				s.Should++
			default:
				s.Info++
			}
		}
	}
	return s
}

// pageOfConversation shows the conversation to which a request belongs.
func (c *console) pageOfConversation(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	number, _ := strconv.Atoi(mux.Vars(r)["number"])
	for _, talk := range journal.Conversations(run.Journal.Entries()) {
		if slices.ContainsFunc(talk.Entries, func(e journal.Entry) bool { return e.Number == number }) {
			show(w, "conversation.tmpl", c.conversation(run, talk))
			return
		}
	}
	refuse(w, http.StatusNotFound, "the run %s has no request %d, or has forgotten it", run.ID, number)
}

func (c *console) conversation(run Run, talk journal.Conversation) page.Conversation {
	first := talk.Entries[0]
	p := page.Conversation{
		Live: c.live(oneLine(talk.Title()), run.ID), Run: run.ID, Scenario: first.Scenario, Profile: run.Profile,
		Dialect: run.Dialect, Lenient: run.Lenient, At: first.At, Sum: sumOf(talk),
		JSON: c.prefix + "/requests?run=" + run.ID,
	}
	if first.Profile != nil {
		p.Profile, p.Dialect = first.Profile.Name, first.Profile.Dialect
	}
	for i := range talk.Entries {
		p.Turns = append(p.Turns, c.turn(talk, i))
	}
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

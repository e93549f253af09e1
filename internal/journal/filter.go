package journal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Filter selects requests. A field that is not set selects all; several that are set must all fit.
// Those called patterns take * and **. What is new in a request is what is after the model's last
// message in it: since a history is sent again and again, a result is new in one request and old in
// all that follow.
type Filter struct {
	Run      string `json:"run,omitempty"`      // id of the run
	Path     string `json:"path,omitempty"`     // pattern of the URL's path
	Model    string `json:"model,omitempty"`    // pattern of the model that is asked for
	Scenario string `json:"scenario,omitempty"` // pattern of the scenario's id
	Status   string `json:"status,omitempty"`   // that was answered: 400, or 4xx
	Outcome  string `json:"outcome,omitempty"`  // what became of it, in the word of [Entry.Outcome]
	Contains string `json:"contains,omitempty"` // a text anywhere in the messages
	User     string `json:"user,omitempty"`     // a text in what the user says that is new
	Result   string `json:"result,omitempty"`   // a text in a tool result that is new
	Tool     string `json:"tool,omitempty"`     // name of the tool of which a new result is; with Result, of that one
	Answer   string `json:"answer,omitempty"`   // a text in what the model answers
	Called   string `json:"called,omitempty"`   // name of a tool that the model calls in its answer
	Rule     string `json:"rule,omitempty"`     // pattern of the id of a rule that the request breaks
	Level    string `json:"level,omitempty"`    // must, should or info: of a rule that the request breaks
	After    int    `json:"after,omitempty"`    // only requests of a higher number
	Unrouted bool   `json:"unrouted,omitempty"` // also requests that reached no conversation
}

// Of returns the entries that the filter selects.
func (f Filter) Of(entries []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !f.Takes(e) })
}

// maxAlternatives is how many alternatives a pattern has. All combinations of them are tried, on
// each request.
const maxAlternatives = 24

// Check returns an error when the filter can never select anything.
func (f Filter) Check() error {
	for _, p := range []struct{ name, pattern string }{{"path", f.Path}, {"model", f.Model}, {"scenario", f.Scenario}, {"rule", f.Rule}} {
		if !doublestar.ValidatePattern(p.pattern) {
			return fmt.Errorf("%s: %q is not a pattern", p.name, p.pattern)
		}
		if n := strings.Count(p.pattern, "{") + strings.Count(p.pattern, ","); strings.Contains(p.pattern, "{") && n > maxAlternatives {
			return fmt.Errorf("%s: the pattern has %d alternatives in braces, and may have %d: ask in several questions", p.name, n, maxAlternatives)
		}
	}
	if s := f.Status; s != "" && (len(s) != 3 || s[0] < '1' || s[0] > '5' || strings.Trim(s[1:], "0123456789x") != "") {
		return fmt.Errorf("status: %q is neither a status like 400 nor a class like 4xx", s)
	}
	if f.Outcome != "" && !slices.Contains(Outcomes(), f.Outcome) {
		return fmt.Errorf("outcome: %q is none of %s", f.Outcome, strings.Join(Outcomes(), ", "))
	}
	if l := f.Level; l != "" && !slices.Contains([]trace.Level{trace.Must, trace.Should, trace.Info}, trace.Level(l)) {
		return fmt.Errorf("level: %q is none of must, should, info", l)
	}
	return nil
}

// Takes reports whether the filter selects an entry. It reads a request that is compact only where
// it asks for what that says.
func (f Filter) Takes(e Entry) bool {
	return (!e.Unrouted || f.Unrouted || f.Outcome == "unrouted") && e.Number > f.After && (f.Run == "" || f.Run == e.Run) &&
		matches(f.Path, e.Path()) && matches(f.Scenario, e.Scenario) && f.takesStatus(e) && f.takesOutcome(e) &&
		f.takesAnswer(e) && f.takesFindings(e) && f.takesRequest(e) // which may read it
}

func matches(pattern, text string) bool {
	ok, _ := doublestar.Match(pattern, text)
	return pattern == "" || ok
}

func (f Filter) takesStatus(e Entry) bool {
	status := fmt.Sprintf("%03d", e.Answer.Status)
	for i, c := range []byte(f.Status) {
		if c != 'x' && c != status[i] {
			return false
		}
	}
	return true
}

// takesOutcome looks at the outcome. A request that asks for one that is known only at the end is
// not selected before.
func (f Filter) takesOutcome(e Entry) bool {
	return f.Outcome == "" || f.Outcome == e.Outcome() && (e.Done || f.Outcome != answered)
}

// ReadsRequests reports whether the filter selects by what is said in a request, so that each has
// to be read.
func (f Filter) ReadsRequests() bool {
	return f.Contains != "" || f.User != "" || f.Result != "" || f.Tool != ""
}

func (f Filter) takesRequest(e Entry) bool {
	if f.Model == "" && !f.ReadsRequests() {
		return true
	}
	model, read := e.model()
	read = read || e.API == MCP
	return read && matches(f.Model, model) && (!f.ReadsRequests() || f.takesMessages(e))
}

func (f Filter) takesMessages(e Entry) bool {
	if e.API == MCP {
		return f.Contains == "" && f.User == "" && slices.ContainsFunc(e.NewResults(), f.takesResult)
	}
	e = e.Expanded()
	req := e.Exchange.Request
	return req != nil &&
		(f.Contains == "" || slices.ContainsFunc(req.Messages, func(m wire.Message) bool { return strings.Contains(textOf(m), f.Contains) })) &&
		(f.User == "" || slices.ContainsFunc(e.NewUserTexts(), func(t string) bool { return strings.Contains(t, f.User) })) &&
		(f.Result == "" && f.Tool == "" || slices.ContainsFunc(e.NewResults(), f.takesResult))
}

func (f Filter) takesResult(r Result) bool {
	return (f.Tool == "" || f.Tool == r.Tool) && strings.Contains(r.Text, f.Result)
}

func (f Filter) takesAnswer(e Entry) bool {
	if f.Answer == "" && f.Called == "" {
		return true
	}
	said := e.Answer.Said
	return said != nil && strings.Contains(said.Text, f.Answer) &&
		(f.Called == "" || slices.ContainsFunc(said.Calls, func(c wire.AnswerCall) bool { return c.Name == f.Called }))
}

func (f Filter) takesFindings(e Entry) bool {
	if f.Rule == "" && f.Level == "" {
		return true
	}
	return slices.ContainsFunc(e.Findings, func(found trace.Finding) bool {
		return matches(f.Rule, found.Rule) && (f.Level == "" || trace.Level(f.Level) == found.Level)
	})
}

// textOf returns all that a message says: its text, its results, its calls.
func textOf(m wire.Message) string {
	var b strings.Builder
	b.WriteString(m.Content.Text)
	for _, r := range m.Results {
		b.WriteString("\n" + r.Content.Text)
	}
	for _, c := range m.Calls {
		b.WriteString("\n" + c.Name + " " + c.Arguments)
	}
	return b.String()
}

// Result is a tool result that a request carries.
type Result struct {
	CallID string
	Tool   string // "" when no call of that id is in the history
	Text   string
}

// NewResults returns the tool results of a request that are new.
func (e Entry) NewResults() []Result {
	if e.API == MCP {
		return e.resultOfMCP()
	}
	var results []Result
	for _, m := range e.New() {
		for _, r := range m.Results {
			result := Result{CallID: r.CallID, Text: r.Content.Text}
			if c := call(e.Exchange.Request, r.CallID); c != nil {
				result.Tool = c.Name
			}
			results = append(results, result)
		}
	}
	return results
}

// NewUserTexts returns what the user says in a request that is new.
func (e Entry) NewUserTexts() []string {
	var texts []string
	for _, m := range e.New() {
		if m.Role == wire.User && m.Content.Text != "" {
			texts = append(texts, m.Content.Text)
		}
	}
	return texts
}

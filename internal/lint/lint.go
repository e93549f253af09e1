// Package lint judges saved requests: it says what each provider answers to them, and which rules
// they break.
//
//	result := lint.Check(ctx, saved, profiles.Of("chat", profiles.All()))
//	for _, a := range result.Answers {
//		fmt.Println(a.Profile, a.Status, a.Message)
//	}
package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Result is what is said of one saved request.
type Result struct {
	File    string `json:"file"`
	Line    int    `json:"line"`              // on which the request begins, from 1
	Place   string `json:"place,omitempty"`   // JSON pointer of the request in the file
	Dialect string `json:"dialect"`           // the name of the wire API
	Guessed bool   `json:"guessed,omitempty"` // other dialects are as likely
	List    bool   `json:"list,omitempty"`    // only the messages were saved
	Model   string `json:"model,omitempty"`

	Speaks   *wire.Dialect `json:"-"` // the wire API itself
	Messages int           `json:"messages"`
	Tools    int           `json:"tools"`

	// Problem says what is wrong with the text of the request: it is not JSON, or has a key twice.
	Problem string `json:"problem,omitempty"`
	Column  int    `json:"column,omitempty"` // of the problem, on the line that it names; 0: it has no such place

	// Hints are keys that are no keys of the API, and are like one that is.
	Hints []Hint `json:"hints,omitempty"`

	Answers  []Answer  `json:"answers"`  // one for each profile
	Findings []Finding `json:"findings"` // the gravest first

	places map[findingKey]int // of the findings
}

// findingKey is what findings have in common that are one, under several profiles.
type findingKey struct{ rule, pointer, message string }

// Hint is a key of a request that may be meant for another one.
type Hint struct {
	Key     string `json:"key"`
	Meant   string `json:"meant"`
	Pointer string `json:"pointer"`
	Line    int    `json:"line"`
}

// Answer is what the provider of a profile answers to a request: an error, or with the status 0
// that it accepts it.
type Answer struct {
	Profile string `json:"profile"`
	Status  int    `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
	Rule    string `json:"rule,omitempty"`

	// KnownBy and Sources tell how that is known. OurWords says that the words of the provider were
	// not found out.
	KnownBy  string   `json:"known_by,omitempty"`
	Sources  []string `json:"sources,omitempty"`
	OurWords bool     `json:"our_words,omitempty"`
}

// Finding is one violation of a rule.
type Finding struct {
	Rule     string      `json:"rule"`
	Level    trace.Level `json:"level"` // the highest under the profiles
	Text     string      `json:"text"`  // of the rule
	Message  string      `json:"message"`
	Expected string      `json:"expected,omitempty"`
	Actual   string      `json:"actual,omitempty"`
	Pointer  string      `json:"pointer"` // into the request, or into the list of messages
	Line     int         `json:"line"`
	Profiles []string    `json:"profiles"` // under which it has this level
}

// AllProfiles is the word for all profiles of a dialect, where profiles are named.
const AllProfiles = "all"

// Chosen returns those of the named profiles that speak a dialect; no names stand for its standard
// one. A name that is not known counts for nothing.
func Chosen(d *wire.Dialect, names []string, known profiles.Known) (chosen []*profiles.Profile) {
	switch {
	case slices.Contains(names, AllProfiles):
		return profiles.Of(d.Name, known.All())
	case len(names) == 0:
		names = []string{d.Standard}
	}
	for _, name := range names {
		if p, err := known.Find(name); err == nil && p.Dialect == d.Name {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// Check judges a saved request under profiles of its dialect.
func Check(ctx context.Context, saved savedrequests.Request, all []*profiles.Profile) Result {
	r := Result{
		Line: saved.Line(0), Place: saved.Place, Dialect: saved.Dialect.Name, Speaks: saved.Dialect, Guessed: !saved.Sure, List: saved.List,
		Answers: []Answer{}, Findings: []Finding{}, places: map[findingKey]int{},
	}
	if saved.Broken != nil {
		r.Problem, r.Line, r.Column = saved.Broken.String(), saved.Broken.Line, saved.Broken.Column
	}
	if saved.Body == nil {
		for _, p := range all {
			r.Answers = append(r.Answers, unreadable(saved, p))
		}
		return r
	}
	req, err := saved.Dialect.Read(saved.Body)
	if err == nil {
		err = req.Body.DoubledKey()
	}
	if err != nil {
		r.Problem = err.Error()
		return r
	}
	if saved.URL != nil {
		req.NoteURL(saved.URL)
	}
	all = forModel(req, all)
	r.Model, r.Messages, r.Tools = req.Model, len(req.Messages), len(req.Tools)
	if !saved.List {
		r.Hints = hints(saved, req)
	}
	for _, p := range all {
		if saved.Broken != nil && !slices.Contains(p.Errors.NotJSON.Takes, saved.Broken.Kind) {
			r.Answers = append(r.Answers, unreadable(saved, p))
		} else {
			r.Answers = append(r.Answers, answer(ctx, saved, p, req))
		}
		for _, f := range rulebook.CheckRequest(ctx, p, nil, &trace.Exchange{Number: 1, Request: req}) {
			if !saysTooLittle(req, f.Rule) {
				r.add(saved, p, req, f)
			}
		}
	}
	r.places = nil // which the order changes
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(rank(a.Level), rank(b.Level)), cmp.Compare(a.Line, b.Line))
	})
	return r
}

// forModel puts a profile that is about the model of a request into the place of the one that it is
// like otherwise.
func forModel(req *wire.Request, chosen []*profiles.Profile) []*profiles.Profile {
	model := req.Model[strings.LastIndexByte(req.Model, '/')+1:]
	if model == "" {
		return chosen
	}
	for _, own := range profiles.Of(req.Dialect.Name, profiles.All()) {
		at := slices.IndexFunc(chosen, func(p *profiles.Profile) bool { return p.Name == own.Like })
		there := slices.ContainsFunc(chosen, func(p *profiles.Profile) bool { return p.Name == own.Name })
		about := slices.ContainsFunc(own.Models, func(begin string) bool { return strings.HasPrefix(model, begin) })
		if at >= 0 && about && !there {
			chosen = slices.Clone(chosen)
			chosen[at] = own
		}
	}
	return chosen
}

// saysTooLittle reports whether a rule is about calls and results that a request does not show,
// since it continues a conversation that the provider keeps.
func saysTooLittle(req *wire.Request, rule string) bool {
	form := req.Dialect.KeptHistory
	if form == nil || !strings.HasPrefix(rule, "pairing/") {
		return false
	}
	continued := form.Continues(req)
	return continued != nil && !continued.Begins && !continued.ByDefault
}

// rank orders levels, the gravest first.
func rank(l trace.Level) int {
	return slices.Index([]trace.Level{trace.Must, trace.Should, trace.Info}, l)
}

// answer returns what a provider answers. What is missing in a request of which only the messages
// were saved does not count.
func answer(ctx context.Context, saved savedrequests.Request, p *profiles.Profile, req *wire.Request) Answer {
	for refused := range rulebook.Refusals(ctx, p, req) {
		if _, inside := saved.Pointer(refused.Finding.Pointer); !inside || saysTooLittle(req, refused.Rule) {
			continue
		}
		return Answer{
			Profile: p.Name, Status: refused.Status, Message: refused.Message, Rule: refused.Rule,
			KnownBy: refused.Known.How(), Sources: refused.Known.Sources, OurWords: refused.OurWords,
		}
	}
	return Answer{Profile: p.Name}
}

// add adds a finding under a profile, or notes the profile in the one that is there.
func (r *Result) add(saved savedrequests.Request, p *profiles.Profile, req *wire.Request, f trace.Finding) {
	pointer, inside := saved.Pointer(f.Pointer)
	if !inside {
		return
	}
	key := findingKey{f.Rule, pointer, f.Message}
	known, again := r.places[key]
	if !again {
		r.places[key] = len(r.Findings)
		r.Findings = append(r.Findings, Finding{
			Rule: f.Rule, Level: f.Level, Text: rulebook.Lookup(f.Rule).Text, Message: f.Message, Expected: f.Expected, Actual: f.Actual,
			Pointer: pointer, Line: saved.Line(nearest(req.Body, f.Pointer).Offset()), Profiles: []string{p.Name},
		})
		return
	}
	other := &r.Findings[known]
	switch c := cmp.Compare(rank(f.Level), rank(other.Level)); {
	case c < 0:
		other.Level, other.Profiles = f.Level, []string{p.Name}
	case c == 0:
		other.Profiles = append(other.Profiles, p.Name)
	}
}

// nearest returns the value at a pointer, or where there is none the innermost one above it.
func nearest(body *wire.Node, pointer string) *wire.Node {
	for {
		if n := body.At(pointer); n != nil || pointer == "" {
			return n
		}
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	}
}

// Refused reports whether a provider refuses the request.
func (r *Result) Refused() bool {
	return slices.ContainsFunc(r.Answers, func(a Answer) bool { return a.Status > 0 })
}

// Fails reports whether the request cannot be judged, is refused, or breaks a must.
func (r *Result) Fails() bool {
	return r.Problem != "" && len(r.Answers) == 0 || r.Refused() || slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == trace.Must })
}

// Where says where in a file a request is: "line 3", "/log/entries/2/request/postData/text".
func (r *Result) Where() string {
	if r.Place != "" {
		return r.Place
	}
	return fmt.Sprintf("line %d", r.Line)
}

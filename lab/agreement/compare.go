package agreement

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Verdict says how two answers to one body compare.
type Verdict string

// The verdicts. FalseRefusal is the worst: the mock refuses what the real code takes, and a correct
// loop fails.
const (
	BothTake     Verdict = "both take it"
	BothRefuse   Verdict = "both refuse it"
	OtherStatus  Verdict = "refused with another status"
	FalseRefusal Verdict = "false refusal"
	NotRefused   Verdict = "not refused"
)

// Row compares the answers to one body.
type Row struct {
	Body    Body
	Verdict Verdict
	Real    Answer
	Ours    Reply

	// SameEnvelope, SameType and SameWords compare the bodies of two refusals.
	SameEnvelope, SameType, SameWords bool
}

// Table compares a profile with the code of its server.
type Table struct {
	*Result
	Rows  []Row
	Stale []Body // for which no answer of the real code is stored
}

// Compare asks the mock provider, under the profile of a result, what the real code was asked.
func Compare(r *Result) (*Table, error) {
	mock, err := newMock(r)
	if err != nil {
		return nil, err
	}
	t := &Table{Result: r}
	for _, b := range Bodies(r.Dialect) {
		if !r.Asks(b) {
			continue
		}
		real, known := r.Answer(b)
		if !known {
			t.Stale = append(t.Stale, b)
			continue
		}
		if real.LeftOut == "" {
			t.Rows = append(t.Rows, compare(b, real, mock.ask(b)))
		}
	}
	return t, nil
}

func compare(b Body, real Answer, ours Reply) Row {
	row := Row{Body: b, Real: real, Ours: ours}
	switch {
	case !real.Refused() && !ours.Refused():
		row.Verdict = BothTake
	case !real.Refused():
		row.Verdict = FalseRefusal
	case !ours.Refused():
		row.Verdict = NotRefused
	case real.Status != ours.Status:
		row.Verdict = OtherStatus
	default:
		row.Verdict = BothRefuse
	}
	if real.Refused() && ours.Refused() {
		row.SameEnvelope = slices.Equal(keys(real.Error), keys(ours.Error))
		row.SameType = field(real.Error, "type") == field(ours.Error, "type")
		row.SameWords = Words(real.Error) == Words(ours.Error)
	}
	return row
}

// Count returns how many bodies have one of some verdicts.
func (t *Table) Count(verdicts ...Verdict) int {
	return t.count(func(r Row) bool { return slices.Contains(verdicts, r.Verdict) })
}

func (t *Table) count(is func(Row) bool) (n int) {
	for _, row := range t.Rows {
		if is(row) {
			n++
		}
	}
	return n
}

// Refused returns how many bodies the real code refuses, and how many of those the mock refuses
// with the same status.
func (t *Table) Refused() (all, same int) {
	return t.Count(BothRefuse, OtherStatus, NotRefused), t.Count(BothRefuse)
}

// Words returns the message of an error, whatever its envelope.
func Words(text []byte) string {
	if m := field(text, "message"); m != "" {
		return m
	}
	var words string
	if json.Unmarshal(text, &words) == nil {
		return words
	}
	return string(text)
}

// field returns a text of an error: at the top, or in the object error.
func field(text []byte, key string) string {
	var doc map[string]any
	if json.Unmarshal(text, &doc) != nil {
		return ""
	}
	if inner, ok := doc["error"].(map[string]any); ok {
		doc = inner
	}
	value, _ := doc[key].(string)
	return strings.TrimSpace(value)
}

// keys returns the paths of all keys of an error.
func keys(text []byte) (found []string) {
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		o, _ := v.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(o)) {
			found = append(found, prefix+key)
			walk(prefix+key+".", o[key])
		}
	}
	var doc any
	if json.Unmarshal(text, &doc) == nil {
		walk("", doc)
	}
	return found
}

// mock is the mock provider under one profile, with a script that answers every request.
type mock struct {
	provider *engine.Provider
	path     string
}

const answersAll = "loopproof: 1\ntitle: Answers everything\nmodel:\n  - when: {}\n    text: fine\n"

// paths are those of the dialects.
var paths = map[string]string{"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses", "gemini": "/v1beta/models/m:generateContent"}

func newMock(r *Result) (*mock, error) {
	profile, err := profiles.Get(r.Profile)
	if err != nil {
		return nil, err
	}
	if profile.Dialect != r.Dialect {
		return nil, fmt.Errorf("the stored answers of %s are in the dialect %s, the profile is of %s", r.Code, r.Dialect, profile.Dialect)
	}
	script, err := scenarios.Parse("any.yaml", []byte(answersAll), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		return nil, err
	}
	p := engine.New(engine.Config{Profile: profile, Scenarios: []*scenarios.Scenario{script}, AllowImpossible: true})
	return &mock{p, paths[r.Dialect]}, nil
}

func (m *mock) ask(b Body) Reply {
	request := httptest.NewRequest(http.MethodPost, m.path, bytes.NewReader(b.Body))
	for name, value := range Headers() {
		request.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	m.provider.ServeHTTP(answer, request)
	reply := Reply{Status: answer.Code}
	if reply.Refused() {
		reply.Error = answer.Body.Bytes()
	}
	return reply
}

// Headers returns the headers of every request, to the real code and to the mock.
func Headers() map[string]string {
	return map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer any", "X-Api-Key": "any", "Anthropic-Version": "2023-06-01",
	}
}

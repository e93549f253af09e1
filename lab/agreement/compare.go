package agreement

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/engine/oracles"
	"github.com/loopproof/loopproof/internal/profiles"
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
		if !r.Asks(b.Class()) {
			continue
		}
		real, known := r.Answer(b.ID, b.Digest())
		if !known {
			t.Stale = append(t.Stale, b)
			continue
		}
		if real.LeftOut == "" {
			t.Rows = append(t.Rows, compare(b, real, ask(mock, b)))
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

// newMock returns the mock provider under the profile of a result.
func newMock(r *Result) (*oracles.Mock, error) {
	profile, err := profiles.Get(r.Profile)
	if err != nil {
		return nil, err
	}
	if profile.Dialect != r.Dialect {
		return nil, fmt.Errorf("the stored answers of %s are in the dialect %s, the profile is of %s", r.Code, r.Dialect, profile.Dialect)
	}
	return oracles.NewMock(profile)
}

// ask returns what the mock provider answers to a body.
func ask(mock *oracles.Mock, b Body) Reply {
	answer := mock.Ask(b.Body)
	reply := Reply{Status: answer.Code}
	if reply.Refused() {
		reply.Error = answer.Body.Bytes()
	}
	return reply
}

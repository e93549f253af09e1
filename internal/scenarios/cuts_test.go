package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

const cutEverywhere = `
needs: [streaming]
deliveries: [sse]
model:
  - text: Done.
    cut: {after: each event}
`

// TestCuts: of a stream of two events before the one with the finish reason each place is tried,
// and that word never comes.
func TestCuts(t *testing.T) {
	s, p := scenario(t, cutEverywhere), profile(t, "openai")
	events := []wire.Event{{Comment: " hello"}, {Data: []byte("a")}, {Data: []byte("b")}, {Data: []byte("c"), Finish: true}, {Data: []byte("d")}}
	for _, c := range []struct {
		place int
		want  string
		torn  bool
	}{
		{0, "ab", false}, // as it is played outside of a suite
		{1, "", false},
		{2, "a", true},
		{3, "a", false},
		{4, "ab", true},
		{5, "ab", false},
		{6, "abc", true},
		{7, "abc", true}, // the stream has fewer events than were planned
		{9, "abc", true},
	} {
		turn := scenarios.Compile(s, p, "secret").CutAt(c.place).Turns[0]
		kept, torn := turn.CutOff(events)
		var got strings.Builder
		for _, e := range kept {
			got.Write(e.Data)
		}
		if got.String() != c.want || torn != c.torn || !turn.Breaks() {
			t.Errorf("at the place %d there is %q, torn %v; want %q, %v", c.place, got.String(), torn, c.want, c.torn)
		}
	}
}

// TestTwoStepsOfCuts: the places of two steps would be all pairs of them.
func TestTwoStepsOfCuts(t *testing.T) {
	text := "loopproof: 1\ntitle: Test\nprompt: Go." + cutEverywhere + "  - text: More.\n    cut: {after: each event}\n"
	_, err := scenarios.Parse("x.yaml", []byte(text), vocabulary)
	if want := "x.yaml:10:10: a scenario has one step that is cut after each event"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// TestNumberOfCuts counts two for each event up to the one with the finish reason.
func TestNumberOfCuts(t *testing.T) {
	for _, c := range []struct {
		rest string
		want int
	}{
		{cutEverywhere, 8}, // the opening, two pieces, the finish reason
		{strings.Replace(cutEverywhere, "each event", "3 events", 1), 0},
		{"model: [{text: Done.}]", 0},
	} {
		if got := scenario(t, c.rest).Cuts(profile(t, "openai")); got != c.want {
			t.Errorf("%d cuts, want %d, of\n%s", got, c.want, c.rest)
		}
	}
}

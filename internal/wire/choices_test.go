package wire_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestChoices(t *testing.T) {
	two := wire.Choices{Key: "choices", Count: 2}
	for _, c := range []struct {
		choices    wire.Choices
		in, answer string
	}{
		{two, `{"choices":[{"index":0,"a":1}],"usage":{}}`, `{"choices":[{"index":0,"a":1},{"index":1,"a":1}],"usage":{}}`},
		{two, `{"choices":[{"a":1}]}`, `{"choices":[{"a":1},{"a":1,"index":1}]}`},
		{two, `{"choices":[]}`, `{"choices":[]}`},
		{two, `{"error":{}}`, `{"error":{}}`},
		{wire.Choices{Key: "choices", Count: 1}, `{"choices":[ {}]}`, `{"choices":[ {}]}`},
		{wire.Choices{Count: 2}, `{}`, `{}`},
	} {
		if got := string(c.choices.Whole([]byte(c.in))); got != c.answer {
			t.Errorf("%s becomes %s, want %s", c.in, got, c.answer)
		}
	}
	events := two.Events([]wire.Event{{Comment: "a"}, {Data: []byte(`{"choices":[{"index":0,"d":1}]}`), Finish: true}, {Data: []byte(`{"choices":[],"usage":{}}`)}})
	var all string
	for _, e := range events {
		all += string(e.Data) + "|"
	}
	if want := `|{"choices":[{"index":0,"d":1}]}|{"choices":[{"index":1,"d":1}]}|{"choices":[],"usage":{}}|`; all != want || !events[1].Finish || events[2].Finish {
		t.Errorf("the events are %s, want %s", all, want)
	}
}

package history_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/history"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestPrefixOf(t *testing.T) {
	const (
		first  = `with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{}}}}]}`
		turned = `with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"properties":{},"type":"object"}}}]}`
	)
	for name, c := range map[string]struct {
		in      Setting
		run     string
		lost    string // the whole, a part or nothing
		was     string // pointer into the request before
		request int
	}{
		"a conversation that only grows": {in: TwoRounds, run: TwoRoundsDone, lost: "nothing"},
		"a single request":               {in: NoTools, run: NoToolsDone, lost: "nothing"},
		"the mark of a cache moves on": {in: OneCity, lost: "nothing", run: `
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?","cache_control":{"type":"ephemeral"}}]}
			asks
				{"role":"user","content":"What is the weather in Oslo?"}
				calls oslo
				result oslo
			completed`},
		"keys of a schema change places": {in: OneCity, lost: "the whole", was: "/tools/0", request: 2, run: `
			asks ` + first + `
			asks on ` + turned + `
				calls oslo
				result oslo
			completed`},
		"the time is in the system prompt": {in: Instructed, lost: "the whole", was: "/messages/0", request: 2, run: `
			asks without tools
				system: It is 12:00.
				prompt 1
			asks without tools
				system: It is 12:01.
				prompt 1
				calls oslo
				result oslo
			completed`},
		"an old result is cleared": {in: TwoRounds, lost: "a part", was: "/messages/2", request: 3, run: `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				result oslo: [cleared]
				calls lima
				result lima
			completed`},
	} {
		t.Run(name, func(t *testing.T) {
			p := history.PrefixOf(c.in.Play(t, c.run))
			lost := "a part"
			switch p.Lost {
			case 0:
				lost = "nothing"
			case p.Bytes:
				lost = "the whole"
			}
			if lost != c.lost || (p.First == nil) != (c.lost == "nothing") {
				t.Fatalf("%d of %d bytes are lost: %s, want %s", p.Lost, p.Bytes, lost, c.lost)
			}
			if p.First != nil && (p.First.Was.Pointer != c.was || p.First.After.Number != c.request) {
				t.Errorf("it is broken at %s in request %d, want %s in %d", p.First.Was.Pointer, p.First.After.Number, c.was, c.request)
			}
		})
	}
}

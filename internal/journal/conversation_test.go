package journal_test

import (
	"fmt"
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
)

func TestConversations(t *testing.T) {
	const other = `{"role":"user","content":"And in Lima?"}`
	for name, c := range map[string]struct {
		requests [][]string
		want     string
	}{
		"one":                             {[][]string{{asks}, {asks, calls, results}, {asks, calls, results, says, thanks}}, "[1 2 3]"},
		"two after each other":            {[][]string{{asks}, {asks, calls, results}, {asks}, {asks, calls, results}}, "[1 2] [3 4]"},
		"two at once":                     {[][]string{{asks}, {other}, {asks, calls, results}, {other, says, thanks}}, "[1 3] [2 4]"},
		"the same again after an answer":  {[][]string{{asks, "ok"}, {asks, "ok"}, {asks, calls, results}}, "[1] [2 3]"},
		"the same again":                  {[][]string{{asks}, {asks}, {asks, calls, results}}, "[1 2 3]"},
		"the history was changed":         {[][]string{{asks, calls, results}, {asks, says, results, thanks}}, "[1 2]"},
		"the furthest history is taken":   {[][]string{{asks, says}, {asks, calls}, {asks, says, thanks}}, "[1 3] [2]"},
		"what is shorter is another":      {[][]string{{asks, calls, results}, {asks}}, "[1] [2]"},
		"another system prompt, the same": {[][]string{{`{"role":"system","content":"It is 1."}`, asks}, {`{"role":"system","content":"It is 2."}`, asks, calls, results}}, "[1 2]"},
	} {
		t.Run(name, func(t *testing.T) {
			j := open(journal.Options{})
			for _, messages := range c.requests {
				ok := messages[len(messages)-1] == "ok"
				if ok {
					messages = messages[:len(messages)-1]
				}
				note := j.Add(new(entry(t, messages...)))
				if ok || len(messages) > 1 {
					note.Answered(answered(journal.Entry{}, 200, "Yes.").Answer)
				}
			}
			got := ""
			for i, c := range journal.Conversations(j.Entries()) {
				if i > 0 {
					got += " "
				}
				got += numbers(c.Entries)
			}
			if got != c.want {
				t.Errorf("the conversations are %s, want %s", got, c.want)
			}
		})
	}
}

func TestConversationTitle(t *testing.T) {
	named, unrouted := entry(t, asks), journal.Entry{Method: "GET", Target: "/favicon.ico?x=1", Unrouted: true}
	named.Scenario = "weather/oslo"
	for want, e := range map[string]journal.Entry{
		"weather/oslo":                 named,
		"What is the weather in Oslo?": entry(t, asks),
		"GET /favicon.ico":             unrouted,
	} {
		if got := journal.Conversations([]journal.Entry{e})[0].Title(); got != want {
			t.Errorf("the title is %q, want %q", got, want)
		}
	}
}

func TestResent(t *testing.T) {
	c := journal.Conversation{Entries: []journal.Entry{
		entry(t, asks), entry(t, asks, calls, results), entry(t, asks, says, results, thanks), {},
	}}
	got := ""
	for i := range c.Entries {
		same, changed := c.Resent(i)
		got += fmt.Sprint(same, changed, " ")
	}
	if got != "0 false 1 false 1 true 0 false " {
		t.Errorf("resent: %s", got)
	}
}

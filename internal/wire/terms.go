package wire

import (
	"fmt"
	"strings"
)

// Terms are the words of a dialect for what each of them has in some form. Findings use those of
// their own dialect; a test fails where one speaks those of another.
type Terms struct {
	Stop      string // the key of an answer that says why the model stopped: stop_reason
	Answers   string // the key under which an answer is in a response: choices, or "" if it is the response itself
	Call      string // the key, or the type, of a tool call: tool_calls
	Result    string // the key, or the type, of what answers one: tool_call_id
	Failed    string // how a result says that its tool failed, or "" if it cannot: "is_error":true
	EndOfTurn string // what ends a stream: [DONE], or the name of the last event; "": the stream just ends

	OwnStops bool // the words for the reasons to stop are not those of OpenAI

	// Docs are the beginnings of the addresses of its documentation, without https://.
	Docs []string
}

// All returns the words themselves.
func (t Terms) All() (words []string) {
	for _, word := range []string{t.Stop, t.Answers, t.Call, t.Result, t.EndOfTurn} {
		if word != "" {
			words = append(words, word)
		}
	}
	return words
}

// StopWith is what most dialects say about why the model stopped: a word under a key.
func (t Terms) StopWith(word string) (said, same string) {
	return fmt.Sprintf("%s: %q", t.Stop, word), word
}

// Documents reports whether an address is one of the documentation of the dialect.
func (d *Dialect) Documents(url string) bool {
	url = strings.TrimPrefix(url, "https://")
	for _, docs := range d.Terms.Docs {
		if strings.HasPrefix(url, docs) {
			return true
		}
	}
	return false
}

package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Ask is a request for a turn of the model as conditions and templates see it, in whichever dialect
// it came.
type Ask struct {
	Request *wire.Request
	Header  http.Header

	// State is what earlier answers of the run have set.
	State map[string]string

	// Salt tells equal requests apart, whose answers are to have ids of their own, or "" if they
	// are the same.
	Salt string
}

// AskResult is a tool result, the name of the tool that gave it, "" where the history does not say,
// and the id of the call.
type AskResult struct{ Tool, Call, Text string }

// User returns what the user said last. Text alongside tool results counts, since that is how the
// dialect messages carries what a user adds to them.
func (a Ask) User() string {
	for _, m := range slices.Backward(a.Request.Messages) {
		if spoken(m) {
			return m.Content.Text
		}
	}
	return ""
}

// FirstUser returns what the user said first.
func (a Ask) FirstUser() string {
	for _, m := range a.Request.Messages {
		if spoken(m) {
			return m.Content.Text
		}
	}
	return ""
}

// UserTexts returns all texts of the user, in order.
func (a Ask) UserTexts() []string {
	var texts []string
	for _, m := range a.Request.Messages {
		if spoken(m) {
			texts = append(texts, m.Content.Text)
		}
	}
	return texts
}

// spoken reports whether the user said something in a message.
func spoken(m wire.Message) bool {
	return m.Role == wire.User && (len(m.Results) == 0 || strings.TrimSpace(m.Content.Text) != "")
}

// System returns the system prompt. Several system messages are joined by line feeds.
func (a Ask) System() string {
	var texts []string
	for _, m := range a.Request.Messages {
		if m.Role == wire.System {
			texts = append(texts, m.Content.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Turn returns the number of the turn that is asked for, from 1.
func (a Ask) Turn() int {
	n := 1
	for _, m := range a.Request.Messages {
		if m.Role == wire.Assistant {
			n++
		}
	}
	return n
}

// Round returns the number of the turn that is asked for since the user spoke last, from 1.
func (a Ask) Round() int {
	n := 1
	for _, m := range slices.Backward(a.Request.Messages) {
		switch {
		case spoken(m):
			return n
		case m.Role == wire.Assistant:
			n++
		}
	}
	return n
}

// LastResults returns the tool results that answer the last turn of the model.
func (a Ask) LastResults() []AskResult {
	last := -1
	for i, m := range a.Request.Messages {
		if m.Role == wire.Assistant {
			last = i
		}
	}
	return a.resultsFrom(last + 1)
}

// Results returns all tool results of the conversation.
func (a Ask) Results() []AskResult { return a.resultsFrom(0) }

func (a Ask) resultsFrom(first int) []AskResult {
	tools := map[string]string{}
	var results []AskResult
	for i, m := range a.Request.Messages {
		for _, c := range m.Calls {
			tools[c.ID] = c.Name
		}
		for _, r := range m.Results {
			if i >= first {
				results = append(results, AskResult{tools[r.CallID], r.CallID, r.Content.Text})
			}
		}
	}
	return results
}

// Tools returns the names of the tools that are offered.
func (a Ask) Tools() []string {
	names := make([]string, len(a.Request.Tools))
	for i, t := range a.Request.Tools {
		names[i] = t.Name
	}
	return names
}

// Body returns the body of the request as it was sent.
func (a Ask) Body() string { return string(a.Request.Body.Raw) }

// Field returns the value in the body of the request to which a JSON pointer points, or nil.
func (a Ask) Field(pointer string) *wire.Node { return a.Request.Body.At(pointer) }

// Demands returns what the request demands of its answer.
func (a Ask) Demands() wire.Demands { return a.Request.Dialect.DemandsOf(a.Request) }

// Summary describes the request in a few words.
func (a Ask) Summary() string {
	text := fmt.Sprintf("the user said %s, in turn %d", quoted(a.User()), a.Turn())
	if results := a.LastResults(); len(results) > 0 {
		var tools []string
		for _, r := range results {
			tools = append(tools, r.Tool)
		}
		text += ", after results of " + strings.Join(tools, ", ")
	}
	if tools := a.Tools(); len(tools) > 0 {
		text += ", with the tools " + strings.Join(tools, ", ")
	}
	return text + fmt.Sprintf(", of the model %q", a.Request.Model)
}

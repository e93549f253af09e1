package agents

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Read returns the outcome that the output of the agent reports. The error says that there is no
// answer in it.
func (a Answer) Read(output string) (protocol.Outcome, error) {
	outcome := protocol.Outcome{Type: protocol.TypeOutcome, Status: protocol.Completed}
	if a.Format == "text" {
		outcome.Text = strings.TrimSpace(withoutColour(output))
		return outcome, nil
	}
	lines, err := a.documents(output)
	if err != nil {
		return outcome, err
	}
	found, answers := false, []string(nil)
	for _, line := range lines {
		if message, failed := a.failure(line); failed {
			outcome.Status, outcome.Error, found = protocol.Failed, message, true
		}
		if has(line, a.Stopped) && len(a.Stopped) > 0 {
			outcome.Status, outcome.Reason, found = protocol.Stopped, "as its output says", true
		}
		if text := line.At(a.At); text != nil && has(line, a.Where) {
			answers, found = append(answers, text.Text()), true
		}
	}
	if !found && (a.Format == "json" || len(lines) == 0) { // an agent whose model said nothing prints lines without an answer
		return outcome, fmt.Errorf("there is no %s in what it printed: %.200s", a.At, strings.TrimSpace(output))
	}
	if !a.Join && len(answers) > 0 {
		answers = answers[len(answers)-1:]
	}
	outcome.Text = strings.Join(answers, "")
	return outcome, nil
}

// failure reports whether a document says that the agent failed, and the message.
func (a Answer) failure(doc *wire.Node) (message string, failed bool) {
	if len(a.Failed) == 0 || !has(doc, a.Failed) {
		return "", false
	}
	at := a.Error
	if at == "" {
		at = a.At
	}
	return doc.At(at).TextOrJSON(), true
}

// documents returns the JSON documents in an output, without what else is printed.
func (a Answer) documents(output string) ([]*wire.Node, error) {
	if a.Format == "json" {
		start := strings.IndexAny(output, "{[")
		if start < 0 {
			return nil, fmt.Errorf("it printed no JSON: %.200s", strings.TrimSpace(output))
		}
		var whole json.RawMessage
		if err := json.NewDecoder(strings.NewReader(output[start:])).Decode(&whole); err != nil {
			return nil, fmt.Errorf("it printed no JSON: %w", err)
		}
		doc, err := wire.ParseNode(whole)
		return []*wire.Node{doc}, err
	}
	var docs []*wire.Node
	for line := range strings.Lines(output) {
		if doc, err := wire.ParseNode([]byte(strings.TrimSpace(line))); err == nil {
			docs = append(docs, doc)
		}
	}
	return docs, nil
}

// has reports whether a document has all of some values.
func has(doc *wire.Node, values map[string]string) bool {
	for pointer, value := range values {
		if n := doc.At(pointer); n == nil || n.TextOrJSON() != value {
			return false
		}
	}
	return true
}

var colours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`) })

func withoutColour(text string) string { return colours().ReplaceAllString(text, "") }

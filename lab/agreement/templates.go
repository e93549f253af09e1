package agreement

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/engine/oracles"
)

const templatesFile = "templates.json"

// Templates is what rendering each body with the chat templates of many models showed.
type Templates struct {
	Code      string           `json:"code"`
	Templates []string         `json:"templates"` // that rendered the good bodies
	LeftOut   []string         `json:"left-out"`  // that did not render a plain tool round, whatever the request
	Answers   []TemplateAnswer `json:"answers"`
}

// TemplateAnswer says which templates raised an error for a body.
type TemplateAnswer struct {
	Body   string            `json:"body"`
	Digest string            `json:"digest"`
	Raised map[string]string `json:"raised"` // the words, by the name of the template
}

// loadTemplates reads the stored result of the templates.
func loadTemplates(folder fs.FS) (*Templates, error) {
	text, err := fs.ReadFile(folder, templatesFile)
	if err != nil {
		return nil, err
	}
	t := &Templates{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s: not a stored result: %w", templatesFile, err)
	}
	return t, nil
}

// Text returns the result as it is stored: one answer a line.
func (t *Templates) Text() ([]byte, error) {
	head := *t
	head.Answers = nil
	text, err := oracles.WithAnswers(head, t.Answers)
	return append(text, '\n'), err
}

// File returns the name of the file in which the result is stored.
func (t *Templates) File() string { return templatesFile }

// Rendered returns the bodies that templates are asked about: conversations of Chat Completions
// whose messages a server would hand on to a template. The first is one that every template has to
// render.
func Rendered() []Body {
	var first, others []Body
	for _, b := range Bodies("chat") {
		switch {
		case b.ID == "good/a-tool-round":
			first = append(first, b)
		case rendered[b.Class()] && !neverRendered(b):
			others = append(others, b)
		}
	}
	return append(first, others...)
}

// rendered are the classes of bodies in which messages differ.
var rendered = map[string]bool{"good": true, "pairing": true, "ids": true, "roles": true, "content": true, "calls": true}

// neverRendered reports whether a server refuses a body before it comes to the template, or needs
// more than a template.
func neverRendered(b Body) bool {
	if strings.Contains(b.ID, "image") || strings.HasSuffix(b.ID, "a-number") || strings.HasSuffix(b.ID, "an-object") {
		return true
	}
	return slices.Contains([]string{
		"roles/message-without-role", "roles/message-is-a-text", "roles/messages-missing", "roles/messages-null", "roles/messages-a-text",
		"calls/no-function", "good/a-stream-with-usage", "good/tool-choice-auto", "good/tool-choice-required", "good/tool-choice-named", "good/parallel-tool-calls",
	}, b.ID)
}

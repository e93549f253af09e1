package recording

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// begin begins a conversation with its first request.
func (w *writer) begin(h *heard, r *redactor) (*conversation, error) {
	p, err := w.profile(h.dialect)
	if err != nil {
		return nil, err
	}
	c := &conversation{dialect: h.dialect.Name, profile: p, calls: map[string]scenarios.Call{}, known: map[string]bool{}}
	c.scenario = &scenarios.Scenario{Format: 1, Profiles: []string{p.Name}}
	c.script = &scenarios.Script{Scenario: c.scenario, Profile: p}
	c.asked(h.request, r)
	c.name = w.name(c.scenario.Prompts)
	c.scenario.ID, c.scenario.Title = c.name, "Recorded: "+shortened(cmp.Or(strings.Join(c.scenario.Prompts, " "), "no prompt"))
	w.conversations = append(w.conversations, c)
	w.tellApart(c, h.request, r)
	return c, nil
}

func (w *writer) profile(d *wire.Dialect) (*profiles.Profile, error) {
	if of := profiles.Of(d.Name, w.config.Profiles); len(of) > 0 {
		return of[0], nil
	}
	return profiles.Get(d.Standard)
}

var notInNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// name returns a name for a conversation, after its first prompt, that no file has yet.
func (w *writer) name(prompts []string) string {
	words := ""
	if len(prompts) > 0 {
		words = notInNames().ReplaceAllString(strings.ToLower(prompts[0]), "-")
		words = strings.Trim(words[:min(len(words), 40)], "-")
	}
	base := cmp.Or(words, "conversation")
	for n, name := 2, base; ; n++ {
		_, fileErr := os.Lstat(filepath.Join(w.config.Dir, name+".yaml"))
		_, dirErr := os.Lstat(filepath.Join(w.config.Dir, name))
		taken := slices.ContainsFunc(w.conversations, func(c *conversation) bool { return c.name == name })
		if os.IsNotExist(fileErr) && os.IsNotExist(dirErr) && !taken {
			return name
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// asked takes from a request what the user said and which tools there are.
func (c *conversation) asked(req *wire.Request, r *redactor) {
	var system, prompts []string
	for _, m := range req.Messages {
		text := r.text(m.Content.Text)
		switch {
		case m.Role == wire.System:
			system = append(system, text)
		case m.Role == wire.User && len(m.Results) == 0:
			prompts = append(prompts, cmp.Or(strings.TrimSpace(text), "(no text)"))
		}
	}
	c.scenario.System = strings.Join(system, "\n\n")
	if len(prompts) == 0 {
		prompts = []string{"(no text)"}
	}
	c.scenario.Prompts = prompts
	for _, t := range req.Tools {
		if c.scenario.Tool(t.Name) == nil && t.Name != "" {
			tool := scenarios.Tool{Name: t.Name, Description: r.text(t.Description), FreeText: t.FreeText}
			takes(&tool, t.Parameters, r)
			c.scenario.Tools = append(c.scenario.Tools, tool)
		}
	}
}

// inline is the longest result that is in the scenario itself.
const inline = 200

// results adds what the tools gave since the last request.
func (w *writer) results(c *conversation, h *heard, r *redactor) error {
	for _, m := range h.request.Messages {
		c.nameAgain(m.Calls)
		for _, result := range m.Results {
			call, made := c.calls[result.CallID]
			tool := c.scenario.Tool(call.Tool)
			if !made || c.known[result.CallID] || tool == nil {
				continue
			}
			c.known[result.CallID] = true
			text := r.text(result.Content.Text)
			given := scenarios.Result{When: when(call.Arguments, tool)}
			switch {
			case result.Failed:
				given.Fail = &text
			case len(text) <= inline:
				given.Text = text
			default:
				c.files++
				given.File = fmt.Sprintf("%s/result-%02d.txt", c.name, c.files)
				if err := w.write(filepath.Join(w.config.Dir, given.File), []byte(text)); err != nil {
					return err
				}
			}
			tool.Results = append(tool.Results, given)
		}
	}
	return nil
}

// namelessCall is a call that the provider gave no id, as it was given and as it is written down.
type namelessCall struct {
	given wire.AnswerCall
	made  scenarios.Call
}

// nameAgain finds the calls without an id among those of a request, in which they have the ids that
// its reader gave them.
func (c *conversation) nameAgain(calls []wire.Call) {
	for _, call := range calls {
		if _, known := c.calls[call.ID]; known {
			continue
		}
		at := slices.IndexFunc(c.nameless, func(n namelessCall) bool {
			return n.given.Name == call.Name && wire.SameJSON(n.given.Arguments, call.Arguments)
		})
		if at >= 0 {
			c.calls[call.ID] = c.nameless[at].made
			c.nameless = slices.Delete(c.nameless, at, at+1)
		}
	}
}

// when returns the arguments of a call by which its result is known again.
func when(arguments string, tool *scenarios.Tool) wire.Fields {
	if tool.FreeText {
		return wire.Fields{{Key: scenarios.FreeInput, Value: arguments}}
	}
	n, err := wire.ParseNode([]byte(arguments))
	if err != nil {
		return nil
	}
	var fields wire.Fields
	for _, p := range tool.Properties() {
		if value := n.Get(p.Name); value != nil && !value.Is(wire.Null) {
			fields = fields.With(p.Name, wire.Raw(value.Raw))
		}
	}
	return fields
}

// needs returns what a loop has to be able to do to play the conversation.
func (c *conversation) needs() []string {
	var needs []string
	add := func(f protocol.Feature, needed bool) {
		if needed {
			needs = append(needs, string(f))
		}
	}
	add(protocol.ParallelCalls, slices.ContainsFunc(c.script.Turns, func(t *scenarios.Turn) bool { return t.Answer != nil && len(t.Answer.Calls) > 1 }))
	add(protocol.MultiPrompt, len(c.scenario.Prompts) > 1)
	add(protocol.CustomTools, slices.ContainsFunc(c.scenario.Tools, func(t scenarios.Tool) bool { return t.FreeText }))
	add(protocol.Approvals, slices.ContainsFunc(c.script.Turns, func(t *scenarios.Turn) bool { return t.Answer != nil && t.AsksApproval() }))
	add(protocol.Retries, slices.ContainsFunc(c.script.Turns, func(t *scenarios.Turn) bool { return t.Fails() || t.Breaks() }))
	return needs
}

// findings judges a request by what it says and returns alone.
func (c *conversation) findings(number int, req *wire.Request, r *redactor) []trace.Finding {
	found := rulebook.CheckRequest(context.Background(), c.profile, c.script, &trace.Exchange{Number: number, Request: req})
	for i := range found {
		f := &found[i]
		f.Message, f.Expected, f.Actual = r.text(f.Message), r.text(f.Expected), r.text(f.Actual)
	}
	return found
}

// summary says in a few words what the model answered.
func summary(a *wire.Answer) string {
	var parts []string
	if a.Text != "" {
		parts = append(parts, "says "+shortened(fmt.Sprintf("%q", a.Text)))
	}
	if a.Refusal != "" {
		parts = append(parts, "refuses: "+shortened(fmt.Sprintf("%q", a.Refusal)))
	}
	for _, c := range a.Calls {
		parts = append(parts, "calls "+c.Name+" "+shortened(strings.Trim(fmt.Sprintf("%q", c.Arguments), `"`)))
	}
	for _, asked := range a.Approvals() {
		parts = append(parts, "asks whether it may call "+asked.Name)
	}
	if len(parts) == 0 {
		parts = []string{"says nothing"}
	}
	return strings.ReplaceAll(strings.Join(parts, "; "), `\"`, `"`)
}

// shortened cuts what would not fit into a line.
func shortened(text string) string { return textlayout.Shorten(textlayout.OneLine(text), 70) }

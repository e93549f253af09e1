package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// start is how a recording begins: what its first request says besides the prompt.
type start struct {
	name   string // of the recording
	system string
	tools  []string
	model  string // "" if it is not known
}

// tellApart says by conditions which requests belong to a conversation that has begun, where its
// prompt alone does not say so: another recording begins with the same one, or the prompt is not
// written down as it was asked.
func (w *writer) tellApart(c *conversation, req *wire.Request, r *redactor) {
	ask := scenarios.Ask{Request: req}
	c.model = req.Model
	when := &scenarios.When{FirstUser: firstUser(ask.FirstUser(), c.scenario.Prompts[0], r)}
	alike := w.alike(c)
	left := bySystem(when, ask.System(), c.scenario.System, alike, r)
	left = byTools(when, ask.Tools(), left)
	left = byModel(when, req.Model, left)
	c.apart = len(alike) > 0 && len(left) == 0
	if len(left) > 0 {
		var names []string
		for _, other := range left {
			names = append(names, other.name)
		}
		w.config.Noted(fmt.Sprintf("%s begins with the same request as %s. If all of it is the same, it is not kept; else loopproof serve answers the first request by %s. To play the other one, record it into a folder of its own, or give it a `when` that tells it apart", c.name, strings.Join(names, ", "), names[0]))
	}
	if when.Conditions() == 0 {
		return
	}
	if when.FirstUser == nil {
		when.FirstUser = &scenarios.Text{Equals: &c.scenario.Prompts[0]}
	}
	c.when = when
}

// alike returns the recordings in the folder that begin with the same prompt as a conversation, the
// oldest first.
func (w *writer) alike(c *conversation) []start {
	w.look()
	var all []start
	for _, s := range w.earlier {
		if s.Prompts[0] == c.scenario.Prompts[0] && slices.Contains(s.Profiles, c.profile.Name) {
			all = append(all, start{name: s.ID, system: s.System, tools: toolNames(s)})
		}
	}
	for _, other := range w.conversations {
		if other != c && other.dialect == c.dialect && other.scenario.Prompts[0] == c.scenario.Prompts[0] {
			all = append(all, start{other.name, other.scenario.System, toolNames(other.scenario), other.model})
		}
	}
	return all
}

// look reads the recordings that are in the folder already. What cannot be read is none.
func (w *writer) look() {
	if w.looked {
		return
	}
	w.looked = true
	files, _ := filepath.Glob(filepath.Join(w.config.Dir, "*.yaml"))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || w.written[file] {
			continue
		}
		if s, err := w.read(name); err == nil && len(s.Facts().Recorded) > 0 && s.Prompted() {
			s.ID = name
			w.earlier = append(w.earlier, s)
		}
	}
}

func toolNames(s *scenarios.Scenario) []string {
	var names []string
	for _, t := range s.Tools {
		names = append(names, t.Name)
	}
	return names
}

// firstUser returns the condition for a prompt that was written down in other words than it was
// asked in: without secrets, or without blanks around it.
func firstUser(asked, written string, r *redactor) *scenarios.Text {
	secrets := r.spans(asked)
	switch {
	case asked == written:
		return nil
	case len(secrets) == 0:
		return &scenarios.Text{Equals: &asked}
	}
	pattern, at := `(?s)^`, 0
	for _, secret := range secrets {
		pattern += regexp.QuoteMeta(asked[at:secret.start]) + `.*`
		at = secret.end
	}
	return &scenarios.Text{Matches: &scenarios.Pattern{Regexp: regexp.MustCompile(pattern + regexp.QuoteMeta(asked[at:]) + `$`)}}
}

// bySystem tells a recording from others by its system prompt, and returns those that are left.
func bySystem(when *scenarios.When, asked, written string, others []start, r *redactor) []start {
	var different []string
	var left []start
	for _, other := range others {
		if other.system == written {
			left = append(left, other)
		} else {
			different = append(different, other.system)
		}
	}
	if len(different) == 0 {
		return others
	}
	clean := r.text(asked)
	switch line := ownLine(asked, clean, different); {
	case line != "":
		when.System = &scenarios.Text{Contains: &line}
	case asked == clean:
		when.System = &scenarios.Text{Equals: &asked}
	default:
		return others
	}
	return left
}

// The length of a line that distinguishes system prompts, in characters.
const (
	shortestLine = 8
	longestLine  = 120
)

// ownLine returns a line of a system prompt that is in none of the others, or "". One without a
// digit comes first, since dates and numbers change from day to day. Secrets are in none.
func ownLine(asked, clean string, others []string) string {
	best := ""
	for line := range strings.Lines(clean) {
		runes := []rune(strings.TrimSpace(line))
		text := strings.TrimSpace(string(runes[:min(len(runes), longestLine)]))
		inOther := slices.ContainsFunc(others, func(other string) bool { return strings.Contains(other, text) })
		if len(runes) < shortestLine || inOther || !strings.Contains(asked, text) {
			continue
		}
		if !strings.ContainsAny(text, "0123456789") {
			return text
		}
		if best == "" {
			best = text
		}
	}
	return best
}

// byTools tells a recording from others by the tools that it offers and they do not, or the other
// way round.
func byTools(when *scenarios.When, offered []string, others []start) []start {
	var left []start
	for _, other := range others {
		more := slices.DeleteFunc(slices.Clone(offered), func(name string) bool { return slices.Contains(other.tools, name) })
		fewer := slices.DeleteFunc(slices.Clone(other.tools), func(name string) bool { return slices.Contains(offered, name) })
		switch {
		case len(more) > 0:
			if !slices.ContainsFunc(more, func(name string) bool { return slices.Contains(when.Tools, name) }) {
				when.Tools = append(when.Tools, more[0])
			}
		case len(fewer) > 0 && when.Not == nil:
			when.Not = &scenarios.When{Tools: fewer[:1]}
		case len(fewer) > 0 && slices.Contains(fewer, when.Not.Tools[0]):
		default:
			left = append(left, other)
		}
	}
	return left
}

// byModel tells a recording from others by the model that was asked for.
func byModel(when *scenarios.When, model string, others []start) []start {
	left := slices.DeleteFunc(slices.Clone(others), func(other start) bool { return other.model != "" && other.model != model })
	if len(left) < len(others) {
		when.Model = &scenarios.Text{Equals: &model}
	}
	return left
}

// conditionLines writes conditions as lines of YAML.
func conditionLines(w *scenarios.When) []string {
	var lines []string
	for _, t := range []struct {
		key  string
		text *scenarios.Text
	}{{"first-user", w.FirstUser}, {"system", w.System}, {"model", w.Model}} {
		switch {
		case t.text == nil:
		case t.text.Matches != nil:
			lines = append(lines, t.key+": {matches: "+quote(t.text.Matches.String())+"}")
		case t.text.Contains != nil:
			lines = append(lines, t.key+": {contains: "+quote(*t.text.Contains)+"}")
		default:
			lines = append(lines, t.key+": "+text(*t.text.Equals, "    "))
		}
	}
	if len(w.Tools) > 0 {
		lines = append(lines, "tools: "+quotedList(w.Tools))
	}
	if w.Not != nil {
		lines = append(lines, "not: {tools: "+quotedList(w.Not.Tools)+"}")
	}
	return lines
}

func quotedList(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = quote(word)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

package recording

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// yaml writes the scenario as a file, with a comment at every step that says what its fixture
// holds.
func (c *conversation) yaml(source string) []byte {
	s := c.scenario
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Recorded %s. The answers are in the fixtures, byte for byte; a step that is written", source)
	line("# out instead (text, calls) is played in the words of any profile.")
	line("loopproof: 1")
	line("title: %s", quote(s.Title))
	line("profiles: [%s]", c.profile.Name)
	if needs := c.needs(); len(needs) > 0 {
		line("needs: [%s]", strings.Join(needs, ", "))
	}
	if s.System != "" {
		line("system: %s", text(s.System, "  "))
	}
	if c.when != nil {
		line("when:")
		for _, condition := range conditionLines(c.when) {
			line("  %s", condition)
		}
	}
	if len(s.Prompts) == 1 {
		line("prompt: %s", text(s.Prompts[0], "  "))
	} else {
		line("prompts:")
		for _, p := range s.Prompts {
			line("  - %s", text(p, "    "))
		}
	}
	if len(s.Tools) > 0 {
		line("tools:")
	}
	for _, t := range s.Tools {
		writeTool(&b, t)
	}
	line("model:")
	for i, step := range s.Model {
		line("  # %s", c.comments[i])
		line("  - fixture: %s", step.Fixture)
	}
	return []byte(b.String())
}

func writeTool(b *strings.Builder, t scenarios.Tool) {
	fmt.Fprintf(b, "  %s:\n", quote(t.Name))
	if t.Description != "" {
		fmt.Fprintf(b, "    description: %s\n", text(t.Description, "      "))
	}
	var parameters []string
	for _, p := range t.Parameters {
		parameters = append(parameters, quote(p.Name)+": "+quote(p.Type))
	}
	switch {
	case t.FreeText:
		b.WriteString("    free-text: true\n")
	case len(t.JSONSchema) > 0:
		b.WriteString("    schema:\n")
		writeBlock(b, wire.Parsed(t.JSONSchema.JSON()), "      ")
	default:
		fmt.Fprintf(b, "    parameters: {%s}\n", strings.Join(parameters, ", "))
	}
	b.WriteString("    results:\n")
	if len(t.Results) == 0 {
		b.WriteString("      - fail: The tool was not called while this was recorded.\n")
	}
	for _, r := range t.Results {
		b.WriteString("      - ")
		if len(r.When) > 0 {
			fmt.Fprintf(b, "when: %s\n        ", flow(r.When))
		}
		switch {
		case r.File != "":
			fmt.Fprintf(b, "file: %s\n", r.File)
		case r.Fails():
			fmt.Fprintf(b, "fail: %s\n", quote(*r.Fail))
		default:
			fmt.Fprintf(b, "text: %s\n", quote(r.Text))
		}
	}
}

// writeBlock writes an object with a line for each of its keys, and objects with more objects in
// them in the same way.
func writeBlock(b *strings.Builder, n *wire.Node, indent string) {
	for key, value := range n.Fields() {
		if !nested(value) {
			fmt.Fprintf(b, "%s%s: %s\n", indent, quote(key), flowNode(value))
			continue
		}
		fmt.Fprintf(b, "%s%s:\n", indent, quote(key))
		writeBlock(b, value, indent+"  ")
	}
}

// nested reports whether a value is an object with objects in it.
func nested(n *wire.Node) bool {
	return n.Is(wire.Object) && slices.ContainsFunc(n.Members, func(m wire.Member) bool { return m.Value.Is(wire.Object) })
}

// flow writes arguments as YAML. JSON is nearly that, but for how it writes some characters.
func flow(fields wire.Fields) string {
	n, err := wire.ParseNode(fields.JSON())
	if err != nil {
		return "{}"
	}
	return flowNode(n)
}

func flowNode(n *wire.Node) string {
	var parts []string
	switch {
	case n.Is(wire.Object):
		for _, m := range n.Members {
			parts = append(parts, quote(m.Key)+": "+flowNode(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Is(wire.Array):
		for _, item := range n.Items {
			parts = append(parts, flowNode(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case n.Is(wire.String):
		return quote(n.Text())
	default:
		return string(n.Raw)
	}
}

// text writes a text: several lines as several lines where YAML can say them so.
func text(s, indent string) string {
	body, _ := strings.CutSuffix(s, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\n") || strings.ContainsFunc(s, odd) {
		return quote(s)
	}
	for line := range strings.Lines(s) {
		if trimmed := strings.TrimSuffix(line, "\n"); strings.TrimRight(trimmed, " \t") != trimmed {
			return quote(s)
		}
	}
	mark := "|-\n"
	if body != s {
		mark = "|\n"
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = indent + line
		}
	}
	return mark + strings.Join(lines, "\n")
}

// odd reports whether a character is one that a block of text in YAML cannot hold as it is.
func odd(r rune) bool {
	return r != '\n' && (!unicode.IsPrint(r) || r == unicode.ReplacementChar)
}

// quote writes a text between double quotes.
func quote(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plain reports whether a text needs no quotes: a word, or some of them, of letters that mean
// nothing to YAML.
func plain(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || strings.ContainsRune("_-?./", r))) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "", "true", "false", "yes", "no", "on", "off", "null", "y", "n", "inf", "nan":
		return false
	}
	return true
}

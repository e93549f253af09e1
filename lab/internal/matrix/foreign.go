package matrix

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/report"
)

// A stored report is published. It has the texts of scenarios, which are ours, and what an exchange
// is about; but a coding agent sends a system prompt and descriptions of tools of its own, which
// are its authors'. Of these a stored report keeps the place, the length and a digest.

// The number of words from which a text is replaced. A shorter one is mostly an error that a loop
// gives to the model in place of a result, which an exchange is about; a description of a tool is
// the author's, however short.
const (
	manyWords          = 25
	wordsOfDescription = 4
)

// foreignMark begins what is kept of a text.
const foreignMark = "(own text, "

// WithoutForeign replaces, in a report, what the loop wrote itself into requests: each description
// of a tool, and each string of many words, that neither the scenario nor an answer nor a tool has
// said before.
func WithoutForeign(r *report.Report) {
	for i := range r.Cases {
		c := &r.Cases[i]
		known := knownIn(c)
		if c.Trace != nil {
			requests := slices.Clone(c.Trace.Requests)
			for k := range requests {
				b := &requests[k].Body
				b.Text = withoutForeign(b.Text, known)
			}
			c.Trace.Requests = requests
		}
		for k := range c.Findings {
			f := &c.Findings[k]
			for _, text := range []*string{&f.Exhibit, &f.Actual, &f.Message, &f.Sent} {
				*text = withoutForeign(*text, known)
			}
		}
	}
}

// knownIn returns what the scenario, the answers and the tools of a case have said.
func knownIn(c *report.Case) []string {
	known := scriptedTexts(c.Scenario)
	if c.Trace != nil {
		known = append(known, spokenTexts(c.Trace)...)
	}
	return known
}

// scriptedTexts returns all strings of an embedded scenario; of one that is not known, none.
func scriptedTexts(id string) []string {
	s, err := catalog.Library{}.Find(id)
	if err != nil || s == nil {
		return nil
	}
	data, err := strictyaml.Write(s)
	if err != nil {
		return nil
	}
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil {
		return nil
	}
	var all []string
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			all = append(all, n.Value)
		}
		for _, below := range n.Content {
			walk(below)
		}
	}
	walk(&doc)
	return all
}

// spokenTexts returns what answers and tools have said in an exchange. The pieces of a stream are
// one text.
func spokenTexts(t *report.Trace) []string {
	var all []string
	for _, x := range t.Requests {
		var pieces strings.Builder
		eachString(x.Answer.Body.Text, func(_, _ int, said string, _ bool) {
			all = append(all, said)
			pieces.WriteString(said)
		})
		all = append(all, x.Answer.Body.Text, pieces.String())
	}
	for _, tool := range t.Tools {
		all = append(all, tool.Result, tool.Arguments)
	}
	return all
}

// withoutForeign replaces the strings of a JSON text, which may break off, that have many words and
// are not known.
func withoutForeign(text string, known []string) string {
	var b strings.Builder
	at := 0
	eachString(text, func(start, end int, said string, whole bool) {
		most := manyWords
		if isDescription(text[:start]) {
			most = wordsOfDescription
		}
		if len(strings.Fields(said)) < most || strings.HasPrefix(said, foreignMark) || isKnown(said, known) {
			return
		}
		length := fmt.Sprintf("%d bytes", len(said))
		if !whole {
			length = "at least " + length
		}
		b.WriteString(text[at:start])
		fmt.Fprintf(&b, `"%s%s, sha256 %.8x)`, foreignMark, length, sha256.Sum256([]byte(said)))
		if whole {
			b.WriteByte('"')
		}
		at = end
	})
	if at == 0 {
		return text
	}
	return b.String() + text[at:]
}

// isDescription reports whether the string after a part of a JSON text is a description.
func isDescription(before string) bool {
	key, is := strings.CutSuffix(strings.TrimRight(before, " \t\r\n"), ":")
	return is && strings.HasSuffix(strings.TrimRight(key, " \t\r\n"), `"description"`)
}

// isKnown reports whether a text is part of one that is known, or has one with a few marks around
// it.
func isKnown(text string, known []string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(known, func(one string) bool {
		one = strings.TrimSpace(one)
		return strings.Contains(one, text) || one != "" && len(text) < len(one)+len(one)/4+40 && strings.Contains(text, one)
	})
}

// eachString calls f for each string of a JSON text: the places of its quotes, what it says, and
// whether it is whole. The last one may break off.
func eachString(text string, f func(start, end int, said string, whole bool)) {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end, whole := i+1, false
		for ; end < len(text); end++ {
			if text[end] == '\\' {
				end++
			} else if text[end] == '"' {
				whole = true
				break
			}
		}
		if !whole {
			f(i, len(text), unquoted(text[i+1:]), false)
			return
		}
		f(i, end+1, unquoted(text[i+1:end]), true)
		i = end
	}
}

// unquoted returns what the inside of a JSON string says, which may break off in an escape.
func unquoted(inside string) string {
	for cut := 0; cut <= 6 && cut <= len(inside); cut++ {
		var said string
		if json.Unmarshal([]byte(`"`+strings.ToValidUTF8(inside[:len(inside)-cut], string(utf8.RuneError))+`"`), &said) == nil {
			return said
		}
	}
	return inside
}

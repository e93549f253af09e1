package profiles

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"

	"github.com/loopproof/loopproof/internal/suggest"
)

// Pattern says how a provider forms an id: "call_{alnum:24}", "functions.{name}:{count}". Letters
// and digits are drawn from a [Source], so that ids cannot be guessed, and replicas draw the same
// ones.
type Pattern struct{ parts []patternPart }

type patternPart struct {
	text string // literal, when kind is ""
	kind string
	n    int
}

// Source gives the letters of an id, one byte at a time.
type Source interface{ Next() byte }

var alphabets = map[string]string{
	"alnum":  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"lower":  "abcdefghijklmnopqrstuvwxyz0123456789",
	"hex":    "0123456789abcdef",
	"digits": "0123456789",
}

var patternKinds = []string{"alnum", "count", "digits", "hex", "lower", "name"}

var patternPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([^{}]*)\}`) })

// MustPattern is [ParsePattern] for a pattern that is known to be one.
func MustPattern(text string) Pattern {
	p, err := ParsePattern(text)
	if err != nil {
		panic(err)
	}
	return p
}

// ParsePattern reads a pattern. The error says which variables there are.
func ParsePattern(text string) (Pattern, error) {
	var p Pattern
	literal := func(s string) error {
		if strings.ContainsAny(s, "{}") {
			return fmt.Errorf("a brace in %q has no partner", text)
		}
		if s != "" {
			p.parts = append(p.parts, patternPart{text: s})
		}
		return nil
	}
	last := 0
	for _, m := range patternPlace().FindAllStringSubmatchIndex(text, -1) {
		if err := literal(text[last:m[0]]); err != nil {
			return Pattern{}, err
		}
		part, err := parsePlace(text[m[2]:m[3]])
		if err != nil {
			return Pattern{}, err
		}
		p.parts = append(p.parts, part)
		last = m[1]
	}
	if err := literal(text[last:]); err != nil {
		return Pattern{}, err
	}
	return p, nil
}

func parsePlace(text string) (patternPart, error) {
	kind, count, hasCount := strings.Cut(text, ":")
	part := patternPart{kind: kind}
	if _, isAlphabet := alphabets[kind]; isAlphabet {
		n, err := strconv.Atoi(count)
		if !hasCount || err != nil || n < 1 || n > 500 {
			return part, fmt.Errorf("{%s} needs a length, as in {%s:24}", text, kind)
		}
		part.n = n
		return part, nil
	}
	if (kind == "name" || kind == "count") && !hasCount {
		return part, nil
	}
	return part, fmt.Errorf("unknown variable {%s}%s; the variables are %s", text, suggest.Hint(kind, patternKinds), strings.Join(patternKinds, ", "))
}

// Empty reports whether the pattern makes only empty ids, as when a profile says nothing.
func (p Pattern) Empty() bool { return len(p.parts) == 0 }

// ReadYAML reads the pattern from a profile file.
func (p *Pattern) ReadYAML(n *strictyaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("expected a pattern such as call_{alnum:24}")
	}
	parsed, err := ParsePattern(n.Value)
	*p = parsed
	return err
}

// Expand forms an id: for a call of the tool name, the count-th call of a conversation from 0.
func (p Pattern) Expand(from Source, name string, count int) string {
	var b strings.Builder
	b.Grow(48) // few ids are longer
	for _, part := range p.parts {
		switch part.kind {
		case "":
			b.WriteString(part.text)
		case "name":
			b.WriteString(name)
		case "count":
			b.WriteString(strconv.Itoa(count))
		default:
			letters := alphabets[part.kind]
			for range part.n {
				b.WriteByte(letters[int(from.Next())%len(letters)])
			}
		}
	}
	return b.String()
}

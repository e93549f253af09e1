package egress

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// unicodeRules are the rules about the characters of a request.
var unicodeRules = []rules.Rule{
	{
		ID:        "egress/valid-unicode",
		Level:     trace.Should,
		Text:      "No text has half a surrogate pair.",
		Why:       "Strict readers of JSON refuse the whole request, and a result with one stays in the history of every later one.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://www.rfc-editor.org/rfc/rfc8259#section-8.2", Says: "lone surrogates: the behaviour of software is unpredictable"},
			{URL: "https://github.com/anomalyco/opencode/pull/17758", Says: "the 400 for a tool result that was cut in the middle of an emoji"},
			{URL: "https://github.com/anthropics/claude-code/issues/56064", Says: "the 400 of Anthropic, for every later request of a session"},
			{URL: "https://github.com/microsoft/vscode/issues/335404", Says: "the 400 of OpenAI's models for a result that was cut"},
		},
		Vars:    []string{"problem", "at", "line", "column", "char"},
		Request: validUnicode,
	},
}

func validUnicode(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if !req.Body.HasNumberedEscapes() {
		return j
	}
	place := placeInBody{body: req.Body.Raw, line: 1}
	req.Body.Walk(func(n *wire.Node) {
		if !n.Is(wire.String) {
			return
		}
		if half, found := halfSurrogate(n.Raw); found {
			place.goTo(n.Offset() + half.end)
			j.Find(trace.Finding{
				Pointer:  n.Pointer(),
				Message:  "half a surrogate pair",
				Expected: "whole characters",
				Actual:   rules.Show(n),
				Vars:     half.vars(n, place),
			})
		}
	})
	return j
}

// half is half of a surrogate pair that stands alone in a JSON string.
type half struct {
	problem string // "no escape" or "no second half" follows a first half; or it is a "second half"
	end     int    // of its escape, in the string
}

// halfSurrogate returns the first escape in a JSON string of one half of a surrogate pair without
// the other.
func halfSurrogate(raw []byte) (half, bool) {
	for i := 0; i+1 < len(raw); {
		next := bytes.IndexByte(raw[i:], '\\')
		if next < 0 {
			break
		}
		i += next
		switch unit := surrogateAt(raw, i); {
		case unit == high && surrogateAt(raw, i+6) == low:
			i += 12
		case unit == high && bytes.HasPrefix(raw[i+6:], []byte(`\u`)):
			return half{"no second half", i + 6}, true
		case unit == high:
			return half{"no escape", i + 6}, true
		case unit == low:
			return half{"second half", i + 6}, true
		default:
			i += 2 // what is escaped is no escape itself
		}
	}
	return half{}, false
}

// vars returns what the words of a refusal say about the place: the path of the value, and the
// line, the column and the character at which a reader of the body stops.
func (h half) vars(n *wire.Node, stops placeInBody) map[string]string {
	return map[string]string{
		"problem": h.problem,
		"at":      wire.InBrackets(n.Pointer()),
		"line":    strconv.Itoa(stops.line),
		"column":  strconv.Itoa(stops.column + 1),
		"char":    strconv.Itoa(stops.char),
	}
}

// placeInBody is a place in a body, which is read once for all places in it.
type placeInBody struct {
	body               []byte
	offset             int
	line, column, char int // that end there; the column counts from 0, in characters
}

// goTo goes on to an offset.
func (p *placeInBody) goTo(offset int) {
	passed := p.body[p.offset:min(max(offset, p.offset), len(p.body))]
	p.offset += len(passed)
	p.char += utf8.RuneCount(passed)
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		p.line += bytes.Count(passed, []byte("\n"))
		p.column, passed = 0, passed[last+1:]
	}
	p.column += utf8.RuneCount(passed)
}

type surrogate int

const (
	none surrogate = iota
	high
	low
)

// surrogateAt tells which half of a surrogate pair is escaped at a place of a JSON string.
func surrogateAt(raw []byte, i int) surrogate {
	if i+6 > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
		return none
	}
	unit, err := strconv.ParseUint(string(raw[i+2:i+6]), 16, 32)
	switch {
	case err != nil || unit < 0xd800 || unit > 0xdfff:
		return none
	case unit < 0xdc00:
		return high
	default:
		return low
	}
}

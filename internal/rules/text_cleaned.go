package rules

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/loopproof/loopproof/internal/wire"
)

// Sources of what loops do to results on purpose.
const (
	CleanedResults = "https://github.com/openlegion-ai/openlegion/pull/30"
	CutResults     = "https://github.com/openai/codex/blob/main/codex-rs/core/src/truncate.rs"
	DefusedResults = "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_special_tokens.py"
)

// CleansText reports whether a text contains another one, except for changes that nobody sees:
// loops remove invisible letters, which may hide orders to the model, and the colours of terminals,
// and write line ends and accents in another form.
func CleansText(text, said string) bool {
	cleaned := seen(said)
	return cleaned != "" && ContainsText(seen(text), cleaned)
}

// Cleaned reports whether a message of one of these roles has a text that [CleansText] accepts.
func Cleaned(req *wire.Request, text string, roles ...wire.Role) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.Contains(roles, m.Role) && CleansText(m.Content.Text, text)
	})
}

// Respaced reports whether a message of one of these roles has a text in other lines, or with other
// spaces between its words.
func Respaced(req *wire.Request, text string, roles ...wire.Role) bool {
	words := strings.Join(strings.Fields(text), " ")
	return words != "" && slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.Contains(roles, m.Role) && ContainsText(strings.Join(strings.Fields(m.Content.Text), " "), words)
	})
}

// CutsText reports whether a text has the beginning of a long one, and words of its own, such as a
// note that the rest was cut.
func CutsText(text, said string) bool {
	const long, start = 2000, 500 // bytes
	said = strings.TrimSpace(said)
	return len(said) >= long && ContainsText(text, strings.ToValidUTF8(said[:start], "")) && SaysMore(text, said)
}

// DefusesText reports whether a text has all of another one but its special tokens, such as
// <|im_end|>: loops take them out, or write something else for them, since a server may read them
// as the end of a message.
func DefusesText(text, said string) bool {
	said = strings.TrimSpace(said)
	between := specialTokens().Split(said, -1)
	if len(between) == 1 || strings.TrimSpace(strings.Join(between, "")) == "" {
		return false
	}
	for _, piece := range between {
		at := strings.Index(text, strings.TrimSpace(piece))
		if at < 0 {
			return false
		}
		text = text[at+len(strings.TrimSpace(piece)):]
	}
	return true
}

// SaysMore reports whether a text has words besides the beginning and the end of another one, such
// as a note that something was left out.
func SaysMore(text, of string) bool {
	for text != "" && of != "" && text[0] == of[0] {
		text, of = text[1:], of[1:]
	}
	for text != "" && of != "" && text[len(text)-1] == of[len(of)-1] {
		text, of = text[:len(text)-1], of[:len(of)-1]
	}
	return strings.ContainsFunc(text, unicode.IsLetter)
}

// specialTokens are those of most chat templates.
var specialTokens = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<\|[a-z_]+\|>`) })

var terminalCodes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]") })

// seen returns a text without the letters that nobody sees.
func seen(text string) string {
	text = norm.NFKC.String(terminalCodes().ReplaceAllString(text, ""))
	return strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co) {
			return -1
		}
		return c
	}, text)
}

package loops

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// line is a line that an adapter printed.
type line struct {
	number int // from 1
	text   []byte
}

// readHello reads the first line of an adapter, which may name these profiles. The second result
// says what is wrong with it.
func readHello(first line, known profiles.Known) (protocol.Hello, string) {
	var h protocol.Hello
	if err := json.Unmarshal(first.text, &h); err != nil {
		if !json.Valid(first.text) {
			return h, fmt.Sprintf("line %d of its standard output is %s, where its hello is expected: standard output is for the protocol, "+
				"logs belong on standard error", first.number, excerpt(first.text))
		}
		return h, fmt.Sprintf("its hello cannot be read: %s in %s", misfit(err), excerpt(first.text))
	}
	if h.Type != protocol.TypeHello {
		return h, fmt.Sprintf("line %d of its standard output has the type %q, where its hello is expected: %s", first.number, h.Type, excerpt(first.text))
	}
	if problems := CheckHello(h, known); len(problems) > 0 {
		return h, "its hello is not right: " + strings.Join(problems, "; ")
	}
	return h, ""
}

// CheckHello returns all that is wrong with what a loop claims. Of a function or a command, the
// hello is made of the config.
func CheckHello(h protocol.Hello, known profiles.Known) []string {
	if h.Protocol < protocol.OldestVersion || h.Protocol > protocol.Version {
		return []string{fmt.Sprintf(`"protocol" is %d, and this Loopproof speaks %d to %d`, h.Protocol, protocol.OldestVersion, protocol.Version)}
	}
	var problems []string
	if h.Name == "" {
		problems = append(problems, `"name" is missing: what the loop is called in the report`)
	}
	if h.Concurrency < 0 {
		problems = append(problems, fmt.Sprintf(`"concurrency" is %d, and has to be at least 1`, h.Concurrency))
	}
	problems = append(problems, checkDialects(h.Dialects, known.Dialects())...)
	problems = append(problems, checkSecondDialects(h, known.Dialects())...)
	problems = append(problems, checkFeatures(h.Features, known.Dialects())...)
	problems = append(problems, checkVersion(h)...)
	problems = append(problems, checkDesigns(h)...)
	problems = append(problems, checkClaims("profiles", h.Profiles, known.Names())...)
	return append(problems, checkClaims("deliveries", h.Deliveries, wire.Words(wire.AllDeliveries()))...)
}

// checkFeatures returns what is wrong with the features that a loop claims.
func checkFeatures(claimed []protocol.Feature, dialects []string) []string {
	var problems []string
	limits := slices.Concat(dialects, wire.Words(wire.AllDeliveries()))
	for _, f := range claimed {
		name, limit := claims.Split(f)
		if known := protocol.Features(); !slices.Contains(known, name) {
			problems = append(problems, unknown("features", string(name), wire.Words(known)))
		}
		if strings.Contains(string(f), "@") {
			problems = append(problems, checkClaims("features", []string{limit}, limits)...)
		}
	}
	return problems
}

// checkVersion returns the claims for which the loop speaks too old a version of the protocol.
func checkVersion(h protocol.Hello) []string {
	var problems []string
	for _, f := range h.Features {
		if name, _ := claims.Split(f); name.Since() > h.Protocol {
			problems = append(problems, fmt.Sprintf(`"features" has %q, which needs "protocol":%d, not %d`, name, name.Since(), h.Protocol))
		}
	}
	return problems
}

// checkDesigns returns what is wrong with what a loop says of its design.
func checkDesigns(h protocol.Hello) []string {
	var problems []string
	for _, d := range h.Designs {
		if known := protocol.Designs(); !slices.Contains(known, d) {
			problems = append(problems, unknown("designs", string(d), wire.Words(known)))
		}
	}
	if h.SummaryMark != "" && !claims.Has(h, protocol.Compaction, "", "") {
		problems = append(problems, fmt.Sprintf(`"summary_mark" is for a loop with the feature %q`, protocol.Compaction))
	}
	switch tool := h.AnswerTool; {
	case tool == nil:
	case claims.AnswerTool(h) == nil:
		problems = append(problems, fmt.Sprintf(`"answer_tool" is for a loop with the design %q`, protocol.AnswersByTool))
	case tool.Name == "" || tool.Argument == "":
		problems = append(problems, `"answer_tool" needs a "name" and an "argument", as in {"name":"final_answer","argument":"answer"}`)
	}
	return problems
}

func checkDialects(claimed, played []string) []string {
	if len(claimed) == 0 {
		return []string{`"dialects" is missing: the wire APIs that the loop speaks, such as ["` + played[0] + `"]`}
	}
	return unknownDialects("dialects", claimed, played)
}

// checkSecondDialects returns what is wrong with the wire APIs in which a loop asks a second model.
func checkSecondDialects(h protocol.Hello, played []string) []string {
	if len(h.SecondDialects) > 0 && !claims.Has(h, protocol.SecondAPI, "", "") {
		return []string{fmt.Sprintf(`"second_dialects" is for a loop with the feature %q`, protocol.SecondAPI)}
	}
	return unknownDialects("second_dialects", h.SecondDialects, played)
}

func unknownDialects(key string, claimed, played []string) (problems []string) {
	for _, d := range claimed {
		if !slices.Contains(played, d) {
			problems = append(problems, unknown(key, d, played))
		}
	}
	return problems
}

// checkClaims returns what is wrong with the patterns by which an adapter narrows what it claims.
func checkClaims(key string, patterns, known []string) []string {
	var problems []string
	for _, p := range patterns {
		switch {
		case !doublestar.ValidatePattern(p):
			problems = append(problems, fmt.Sprintf("%q has the pattern %q, which is not well-formed", key, p))
		case !slices.ContainsFunc(known, func(word string) bool { return trace.MatchesAny([]string{p}, word) }):
			problems = append(problems, unknown(key, p, known))
		}
	}
	return problems
}

func unknown(key, word string, known []string) string {
	if hint := suggest.Hint(word, known); hint != "" {
		return fmt.Sprintf("%q has the unknown word %q%s", key, word, hint)
	}
	return fmt.Sprintf("%q has the unknown word %q; known are %s", key, word, strings.Join(known, ", "))
}

// misfit describes an error of json.Unmarshal in terms of JSON types instead of Go types.
func misfit(err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	if wrong.Field == "" {
		return "a line has to be a JSON object, and not a " + wrong.Value
	}
	return fmt.Sprintf("%q cannot be a %s", wrong.Field, wrong.Value)
}

// maxExcerpt is how much of a line a message shows, in bytes.
const maxExcerpt = 120

func excerpt(text []byte) string {
	if len(text) > maxExcerpt {
		return fmt.Sprintf("%q… (%d bytes)", strings.ToValidUTF8(string(text[:maxExcerpt]), ""), len(text))
	}
	return fmt.Sprintf("%q", text)
}

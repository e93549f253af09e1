package scenarios

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/wire"
)

// OfferedAs returns the names under which a request offers the tools of the scenario, by their own names. Many hosts put a
// namespace before a name, as in plugin-get_weather or mcp__server__get_weather. A tool that is not offered under
// any name like its own is missing. If it is known how the loop names them, only that counts: named has {tool} where the
// name is.
func (s *Scenario) OfferedAs(tools []wire.ToolDefinition, named string) map[string]string {
	free := map[string]bool{}
	for _, t := range tools {
		free[t.Name] = true
	}
	if named != "" {
		return s.offeredAs(free, named)
	}
	as := map[string]string{}
	names := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		names[i] = t.Name
	}
	// Longer names come first, so that deep_look is not treated as look in the namespace deep.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, like := range []func(offered, name string) bool{sameName, inNamespace, otherwiseSpelled} {
		for _, name := range names {
			var found []string
			for offered := range free {
				if as[name] == "" && like(offered, name) {
					found = append(found, offered)
				}
			}
			if len(found) == 1 { // several would be ambiguous
				as[name] = found[0]
				delete(free, found[0])
			}
		}
	}
	return as
}

// offeredAs returns the names of tools where it is known how the loop names them. A host may write an underscore for a dash, as
// Codex does (sanitize_responses_api_tool_name) and opencode (https://github.com/anomalyco/opencode/pull/1769).
func (s *Scenario) offeredAs(free map[string]bool, named string) map[string]string {
	as := map[string]string{}
	for _, dash := range []string{"-", "_"} {
		for _, t := range s.Tools {
			name := strings.ReplaceAll(named, "{tool}", strings.ReplaceAll(t.Name, "-", dash))
			if as[t.Name] == "" && free[name] {
				as[t.Name] = name
				delete(free, name)
			}
		}
	}
	return as
}

func sameName(offered, name string) bool { return offered == name }

// inNamespace reports whether a name is after another one: after a separator, or as a word that begins with a
// capital.
func inNamespace(offered, name string) bool {
	before, ok := strings.CutSuffix(offered, name)
	if !ok || before == "" {
		return false
	}
	last := rune(before[len(before)-1])
	return !unicode.IsLetter(last) && !unicode.IsDigit(last)
}

// otherwiseSpelled reports whether a name is the same, or is in a namespace, but for capitals and separators:
// getWeather for get_weather.
func otherwiseSpelled(offered, name string) bool {
	a, b := letters(offered), letters(name)
	return b != "" && (a == b || len(a) > len(b) && strings.HasSuffix(a, b) && strings.ContainsFunc(offered, isSeparator))
}

func isSeparator(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// letters returns the letters and digits of a name, all of them small.
func letters(name string) string {
	return strings.Map(func(c rune) rune {
		if isSeparator(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// CalledAs returns the turn with its calls under the names under which the tools are offered.
func (t *Turn) CalledAs(offered map[string]string) *Turn {
	if t.Answer == nil || !slices.ContainsFunc(t.Answer.Calls, func(c wire.AnswerCall) bool { return renamed(c, offered) }) {
		return t
	}
	turn, answer := *t, *t.Answer
	answer.Calls = slices.Clone(answer.Calls)
	for i, c := range answer.Calls {
		if renamed(c, offered) {
			answer.Calls[i].Tool, answer.Calls[i].Name = c.Name, offered[c.Name]
		}
	}
	turn.Answer = &answer
	return &turn
}

func renamed(c wire.AnswerCall, offered map[string]string) bool {
	return offered[c.Name] != "" && offered[c.Name] != c.Name
}

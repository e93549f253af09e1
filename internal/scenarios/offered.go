package scenarios

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/wire"
)

// OfferedAs returns the names under which a request offers the tools of the scenario, by their own
// names. Many hosts put a namespace before a name, as in plugin-get_weather or
// mcp__server__get_weather, and some spell names otherwise, so that every provider takes them. A
// tool that is not offered under any name like its own is missing. If it is known how the loop
// names them, only such names count: named has {tool} where the name is.
func (s *Scenario) OfferedAs(tools []wire.ToolDefinition, named string) map[string]string {
	o, all := newOffer(tools, named), s.AllTools()
	if as := o.unchanged(all); as != nil {
		return as
	}
	o.matchDescriptions(all)
	for _, like := range spellings {
		o.match(all, func(offered, name string) bool { return like(offered) == like(name) })
		if named == "" {
			o.match(all, func(offered, name string) bool { return inNamespace(like(offered), like(name)) })
		}
	}
	o.match(all, func(offered, name string) bool { return sameLetters(offered, name, named == "") })
	return o.as
}

// offer matches the tools of a scenario with those that a request offers.
type offer struct {
	free []offeredTool     // those that no tool of the scenario is offered as yet
	as   map[string]string // the names that were found, by those of the scenario
}

// offeredTool is a tool of a request. Its bare name is what it is offered as, without what is known
// to be around it.
type offeredTool struct{ name, bare, description string }

// newOffer returns the tools of a request whose names have the form named, where that is known.
func newOffer(tools []wire.ToolDefinition, named string) *offer {
	before, after, _ := strings.Cut(cmp.Or(named, "{tool}"), "{tool}")
	o := &offer{as: map[string]string{}}
	for _, t := range tools {
		bare, begins := strings.CutPrefix(t.Name, before)
		bare, ends := strings.CutSuffix(bare, after)
		if begins && ends && bare != "" {
			o.free = append(o.free, offeredTool{t.Name, bare, strings.TrimSpace(t.Description)})
		}
	}
	return o
}

// unchanged returns the names where each tool is offered under its own, and nil where one is not.
func (o *offer) unchanged(tools []Tool) map[string]string {
	as := map[string]string{}
	for _, t := range tools {
		at := slices.IndexFunc(o.free, func(f offeredTool) bool { return f.bare == t.Name })
		if at < 0 {
			return nil
		}
		as[t.Name] = o.free[at].name
	}
	return as
}

// match finds the tools whose names are like one that is offered, and like no other: several would
// be ambiguous. Longer names come first, so that deep_look is not treated as look in the namespace
// deep.
func (o *offer) match(tools []Tool, like func(offered, name string) bool) {
	byLength := slices.SortedStableFunc(slices.Values(tools), func(a, b Tool) int { return cmp.Compare(len(b.Name), len(a.Name)) })
	for _, t := range byLength {
		o.take(t.Name, func(f offeredTool) bool { return like(f.bare, t.Name) })
	}
}

// take notes under which of the free tools one is offered, if there is just one.
func (o *offer) take(name string, is func(offeredTool) bool) {
	if o.as[name] != "" {
		return
	}
	at := slices.IndexFunc(o.free, is)
	if at < 0 || slices.ContainsFunc(o.free[at+1:], is) {
		return
	}
	o.as[name] = o.free[at].name
	o.free = slices.Delete(o.free, at, at+1)
}

// matchDescriptions finds the tools that are offered with the description of one alone, under a
// name that resembles its own: a loop that spells names otherwise, or cuts them, and thereby makes
// two of them equal, numbers them or puts a hash after them.
func (o *offer) matchDescriptions(tools []Tool) {
	for _, t := range tools {
		description := strings.TrimSpace(t.Description)
		if description == "" || slices.ContainsFunc(tools, func(other Tool) bool {
			return other.Name != t.Name && strings.HasPrefix(strings.TrimSpace(other.Description), description)
		}) {
			continue
		}
		o.take(t.Name, func(f offeredTool) bool {
			return strings.HasPrefix(f.description, description) && resembles(f.bare, t.Name)
		})
	}
}

// spellings are the forms of names in which two are compared, one after the other. Only where two
// names are the same in one form is the next one needed to tell them apart: get_weather and
// getweather stand for get-weather and getWeather.
var spellings = []func(name string) string{
	func(name string) string { return name },
	underscored,
	strings.ToLower,
	func(name string) string { return strings.ToLower(underscored(name)) },
}

// underscored returns a name with an underscore for each separator, as Codex writes it
// (sanitize_responses_api_tool_name) and opencode
// (https://github.com/anomalyco/opencode/pull/1769).
func underscored(name string) string {
	return strings.Map(func(c rune) rune {
		if isSeparator(c) {
			return '_'
		}
		return c
	}, name)
}

// inNamespace reports whether a name is after something else and a separator.
func inNamespace(offered, name string) bool {
	before, ok := strings.CutSuffix(offered, name)
	if !ok || before == "" {
		return false
	}
	last := rune(before[len(before)-1])
	return !unicode.IsLetter(last) && !unicode.IsDigit(last)
}

// sameLetters reports whether a name is the same, or in a namespace where it may be, but for
// capitals and separators: getWeather for get_weather.
func sameLetters(offered, name string, namespace bool) bool {
	a, b := letters(offered), letters(name)
	return b != "" && (a == b || namespace && len(a) > len(b) && strings.HasSuffix(a, b) && strings.ContainsFunc(offered, isSeparator))
}

// resembles reports whether a name, or what is in it after a separator, begins with most of the
// letters of another.
func resembles(offered, name string) bool {
	want := letters(name)
	for {
		same := 0
		for got := letters(offered); same < min(len(got), len(want)) && got[same] == want[same]; {
			same++
		}
		if 2*same > len(want) {
			return true
		}
		at := strings.IndexFunc(offered, isSeparator)
		if at < 0 {
			return false
		}
		offered = offered[at+1:]
	}
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

// InNamespaces returns the turn with the namespaces of calls of tools that a request loads in the middle
// of the conversation.
func (t *Turn) InNamespaces(req *wire.Request) *Turn {
	own := map[string]bool{}
	for _, tool := range req.Offered() {
		own[tool.Name] = own[tool.Name] || tool.OwnNamespace
	}
	if t.Answer == nil || !slices.ContainsFunc(t.Answer.Calls, func(c wire.AnswerCall) bool { return own[c.Name] }) {
		return t
	}
	turn, answer := *t, *t.Answer
	answer.Calls = slices.Clone(answer.Calls)
	for i, c := range answer.Calls {
		if own[c.Name] {
			answer.Calls[i].Namespace = c.Name
		}
	}
	turn.Answer = &answer
	return &turn
}

func renamed(c wire.AnswerCall, offered map[string]string) bool {
	return offered[c.Name] != "" && offered[c.Name] != c.Name
}

// WithoutServerTools returns the turn without the blocks that tell of tools which the provider runs,
// and without the container in which they ran.
func (t *Turn) WithoutServerTools() *Turn {
	if t.Answer == nil || len(t.Answer.Blocks) == 0 && t.Answer.Container == "" {
		return t
	}
	turn, answer := *t, *t.Answer
	answer.Container = ""
	answer.Blocks = slices.DeleteFunc(slices.Clone(answer.Blocks), func(block wire.Raw) bool {
		kind := wire.Parsed(block).Get("type").Text()
		return kind == "server_tool_use" || kind == "mcp_tool_use" || strings.HasSuffix(kind, "_tool_result")
	})
	turn.Answer = &answer
	return &turn
}

package arguments

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// none are the ways in which a model says that a call has no arguments.
func none(arguments string) bool { return hooks.Blank(arguments) || arguments == "{}" }

var (
	nullMember = regexp.MustCompile(`,"\w+":null`)
	wordMember = regexp.MustCompile(`: *"(null|true|false)"`)
)

// lost are loops that read or write something else than the arguments that came.
var lost = []hooks.Fault{
	{
		Name:    "arguments/quotes-for-the-tool",
		Does:    "Single quotes in arguments become double ones before the tool sees them.",
		Reports: []string{"https://github.com/microsoft/semantic-kernel/issues/10132"},
		Breaks:  []string{"arguments/reach-the-tool"},
		Make:    onToolArguments(func(s string) string { return strings.ReplaceAll(s, "'", `\"`) }),
	},
	{
		Name:    "arguments/removes-nulls",
		Does:    "Arguments that are null are removed before the tool sees them.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/7108"},
		Breaks:  []string{"arguments/reach-the-tool"},
		Make:    onToolArguments(func(s string) string { return nullMember.ReplaceAllString(s, "") }),
	},
	{
		Name:    "arguments/reads-words-as-values",
		Does:    "Arguments that are the text null, true or false become these values before the tool sees them.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/10459"},
		Breaks:  []string{"arguments/reach-the-tool"},
		Make:    onToolArguments(func(s string) string { return wordMember.ReplaceAllString(s, ":$1") }),
	},
	{
		Name:      "arguments/writes-a-list-for-none",
		Does:      "Where there are no arguments, an empty list goes back.",
		Reports:   []string{"https://github.com/prism-php/prism/issues/896"},
		Only:      neutral.TextArguments,
		Elsewhere: "a list is no input, which is another fault.",
		Breaks:    []string{"arguments/same-value"},
		Make: hooks.EachCall(func(c *neutral.Call) {
			if none(c.Arguments) {
				c.Arguments = "[]"
			}
		}),
	},
	{
		Name:      "arguments/drops-calls-that-do-not-parse",
		Does:      "Calls whose arguments are not JSON are dropped, as if the model had not made them.",
		Reports:   []string{"https://github.com/charmbracelet/crush/issues/2776"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"execution/bad-call-survived", "execution/invalid-json-answered"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			var kept []*neutral.Call
			calls := a.Calls()
			for _, c := range calls {
				if !hooks.Unparsed(c) {
					kept = append(kept, c)
				}
			}
			if a.Finish() == neutral.Calls && len(kept) < len(calls) {
				a.SetCalls(kept...)
			}
		}),
	},
	{
		Name:      "arguments/asks-again-for-better-ones",
		Does:      "A turn whose arguments are not JSON is thrown away and asked for again.",
		Reports:   []string{"https://github.com/NousResearch/hermes-agent/pull/7693"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"execution/bad-call-survived", "limits/answer-asked-for-once"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Calls && slices.ContainsFunc(a.Calls(), hooks.Unparsed) {
				a.Status = http.StatusServiceUnavailable
			}
		}),
	},
	{
		Name:    "arguments/writes-line-ends-of-unix",
		Does:    "Line ends of Windows in the texts of arguments are those of Unix before the tool sees them.",
		Reports: []string{"https://github.com/use-agent-os/agent-os/issues/1909"},
		Breaks:  []string{"arguments/reach-the-tool"},
		Make:    onToolArguments(func(s string) string { return strings.ReplaceAll(s, `\r\n`, `\n`) }),
	},
	{
		Name:    "arguments/writes-names-in-snake-case",
		Does:    "The names of arguments are written in snake case before the tool sees them.",
		Reports: []string{"https://github.com/teradata-labs/loom/issues/339"},
		Breaks:  []string{"arguments/reach-the-tool"},
		Make:    onToolArguments(func(s string) string { return camelCaseKey.ReplaceAllStringFunc(s, snakeCase) }),
	},
	{
		Name:   "arguments/unwraps-lists-of-one",
		Does:   "A list of one item is the item when the tool sees it.",
		Breaks: []string{"arguments/reach-the-tool"},
		Make: onToolArguments(func(s string) string {
			gjson.Parse(s).ForEach(func(key, value gjson.Result) bool {
				if items := value.Array(); value.IsArray() && len(items) == 1 {
					s, _ = sjson.SetRaw(s, key.String(), items[0].Raw)
				}
				return true
			})
			return s
		}),
	},
	{
		Name:    "arguments/drops-reserved-names",
		Does:    "An argument that is called config does not reach the tool.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/34112", "https://github.com/langchain-ai/langchain/issues/38392"},
		Breaks:  []string{"arguments/reach-the-tool"},
		Make: onToolArguments(func(s string) string {
			if without, err := sjson.Delete(s, "config"); err == nil && gjson.Get(s, "config").Exists() {
				return without
			}
			return s
		}),
	},
}

var (
	camelCaseKey = regexp.MustCompile(`"[a-z]+[A-Z][A-Za-z]*":`)
	capital      = regexp.MustCompile(`[A-Z]`)
)

func snakeCase(name string) string { return strings.ToLower(capital.ReplaceAllString(name, "_$0")) }

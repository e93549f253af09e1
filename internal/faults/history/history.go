// Package history holds faults: loops that do not send back what was said and done before, as it
// was.
package history

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault {
	return slices.Concat(basic, added, short, blocks, kept)
}

var basic = []hooks.Fault{
	{
		Name:    "history/forgets-the-first-round",
		Does:    "From the third round on the first one is dropped.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/2667"},
		Breaks:  []string{"history/only-grows"},
		ByName:  []string{"history/earlier-messages-unchanged", "history/only-grows"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			rounds, seen := r.Rounds(), 0
			r.EachRound(func(round *hooks.Round) {
				if seen++; seen == 1 && rounds > 2 {
					round.Become()
				}
			})
		}),
	},
	{
		Name:    "history/shortens-old-results",
		Does:    "The results of earlier rounds are replaced by a note.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/333"},
		Breaks:  []string{"history/earlier-messages-unchanged"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			rounds, seen := r.Rounds(), 0
			r.EachRound(func(round *hooks.Round) {
				if seen++; seen < rounds {
					for _, x := range round.Results {
						x.Text = "[shown before]"
					}
				}
			})
		}),
	},
	{
		Name:   "history/sends-no-system-prompt",
		Does:   "The system prompt of the task is never sent.",
		Breaks: []string{"history/system-prompt-sent"},
		Make:   hooks.OnRequest(func(r *hooks.Request) { r.System = refloop.InForm("", r.Task.AnswerSchema) }),
	},
	{
		Name:   "history/adds-to-the-prompt",
		Does:   "What the user said is sent with an instruction after it.",
		Breaks: []string{"history/prompts-alone"},
		Make:   hooks.EachPrompt(func(_ *hooks.Request, said *neutral.Text) { said.Text += " Answer briefly." }),
	},
	{
		Name:   "history/loses-optional-parameters",
		Does:   "Parameters that are not required are not offered.",
		Breaks: []string{"history/tools-as-given"},
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
			schema := gjson.ParseBytes(t.Parameters)
			required := schema.Get("required").Raw
			schema.Get("properties").ForEach(func(name, _ gjson.Result) bool {
				if !strings.Contains(required, name.Raw) {
					t.Parameters = []byte(raw.Remove(string(t.Parameters), "properties."+name.String()))
				}
				return true
			})
		}),
	},
	{
		Name: "history/offers-objects-of-anything",
		Does: "Of the objects that are in lists, it is not offered what is in them.",
		Reports: []string{
			"https://github.com/microsoft/agent-framework/issues/2747", "https://github.com/OpenHands/software-agent-sdk/issues/3955",
			"https://github.com/elidickinson/pi-claude-bridge/issues/44", "https://github.com/cline/cline/pull/12860",
		},
		Breaks: []string{"history/schemas-as-given"},
		Make:   hooks.EachSchemaPart(hooks.ObjectsInLists(func(map[string]any) map[string]any { return map[string]any{"type": "object"} })),
	},
	{
		Name:    "history/offers-types-alone",
		Does:    "Of the parameters, the names and types are offered, and not what they are for.",
		Reports: []string{"https://github.com/livekit/agents/issues/4283", "https://github.com/olympkusai/metis/issues/3"},
		Breaks:  []string{"history/schemas-as-given"},
		Make: hooks.EachSchemaPart(func(part map[string]any) {
			delete(part, "description")
			delete(part, "enum")
		}),
	},
	{
		Name:    "history/drops-the-tools",
		Does:    "Once tools have run they are no longer offered.",
		Reports: []string{"https://github.com/dotnet/extensions/issues/7207", "https://github.com/continuedev/continue/issues/13254"},
		Breaks:  []string{"egress/tools-stay-defined", "history/tools-stay"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if slices.ContainsFunc(r.Messages, func(m neutral.Message) bool { return len(m.Results()) > 0 }) {
				r.Tools = nil
			}
		}),
	},
	{
		Name:    "history/reorders-the-tools",
		Does:    "The tools are in another order in each request, as those of a map are.",
		Reports: []string{"https://github.com/nextlevelbuilder/goclaw/issues/718", "https://github.com/maximhq/bifrost/issues/2347", "https://github.com/docker/docker-agent/issues/3233"},
		Breaks:  []string{"history/tools-stay"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if n := len(r.Tools); n > 1 {
				at := r.Number % n
				r.Tools = slices.Concat(r.Tools[at:], r.Tools[:at])
			}
		}),
	},
	{
		Name:    "history/reorders-the-keys-of-schemas",
		Does:    "The keys of each schema are in another order in each request, as those of a map are.",
		Reports: []string{"https://github.com/maximhq/bifrost/issues/2347", "https://github.com/Lakr233/FlowDown/issues/273", "https://github.com/ZyphrZero/kiro.rs/pull/6"},
		Breaks:  []string{"history/keys-keep-their-order"},
		Make:    hooks.EachTool(func(r *hooks.Request, t *protocol.Tool) { t.Parameters = turnedKeys(t.Parameters, r.Number) }),
	},
	{
		Name:      "history/reorders-the-keys-of-arguments",
		Does:      "The keys of the arguments that go back are in another order in each request, as those of a map are.",
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are a text, which is another one then.",
		Breaks:    []string{"history/keys-keep-their-order"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.EachRound(func(round *hooks.Round) {
				for _, c := range round.Calls() {
					c.Arguments = string(turnedKeys([]byte(c.Arguments), r.Number))
				}
			})
		}),
	},
	{
		Name:    "history/keeps-the-first-call-only",
		Does:    "Of several calls of a turn only the first goes back, with its result.",
		Reports: []string{"https://github.com/tmc/langchaingo/issues/1362", "https://github.com/crmne/ruby_llm/issues/241"},
		Breaks:  []string{"history/calls-come-back"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			first := r.Calls()[0]
			r.KeepParts(func(p neutral.Part) bool { return !hooks.IsCall(p) || p == first })
			r.Results = r.Results[:1]
		}),
	},
	{
		Name:   "history/drops-text-beside-calls",
		Does:   "The text of a turn with tool calls does not go back.",
		Breaks: []string{"history/text-comes-back"},
		Make:   hooks.EachRound(func(r *hooks.Round) { r.KeepParts(func(p neutral.Part) bool { return !hooks.IsText(p) }) }),
	},
	{
		Name:      "history/splits-text-from-calls",
		Does:      "The text of a turn goes back as a message of its own before the calls.",
		Reports:   []string{"https://github.com/openai/openai-agents-js/pull/817"},
		Unless:    neutral.Items,
		Elsewhere: "text and calls are items of their own.",
		Breaks:    []string{"history/turn-in-one-message", "egress/roles-take-turns"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if text := r.Turn.Text(); text != "" {
				r.KeepParts(func(p neutral.Part) bool { return !hooks.IsText(p) })
				r.Become(append([]neutral.Message{neutral.Says(neutral.Assistant, text)}, r.Messages()...)...)
			}
		}),
	},
	{
		Name:   "history/sends-one-message-per-call",
		Does:   "Each call of a turn goes back as a turn of its own.",
		Breaks: []string{"history/turn-in-one-message"},
		Unless: neutral.CallsByName, Elsewhere: "calls have no ids.",
		Make: hooks.EachRound(func(r *hooks.Round) {
			calls := r.Calls()
			if len(calls) != len(r.Results) {
				return
			}
			r.KeepParts(func(p neutral.Part) bool { return !hooks.IsCall(p) })
			var split []neutral.Message
			for i, call := range calls {
				one := neutral.Message{Role: neutral.Assistant, Parts: []neutral.Part{call}}
				if i == 0 {
					one.Parts = append(r.Turn.Parts, call)
				}
				split = append(split, one, hooks.Answering(r.Results[i]))
			}
			r.Become(split...)
		}),
	},
	{
		Name:   "history/forgets-the-conversation",
		Does:   "When the user goes on behind an answer, the history begins again.",
		Breaks: []string{"history/answers-come-back", "history/tool-turns-stay"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			parts := hooks.Conversation(r.Messages)
			if n := len(parts) - 1; n < 2 || hooks.AnsweredPrompt(parts[n-1]) {
				r.Messages = parts[n]
			}
		}),
	},
	{
		Name:   "history/forgets-its-answers",
		Does:   "When the user goes on, the earlier answers are not in the history.",
		Breaks: []string{"history/answers-come-back"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Drop(func(m neutral.Message) bool {
				return m.Role == neutral.Assistant && len(m.Calls()) == 0 && len(neutral.Of[*neutral.Foreign](m.Parts)) == 0
			})
		}),
	},
}

// turnedKeys returns an object whose keys begin at another one for each number. What is no object
// stays as it is.
func turnedKeys(object []byte, number int) []byte {
	var members []string
	read := gjson.ParseBytes(object)
	if !read.IsObject() {
		return object
	}
	read.ForEach(func(key, value gjson.Result) bool {
		members = append(members, key.Raw+":"+value.Raw)
		return true
	})
	if len(members) == 0 {
		return object
	}
	at := number % len(members)
	return []byte("{" + strings.Join(slices.Concat(members[at:], members[:at]), ",") + "}")
}

package scenarios_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// weather is a script for an application: a set of answers. Line numbers in the tests below count
// from its first line.
const weather = `# Answers about the weather.
loopproof: 1
title: Weather
when:
  system: {contains: assistant}
  headers: {X-Tenant: acme}
model:
  - when: {result: {tool: get_weather, contains: C}}
    text: 'It is {{ result "get_weather" }} in {{ group "city" }}.'
  - when:
      user: {matches: 'in (?P<city>\w+)'}
      tools: [get_weather]
    calls:
      - {as: it, tool: get_weather, arguments: '{"city": {{ group 1 | json }}}'}
  - text: I do not know.
`

func TestBadConditions(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown condition", "system:", "sytem:", `x.yaml:5:3: unknown key "sytem" (did you mean "system"?); the keys here are any-of, body, fields, first-user, headers, model, not, offers-tools, result, round, state, system, tools, turn, turn-from, user, wants-json, wants-schema`},
		{"unknown comparison", "{contains: assistant}", "{contain: assistant}", `x.yaml:5:12: unknown key "contain" (did you mean "contains"?); the keys here are contains, equals, matches`},
		{"comparison with nothing", "{contains: assistant}", "{contains: }", "x.yaml:5:22: expected a text"},
		{"no comparison", "{contains: assistant}", "{}", "x.yaml:5:11: say what the text has to be like: contains, equals, matches"},
		{"comparison with a list", "{contains: assistant}", "[a]", "x.yaml:5:11: expected a text, or a mapping with the keys contains, equals, matches"},
		{"condition without a value", "headers: {X-Tenant: acme}", "user:", "x.yaml:6:8: user has no value; give it one, or leave the key away"},
		{"when without a value", "  - text: I do not know.", "  - text: I do not know.\n    when:", "x.yaml:16:10: when has no value; leave the key away for every request"},
		{"comparison twice", "{contains: assistant}", "{contains: a, contains: b}", `x.yaml:5:25: the key "contains" is here twice`},
		{"no regular expression", `'in (?P<city>\w+)'`, "'in ('", "x.yaml:11:23: this is no regular expression: missing closing ): `in (`"},
		{"no name of a header", "X-Tenant", "X Tenant", `x.yaml:6:23: "X Tenant" is no name of a header`},
		{"field without a pointer", "headers: {X-Tenant: acme}", "fields: {metadata: acme}", `x.yaml:6:11: a field is named by a JSON pointer such as /metadata/tenant, not "metadata"`},
		{"turn before the first", "headers: {X-Tenant: acme}", "turn: 0", "x.yaml:6:9: turn counts from 1"},
		{"not many", "headers: {X-Tenant: acme}", "not: {turn: 1, round: 1}", "x.yaml:6:8: `not` takes one condition"},
		{"not nothing", "headers: {X-Tenant: acme}", "not: {}", "x.yaml:6:8: `not` takes one condition"},
		{"no alternatives", "headers: {X-Tenant: acme}", "any-of: []", "x.yaml:6:11: there is no alternative in the list"},
		{"alternative for all", "headers: {X-Tenant: acme}", "any-of: [{turn: 1}, {}]", "x.yaml:6:23: an alternative without conditions is every request"},
		{"bad alternative", "headers: {X-Tenant: acme}", "any-of: [{turn: 0}]", "x.yaml:6:19: turn counts from 1"},
		{"impossible alternative", "headers: {X-Tenant: acme}", "any-of: [{turn: 1, turn-from: 2}]", "x.yaml:6:33: no request fits: "},
		{"a state without a name", "headers: {X-Tenant: acme}", "state: {'': a}", "x.yaml:6:10: a state has a name"},
		{"no tool is named", "headers: {X-Tenant: acme}", "tools: []", "x.yaml:6:10: no tool is named; `offers-tools: false` is for requests that offer none"},
		{"key of a result", "{tool: get_weather, contains: C}", "{tol: get_weather}", `x.yaml:8:21: unknown key "tol" (did you mean "tool"?); the keys here are call, contains, equals, matches, tool`},

		{"step after a default", "  - text: I do not know.", "  - text: I do not know.\n  - text: Never.", "x.yaml:15:5: this step answers every request, so those after it are never asked"},
		{"steps with conditions after a prompt", "model:", "prompt: Hello.\nmodel:", "x.yaml:9:11: the steps of a scenario with a prompt come one after the other, so none has a `when`"},
		{"what is for a loop", "model:", "max-turns: 3\nmodel:", "x.yaml:7:12: max-turns is for a scenario that is played to a loop"},
		{"cancelled answer", "  - text: I do not know.", "  - text: I do not know.\n    cancel: {during: answer}", "x.yaml:16:13: an application cannot be cancelled"},
		{"refused answer", "  - text: I do not know.", "  - refused: true", "x.yaml:15:14: a server that refuses one connection refuses all"},
		{"no chance", "  - text: I do not know.", "  - text: I do not know.\n    chance: 0%", "x.yaml:16:13: a step without any chance is never asked; write a share above zero, such as 30%"},
		{"strange tool", "as: it, tool: get_weather", "as: it, tool: get weather", `x.yaml:14:24: a tool has a name of at most 64 letters, digits, _ and -, not "get weather"`},

		{"unknown word", `result "get_weather"`, `resutl "get_weather"`, `x.yaml:9:11: a template knows no "resutl" (did you mean "result"?); the values are and, at, eq, field, first_user, group, header, in_json, json, model, ne, not, or, result, round, system, turn, user`},
		{"open braces", `{{ result "get_weather" }}`, `{{ result`, "x.yaml:9:11: the template cannot be read: "},
		{"too many arguments", `result "get_weather"`, `user "me"`, "x.yaml:9:11: in a template user takes no arguments, not 1"},
		{"too few arguments", `result "get_weather"`, "field", "x.yaml:9:11: in a template field takes 1 to 2 arguments, not 0"},
		{"no pointer", `result "get_weather"`, `field "metadata"`, `x.yaml:9:11: in a template field takes a JSON pointer such as "/metadata/tenant", not "metadata"`},
		{"a loop", `{{ result "get_weather" }}`, `{{ range 3 }}a{{ end }}`, "x.yaml:9:11: a template has values, pipes and if, and not {{range 3}}a{{end}}"},
		{"a variable", `result "get_weather"`, `$x := user`, "x.yaml:9:11: a template has no variables: $x := user"},
		{"a dot", `result "get_weather"`, ".User", "x.yaml:9:11: a template knows no .User; the values are"},
		{"group of no expression", `result "get_weather"`, "group 1", "x.yaml:9:11: a template has groups where `when` lets `user` match a regular expression, and there is none here"},
		{"unknown group", "group 1", "group 2", `x.yaml:14:48: the regular expression /in (?P<city>\w+)/ has no group 2`},
		{"unknown named group", "group 1", `group "town"`, `x.yaml:14:48: the regular expression /in (?P<city>\w+)/ has no group named "town"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			good := weather
			if !strings.Contains(c.want, "group") || c.from == "group 1" { // by itself the group of the first step has no expression
				good = strings.Replace(weather, ` in {{ group "city" }}`, "", 1)
			}
			if !strings.Contains(good, c.from) {
				t.Fatalf("the script does not contain %q", c.from)
			}
			_, err := scenarios.Parse("x.yaml", []byte(strings.Replace(good, c.from, c.to, 1)), vocabulary)
			if err == nil {
				t.Fatal("the script was taken")
			}
			if !strings.Contains("\n"+err.Error(), "\n"+c.want) {
				t.Errorf("the error is\n\t%s\nwant\n\t%s", err, c.want)
			}
		})
	}
}

// ask reads a request in a dialect.
func ask(t *testing.T, dialect, body string) scenarios.Ask {
	t.Helper()
	read := map[string]func([]byte) (*wire.Request, error){chat.Dialect: chat.Read, messages.Dialect: messages.Read}[dialect]
	req, err := read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return scenarios.Ask{Request: req, Header: http.Header{"X-Tenant": {"acme"}}}
}

// The same conversation in both dialects: two turns of the model, of which the second called two
// tools.
var talks = map[string]string{
	chat.Dialect: `{"model":"gpt-x","metadata":{"tenant":"acme","n":3},"tools":[{"type":"function","function":{"name":"get_weather"}},{"type":"function","function":{"name":"look"}}],"messages":[
		{"role":"system","content":"You are an assistant."},
		{"role":"user","content":"Hello"},
		{"role":"assistant","content":"Hello."},
		{"role":"user","content":[{"type":"text","text":"The weather in "},{"type":"text","text":"Oslo?"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"look","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"b","content":"nothing"},
		{"role":"tool","tool_call_id":"a","content":"{\"degrees\":4}"}]}`,
	messages.Dialect: `{"model":"gpt-x","metadata":{"tenant":"acme","n":3},"system":[{"type":"text","text":"You are an assistant."}],"tools":[{"name":"get_weather","input_schema":{}},{"name":"look","input_schema":{}}],"messages":[
		{"role":"user","content":"Hello"},
		{"role":"assistant","content":"Hello."},
		{"role":"user","content":[{"type":"text","text":"The weather in "},{"type":"text","text":"Oslo?"}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}},{"type":"tool_use","id":"b","name":"look","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"nothing"},{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"{\"degrees\":4}"}]}]}]}`,
}

func TestConditions(t *testing.T) {
	for _, c := range []struct{ when, miss string }{
		{"{}", ""},
		{"{user: The weather in Oslo?}", ""},
		{"{user: the weather in oslo?}", `user: "The weather in Oslo?" is not "the weather in oslo?" (capitals count)`},
		{"{user: {contains: Lima}}", `user: "The weather in Oslo?" does not contain "Lima"`},
		{"{user: {contains: Oslo, matches: '^The'}}", ""},
		{"{user: {matches: '^Oslo'}}", `user: "The weather in Oslo?" does not match /^Oslo/`},
		{"{first-user: Hello, turn: 3, round: 2}", ""},
		{"{turn: 2}", "turn: it is 3, not 2"},
		{"{turn-from: 3}", ""},
		{"{turn-from: 4}", "turn-from: it is turn 3, before turn 4"},
		{"{round: 1}", "round: it is 2, not 1"},
		{"{system: {contains: assistant}}", ""},
		{"{model: gpt-x}", ""},
		{"{model: {matches: ^claude}}", `model: "gpt-x" does not match /^claude/`},
		{"{tools: [look, get_weather]}", ""},
		{"{tools: [look, fly]}", "tools: the request does not offer fly; it offers get_weather, look"},
		{"{offers-tools: true}", ""},
		{"{offers-tools: false}", "offers-tools: the request offers get_weather, look"},
		{"{not: {offers-tools: false}}", ""},
		{"{state: {order: ''}}", ""},
		{"{state: {order: paid}}", `state/order: "" is not "paid"`},
		{"{wants-schema: City}", `wants-schema: "" is not "City"`},
		{"{any-of: [{user: Hello}, {model: gpt-x}]}", ""},
		{"{not: {any-of: [{user: Hello}, {model: gpt-y}]}}", ""},
		{"{any-of: [{user: Hello, turn: 1}, {user: {contains: Oslo Lima}, turn: 3}]}", `any-of: none of the 2 alternatives fits; the nearest misses user: "The weather in Oslo?" does not contain "Oslo Lima"`},
		{"{result: {}}", ""},
		{"{result: {tool: get_weather, contains: degrees}}", ""},
		{"{result: {equals: nothing}}", ""},
		{"{result: {tool: fly}}", "result: the result is of the tool get_weather, not of fly"},
		{"{result: {tool: look, equals: all}}", `result: the result is of the tool get_weather, not of look`},
		{"{result: {call: call_9}}", `result: the result is of the call a, not of call_9`},
		{"{result: {call: a, contains: degrees}}", ""},
		{"{body: {contains: get_weather, matches: messages}}", ""},
		{"{not: {body: {contains: Lima}}}", ""},
		{"{not: {result: {}}}", "not/result: the condition holds, and must not"},
		{"{not: {user: Hello}}", ""},
		{"{headers: {x-tenant: acme}}", ""},
		{"{headers: {X-Other: a}}", `headers/X-Other: "" is not "a"`},
		{"{fields: {/metadata/tenant: acme, /metadata/n: 3, /messages/0/role: {matches: .}}}", ""},
		{"{fields: {/metadata/none: acme}}", `fields/metadata/none: "" is not "acme"`},
	} {
		s, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\ntitle: t\nwhen: "+c.when+"\nmodel: [{text: a}]\n"), vocabulary)
		if err != nil {
			t.Errorf("%s: %v", c.when, err)
			continue
		}
		for dialect, body := range talks {
			a := ask(t, dialect, body)
			misses := s.When.Misses(a)
			if s.When.Fits(a) != (len(misses) == 0) {
				t.Errorf("in %s %s fits: %v, and misses %v", dialect, c.when, s.When.Fits(a), misses)
			}
			var got string
			if len(misses) > 0 {
				got = misses[0].String()
			}
			if got != c.miss || len(misses) > 1 {
				t.Errorf("in %s %s gives %q (%d in all), want %q", dialect, c.when, got, len(misses), c.miss)
			}
		}
	}
}

func TestConditionsInWords(t *testing.T) {
	for when, want := range map[string]string{
		"{}": "every request",
		"{user: a, first-user: {contains: b}, system: {matches: c, contains: d}, model: e}": `user is "a", first-user contains "b", system contains "d" and matches /c/, model is "e"`,
		"{result: {}}":                             "result",
		"{result: {tool: look, equals: a}}":        `result of look is "a"`,
		"{result: {call: c}, body: {contains: d}}": `body contains "d", result of c`,
		"{tools: [a, b], turn: 3, round: 2}":       "tools a, b, turn 3, round 2",
		"{headers: {X-A: b}, fields: {/c: '1'}}":   `header X-A is "b", field /c is "1"`,
		"{not: {result: {tool: look}}}":            "not: result of look",

		"{any-of: [{user: a, turn: 1}, {offers-tools: false}], wants-schema: b, state: {c: d}}": `wants-schema is "b", state c is "d", any of (user is "a", turn 1; or offers-tools false)`,
	} {
		if got := parse(t, "loopproof: 1\ntitle: t\nwhen: "+when+"\nmodel: [{text: a}]\n").When.String(); got != want {
			t.Errorf("%s is said as %s, want %s", when, got, want)
		}
	}
}

// A user who adds something to tool results has spoken, in either dialect.
func TestTextBesideResultsIsOfTheUser(t *testing.T) {
	for dialect, added := range map[string]string{
		chat.Dialect:     strings.TrimSuffix(talks[chat.Dialect], "]}") + `,{"role":"user","content":"Be quick."}]}`,
		messages.Dialect: strings.TrimSuffix(talks[messages.Dialect], "]}]}") + `,{"type":"text","text":"Be quick."}]}]}`,
	} {
		a := ask(t, dialect, added)
		if a.User() != "Be quick." || a.Round() != 1 || len(a.LastResults()) != 2 {
			t.Errorf("in %s the user says %q, in round %d, after %v", dialect, a.User(), a.Round(), a.LastResults())
		}
	}
}

func TestTemplates(t *testing.T) {
	for _, c := range []struct{ template, want, problem string }{
		{"plain", "plain", ""},
		{"{{ user }}|{{ first_user }}|{{ system }}|{{ model }}|{{ turn }}|{{ round }}", "The weather in Oslo?|Hello|You are an assistant.|gpt-x|3|2", ""},
		{`{{ result }}, {{ result "look" }}`, `{"degrees":4}, nothing`, ""},
		{`{{ result "get_weather" | at "/degrees" }}`, "4", ""},
		{`{{ field "/metadata/tenant" }} {{ field "/metadata" }} {{ field "/metadata/x" "none" }}`, `acme {"tenant":"acme","n":3} none`, ""},
		{`{{ header "X-Tenant" }} {{ header "X-Other" "-" }}`, "acme -", ""},
		{`{{ group 0 }}: {{ group 1 }} {{ group "city" | json }}`, `in Oslo: Oslo "Oslo"`, ""},
		{`{{ if eq (result "look") "nothing" }}none{{ else }}some{{ end }}{{/* not shown */}}`, "none", ""},
		{`{{ "{{" }}`, "{{", ""},
		{`{{ result "fly" "not yet" }}`, "not yet", ""},
		{`{{ result "fly" }}`, "", "step 1 of x cannot answer: in its text, the request carries no result of the tool fly"},
		{`{{ field "/none" }}`, "", "step 1 of x cannot answer: in its text, the request has no field /none"},
		{`{{ header "X-Other" }}`, "", "step 1 of x cannot answer: in its text, the request has no header X-Other"},
		{`{{ result "look" | at "/a" }}`, "", `step 1 of x cannot answer: in its text, "nothing" is not JSON, so it has no /a`},
		{`{{ result | at "/a" }}`, "", `step 1 of x cannot answer: in its text, "{\"degrees\":4}" has no /a`},
	} {
		s := parse(t, "loopproof: 1\ntitle: t\nwhen: {user: {matches: 'in (?P<city>\\w+)'}}\nmodel:\n  - text: |-\n      "+c.template+"\n")
		for dialect, name := range map[string]string{chat.Dialect: "openai", messages.Dialect: "anthropic"} {
			turn, err := compile(t, s, name).Answer(0, ask(t, dialect, talks[dialect]))
			switch {
			case err != nil && err.Error() != c.problem:
				t.Errorf("in %s %s fails with %q, want %q", dialect, c.template, err, c.problem)
			case err == nil && turn.Answer.Text != c.want:
				t.Errorf("in %s %s gives %q, want %q", dialect, c.template, turn.Answer.Text, c.want)
			}
		}
	}
}

func parse(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("x.yaml", []byte(text), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compile(t *testing.T, s *scenarios.Scenario, profile string) *scenarios.Script {
	t.Helper()
	p, err := profiles.Get(profile)
	if err != nil {
		t.Fatal(err)
	}
	return scenarios.Compile(s, p, "secret")
}

// Arguments are filled in as JSON, and what is none is nothing that a model would write.
func TestFilledArguments(t *testing.T) {
	script := "loopproof: 1\ntitle: t\nmodel:\n  - when: {}\n    calls: [{as: a, tool: look, arguments: '{\"q\": ARG}'}]\n"
	tricky := ask(t, chat.Dialect, `{"messages":[{"role":"user","content":"a \"b\" \n c"}]}`)
	good := compile(t, parse(t, strings.Replace(script, "ARG", "{{ user | json }}", 1)), "anthropic")
	turn, err := good.Answer(0, tricky)
	if err != nil || turn.Answer.Calls[0].Arguments != `{"q": "a \"b\" \n c"}` {
		t.Errorf("the call is %+v, %v", turn, err)
	}
	again, _ := good.Answer(0, tricky)
	other, _ := good.Answer(0, ask(t, chat.Dialect, talks[chat.Dialect]))
	if id := turn.Answer.Calls[0].ID; id != again.Answer.Calls[0].ID || id == other.Answer.Calls[0].ID {
		t.Errorf("the ids are %s, the same again %s, and in another request %s", id, again.Answer.Calls[0].ID, other.Answer.Calls[0].ID)
	}
	_, err = compile(t, parse(t, strings.Replace(script, "ARG", `"{{ user }}"`, 1)), "openai").Answer(0, tricky)
	if err == nil || !strings.Contains(err.Error(), "the arguments that it fills in are no JSON object") {
		t.Errorf("arguments that are no JSON end in %v", err)
	}
}

// A scenario with a prompt is what it always was: its texts are as they are, braces and all.
func TestTextsOfAConversationAreNoTemplates(t *testing.T) {
	s := parse(t, "loopproof: 1\ntitle: t\nprompt: a\nmodel:\n  - text: '{{ user }} {{ nonsense'\n")
	if got := compile(t, s, "openai").Turns[0].Answer.Text; got != "{{ user }} {{ nonsense" {
		t.Errorf("the text is %q", got)
	}
}

func TestNoChanceAndNoStateInAConversation(t *testing.T) {
	for _, key := range []string{"chance: 10%", "state: {a: b}"} {
		_, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\ntitle: t\nprompt: Go.\nmodel:\n  - text: a\n    "+key+"\n"), vocabulary)
		if want := "x.yaml:5:5: in a scenario with a prompt nothing happens by chance"; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", key, err, want)
		}
	}
}

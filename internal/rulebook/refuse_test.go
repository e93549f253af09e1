package rulebook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

func read(t *testing.T, body string) *wire.Request {
	t.Helper()
	req, err := chat.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// TestRefuse: a provider refuses with the first thing that it minds, in its own words.
func TestRefuse(t *testing.T) {
	const (
		user     = `{"role":"user","content":"hi"}`
		call     = `{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`
		calls    = `{"role":"assistant","tool_calls":[` + call + `,{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}`
		result   = `{"role":"tool","tool_call_id":"a","content":"1"}`
		begun    = `{"role":"assistant","content":"It is"}`
		openBody = `{"model":"m","messages":[`
	)
	named := func(ids ...string) string { // a turn with a call of each id, and their results
		var calls, results []string
		for _, id := range ids {
			calls = append(calls, `{"id":"`+id+`","type":"function","function":{"name":"f","arguments":"{}"}}`)
			results = append(results, `{"role":"tool","tool_call_id":"`+id+`","content":"1"}`)
		}
		return `{"role":"assistant","tool_calls":[` + strings.Join(calls, ",") + `]},` + strings.Join(results, ",")
	}
	for _, test := range []struct {
		name, profile, body string
		rule                string // "" where it is taken
		status              int
		message             string
	}{
		{"all is well", "openai", openBody + user + `]}`, "", 0, ""},
		{"no model, and no messages either", "openai", `{}`, "egress/model-named", 400, "you must provide a model parameter"},
		{"an empty list", "openai", `{"model":"m","messages":[]}`, "egress/messages-given", 400,
			"Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."},
		{"no list at all", "openai", `{"model":"m"}`, "egress/messages-given", 400, "Missing required parameter: 'messages'."},
		{"a message without a role", "openai", openBody + `{"content":"hi"}]}`, "egress/messages-given", 400, "Missing required parameter: 'messages[0].role'."},
		{"a text for a list", "openai", `{"model":"m","messages":"hi"}`, "egress/messages-given", 400, "Invalid type for 'messages': expected an array of objects, but got a string instead."},
		{"a result without an id", "openai", openBody + user + `,` + calls + `,{"role":"tool","content":"1"}]}`, "pairing/ids-present", 400,
			"Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."},
		{"a call without an id", "openai", openBody + user + `,{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]},` + result + `]}`, "pairing/ids-present", 400,
			"Missing required parameter: 'messages[1].tool_calls[0].id'."},
		{"a message that is none", "mistral", openBody + user + `,7]}`, "egress/messages-given", 422, "messages[1]: Input should be a valid list"},
		{"an unknown role before open calls", "openai", openBody + calls + `,{"role":"robot","content":"x"}]}`, "egress/known-roles", 400,
			"Invalid value: 'robot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."},
		{"open calls", "openai", openBody + user + `,` + calls + `,` + result + `]}`, "pairing/every-call-answered", 400,
			"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b"},
		{"open calls, elsewhere", "mistral", openBody + user + `,` + calls + `,` + result + `]}`, "pairing/every-call-answered", 400,
			"Not the same number of function calls and responses"},
		{"a doubled result", "openai", openBody + user + `,` + calls + `,` + result + `,` + result + `]}`, "pairing/one-result-per-call", 400,
			"Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and messages[3]."},
		{"reasoning that is missing", "deepseek", openBody + user + `,{"role":"assistant","content":"","tool_calls":[` + call + `]},` + result + `]}`, "reasoning/resent-on-tool-turns", 400,
			"The `reasoning_content` in the thinking mode must be passed back to the API."},
		{"reasoning that is there", "deepseek-r1", openBody + user + `,{"role":"assistant","content":"x","reasoning_content":""}]}`, "reasoning/withheld", 400,
			"The reasoning_content is an intermediate result, and should not be included in the input messages: messages[1].reasoning_content"},
		{"reasoning of null", "deepseek-r1", openBody + user + `,{"role":"assistant","content":"x","reasoning_content":null},` + user + `]}`, "", 0, ""},
		{"arguments as an object", "openai", openBody + user + `,{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{}}}]},` + result + `]}`,
			"egress/arguments-are-text", 400, "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead."},
		{"arguments as an object, which Mistral takes", "mistral", openBody + user + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]},` + result + `]}`, "", 0, ""},
		{"an index in a call, which OpenAI takes", "openai", openBody + user + `,{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},` + result + `]}`,
			"", 0, ""},
		{"two ids that end alike, for a provider that looks at their ends", "mistral-common", openBody + user + `,` + named("call_1234567890", "call_0234567890") + `]}`, "pairing/ids-distinct", 400,
			"Duplicate tool call id 234567890 in assistant message"},
		{"two ids that begin alike", "mistral-common", openBody + user + `,` + named("call_1234567890", "call_1234567891") + `]}`, "", 0, ""},
		{"two ids that end alike, for others", "mistral", openBody + user + `,` + named("call_1234567890", "call_0234567890") + `]}`, "", 0, ""},
		{"an id whose end has punctuation", "mistral-common-v11", openBody + user + `,` + named("call_12345678-0", "call_0234567891") + `]}`, "pairing/id-form", 400,
			"Tool call id was 2345678-0 but must be a-z, A-Z, 0-9, with a length of 9."},
		{"an answer begun for the model", "mistral-common", openBody + user + `,` + begun + `]}`, "egress/last-message", 400,
			"Cannot set `add_generation_prompt` to True when the last message is from the assistant. Consider using `continue_final_message` instead."},
		{"an answer begun in the way of another provider", "mistral-common", openBody + user + `,{"role":"assistant","content":"It is","prefix":true}]}`, "egress/last-message", 400,
			"Cannot set `add_generation_prompt` to True when the last message is from the assistant. Consider using `continue_final_message` instead."},
		{"an answer begun in the provider's way", "mistral-common", `{"model":"m","continue_final_message":true,"add_generation_prompt":false,"messages":[` + user + `,` + begun + `]}`, "", 0, ""},
		{"an answer begun with its mark", "mistral", openBody + user + `,{"role":"assistant","content":"It is","prefix":true}]}`, "", 0, ""},
		{"an answer begun where that is taken", "llamacpp", openBody + user + `,` + begun + `]}`, "", 0, ""},
		{"two answers at the end", "llamacpp", openBody + user + `,` + begun + `,` + begun + `]}`, "egress/last-message", 400,
			"Cannot have 2 or more assistant messages at the end of the list."},
		{"a call at the end", "llamacpp", openBody + user + `,` + calls + `]}`, "egress/last-message", 400,
			"Cannot continue an assistant message that contains tool calls."},
		{"what only rules about runs see", "openai", openBody + user + `,{"role":"assistant","tool_calls":[` + call + `]},{"role":"tool","tool_call_id":"a","content":"made up"}]}`, "", 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			refusal, words, refused := rulebook.Refuse(Profile(t, test.profile), read(t, test.body))
			if refused != (test.rule != "") || refusal.Rule != test.rule || refusal.Status != test.status || refusal.Message != test.message || words.Message != test.message {
				t.Errorf("refused is %v: %+v\nwith the words %q", refused, refusal, words.Message)
			}
			if refusal.Given {
				t.Error("it says that the refusal was given")
			}
		})
	}
}

func TestEveryProfileKeepsToTheBook(t *testing.T) {
	for _, p := range profiles.All() {
		if err := rulebook.CheckProfile(p); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

func TestCheckProfile(t *testing.T) {
	for _, test := range []struct {
		name, rule, message string
		want                []string // the error says all of this
	}{
		{"fine", "pairing/one-result-per-call", "doubled {id} in {first} and {second}", nil},
		{"no variable at all", "pairing/one-result-per-call", "doubled", nil},
		{"an unknown rule", "pairing/one-result-per-cal", "x", []string{`"pairing/one-result-per-cal"`, `did you mean "pairing/one-result-per-call"`, "a-provider.yaml:24:11"}},
		{"an unknown variable", "pairing/one-result-per-call", "doubled {ids}", []string{"{ids}", `did you mean "id"`, "at, id, first, second"}},
		{"a variable of a rule that offers none", "egress/no-empty-tool-list", "{id}", []string{"egress/no-empty-tool-list offers none"}},
		{"a variable of another rule", "egress/model-named", "{index}", []string{"{index}", "egress/model-named"}},
		{"a rule of another dialect", "egress/flat-tools", "x", []string{"egress/flat-tools is not about the dialect chat"}},
		{"a rule about runs", "history/only-grows", "x", []string{"a provider cannot see a violation of history/only-grows in a request"}},
		{"a rule about runs of which a provider sees a part", "reasoning/empty-resent", "messages[{index}]", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := profiles.Parse("a-provider.yaml", []byte(strings.NewReplacer("RULE", test.rule, "MESSAGE", test.message).Replace(acme)))
			if err != nil {
				t.Fatal(err)
			}
			err = rulebook.CheckProfile(p)
			if (err != nil) != (test.want != nil) {
				t.Fatalf("the error is %v", err)
			}
			if i := slices.IndexFunc(test.want, func(part string) bool { return !strings.Contains(err.Error(), part) }); i >= 0 {
				t.Errorf("the error does not say %s:\n%v", test.want[i], err)
			}
		})
	}
}

// TestCheckProfileInstead: other words speak of what the rule offers, and are for violations that
// it describes so.
func TestCheckProfileInstead(t *testing.T) {
	for instead, want := range map[string]string{
		"{when: {id: a}, message: twice a}":         "",
		"{when: {id: a}, message: \"twice {idd}\"}": `unknown variable {idd} (did you mean "id"?)`,
		"{when: {idd: a}, message: twice a}":        `unknown variable {idd} (did you mean "id"?)`,
	} {
		text := strings.NewReplacer("RULE", "pairing/one-result-per-call", "MESSAGE", "doubled").Replace(acme)
		p, err := profiles.Parse("a-provider.yaml", []byte(strings.Replace(text, "    status: 400\n", "    status: 400\n    instead: ["+instead+"]\n", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := rulebook.CheckProfile(p); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", instead, err, want)
		}
	}
}

// TestCheckUsualWords: a refusal without words has those of its provider about forms, which have to
// do for each way to break the rule.
func TestCheckUsualWords(t *testing.T) {
	const refusal = "like: openai-responses\ntitle: Acme\nloopproof: 1\nalso-refuses: [{rule: RULE, status: 400, known-by: unnamed}]\n"
	for _, c := range []struct{ rule, form, want string }{
		{"egress/arguments-given", "", ""},
		{"egress/arguments-given, only: {breaks: [type]}", "[{when: {breaks: type}, message: No.}]", ""},
		{"egress/arguments-given", "[{when: {breaks: type}, message: No.}, {when: {breaks: required}, message: None.}]", ""},
		{"egress/arguments-given", "[{when: {breaks: type}, message: No.}]", "egress/arguments-given breaks required, for which neither the refusal nor errors/form has words"},
		{"egress/arguments-given", "[{when: {breaks: type}, message: No.}, {when: {breaks: required}, message: \"{kye}\"}]", `unknown variable {kye} (did you mean "key"?)`},
		{"pairing/no-orphan-result", "", "pairing/no-orphan-result needs a message"},
	} {
		text := strings.Replace(refusal, "RULE", c.rule, 1)
		if c.form != "" {
			text += "errors: {form: " + c.form + "}\n"
		}
		p, err := profiles.Parse("a-provider.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p.Refuses = slices.DeleteFunc(p.Refuses, func(r profiles.Refusal) bool { return !strings.HasPrefix(c.rule, r.Rule) })
		if err := rulebook.CheckProfile(p); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: the error is %v, want %q", c.rule, c.form, err, c.want)
		}
	}
}

// TestCheckContradictingRules: the rules under contradicts-others exist.
func TestCheckContradictingRules(t *testing.T) {
	p, err := profiles.Parse("a-provider.yaml", []byte(acme+"contradicts-others: [reasoning/withheld, reasoning/witheld]\n"))
	if err != nil {
		t.Fatal(err)
	}
	p.Refuses = nil
	err = rulebook.CheckProfile(p)
	if err == nil || !strings.Contains(err.Error(), `unknown rule "reasoning/witheld" (did you mean "reasoning/withheld"?)`) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

// TestCheckTakenRules: the rules under takes exist.
func TestCheckTakenRules(t *testing.T) {
	p, err := profiles.Get("gemini-2.5")
	if err != nil {
		t.Fatal(err)
	}
	mistaken := *p
	mistaken.Takes = []string{"pairing/no-orphan-result", "pairing/no-orphan"}
	if err := rulebook.CheckProfile(&mistaken); err == nil || !strings.Contains(err.Error(), `unknown rule "pairing/no-orphan"`) {
		t.Errorf("the error is %v", err)
	}
}

// acme is a profile whose one refusal is to be filled in.
const acme = `loopproof: 1
title: Acme
dialect: chat
completion-id: acme-{hex:8}
call-id: call_{alnum:24}
shape:
  answer: {id: $id, choices: [{message: {content: $text or null, tool_calls: $calls}, finish_reason: $finish}], usage: $usage}
  call: {id: $id, function: {name: $name, arguments: $arguments}}
  usage: {total_tokens: $total}
  stream:
    chunk: {id: $id, choices: $choices, usage: $usage}
    choice: {delta: $delta, finish_reason: $finish or null}
    text: {content: $text}
    calls: {tool_calls: $calls}
    call: {index: $index, id: $id, function: {name: $name, arguments: $arguments}}
    end: {}
    usage: when-asked
reasoning:
  resend: none
errors:
  envelope: {error: {message: $message, type: $type, code: $status}}
  in-band: {error: {message: $message}}
refuses:
  - rule: RULE
    status: 400
    message: "MESSAGE"
    known-by: reported
    sources: [https://example.com/issues/1]
`

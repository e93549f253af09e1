package stubs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/importing/stubs"
)

const chat = `"method":"POST","urlPath":"/v1/chat/completions"`

// TestWireMock: the conditions and delays of each stub, without its fixture, and what is said of
// it.
func TestWireMock(t *testing.T) {
	for _, test := range []struct{ name, request, response, script, notes string }{
		{"everything", chat, `"body":"a"`, "  - fixture: 01.http\n", ""},
		{"body", chat + `,"bodyPatterns":[{"contains":"a"},{"contains":"b."},{"doesNotContain":"c"}]`, `"body":"a"`,
			"  - when:\n      body:\n        contains: a\n        matches: b\\.\n      not:\n        body:\n          contains: c\n    fixture: 01.http\n", ""},
		{"regular expressions", chat + `,"bodyPatterns":[{"matches":".*a"}],"headers":{"X-A":{"equalTo":"b","caseInsensitive":true},"X-B":{"absent":true}}`, `"body":"a"`,
			"  - when:\n      body:\n        matches: ^(?:.*a)$\n      headers:\n        X-A:\n          matches: (?i)^(?:b)$\n      not:\n        headers:\n          X-B:\n            matches: (?s).\n    fixture: 01.http\n", ""},
		{"JSON paths", chat + `,"bodyPatterns":[{"and":[{"matchesJsonPath":"$.stream"},{"matchesJsonPath":{"expression":"$.messages[0]['content']","contains":"a"}}]},{"matchesJsonPath":"$[?(@.model == 'm')]"}]`, `"body":"a"`,
			"  - when:\n      fields:\n        /messages/0/content:\n          contains: a\n        /model:\n          equals: m\n        /stream:\n          matches: (?s).\n    fixture: 01.http\n", ""},
		{"JSON", chat + `,"bodyPatterns":[{"equalToJson":"{\"a/b\":[1,\"x\"],\"c\":\"${json-unit.ignore}\"}","ignoreArrayOrder":true}]`, `"body":"a"`,
			"  - when:\n      fields:\n        /a~1b/0:\n          equals: '1'\n        /a~1b/1:\n          equals: x\n    fixture: 01.http\n",
			"differs x.json/request/bodyPatterns: the request may have further fields\ndiffers x.json/request/bodyPatterns: lists have to be in this order"},
		{"key", chat + `,"headers":{"Authorization":{"equalTo":"Bearer sk-abcdefghijklmnopqrstuvwxyz"}}`, `"body":"a"`, "  - fixture: 01.http\n",
			"differs x.json/request/headers/Authorization: any key is accepted"},
		{"delays", chat, `"body":"a","delayDistribution":{"type":"uniform","lower":100,"upper":300},"chunkedDribbleDelay":{}`,
			"  - fixture: 01.http\n    behaviour:\n      first-token: 200ms\n      jitter: 50%\n", "differs x.json/response/chunkedDribbleDelay: the answer is sent in one piece"},
		{"delayed error", chat, `"status":500,"fixedDelayMilliseconds":5`, "  - fixture: 01.http\n", "differs x.json/response: an error is sent without delay"},
		{"reset", chat, `"fault":"CONNECTION_RESET_BY_PEER"`, "  - reset:\n      before: headers\n", ""},
		{"no answer", chat, `"fault":"EMPTY_RESPONSE"`, "  - cut:\n      before: headers\n", ""},
		{"braces", chat, `"body":"{{a}}"`, "  - fixture: 01.http\n", "differs x.json/response: what is in double braces is sent as it is, as WireMock does without global templates"},
		{"body in a file", chat, `"bodyFileName":"here.json"`, "  - fixture: 01.http\n", ""},
		{"no such file", chat, `"bodyFileName":"gone.json"`, "", "lost x.json: there is no gone.json"},
		{"template", chat, `"body":"{{request.body}}","transformers":["response-template"]`, "", "lost x.json: WireMock makes its answer by a template of the request"},
		{"proxy", chat, `"proxyBaseUrl":"https://api.openai.com"`, "", "lost x.json: it forwards requests; loopproof serve --fallback does so for those that no script answers"},
		{"other fault", chat, `"fault":"RANDOM_DATA_THEN_CLOSE"`, "", "lost x.json: the fault RANDOM_DATA_THEN_CLOSE has no counterpart in a script"},
		{"list of values", chat + `,"bodyPatterns":[{"matchesJsonPath":"$.messages[*].content"}]`, "", "", "lost x.json: bodyPatterns/0: the JSONPath $.messages[*].content names no single value, and a script compares single values"},
		{"other matcher", chat + `,"bodyPatterns":[{"matchesXPath":"/a"}]`, "", "", "lost x.json: bodyPatterns/0: the condition matchesXPath has no counterpart in a script"},
		{"cookies", chat + `,"cookies":{}`, "", "", "lost x.json: the condition cookies has no counterpart in a script"},
		{"query", chat + `,"queryParameters":{"api-version":{"equalTo":"1"}}`, "", "", "lost x.json: it has a condition on the query parameter api-version, and a script has none"},
		{"two that must not hold", chat + `,"bodyPatterns":[{"doesNotContain":"a"},{"doesNotMatch":"b"}]`, "", "", "lost x.json: bodyPatterns/1: it has several conditions that must not hold, and a script has one"},
		{"other path", `"urlPath":"/health"`, "", "", "lost x.json: its URL is none at which a model is asked for a turn"},
		{"several wire APIs", `"urlPattern":"/.*"`, "", "", "lost x.json: its URL is that of several wire APIs: say which by its path"},
		{"other method", `"method":"GET","urlPath":"/v1/models"`, "", "", "lost x.json: GET does not ask a model for a turn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			script, notes := wireMock(t, `{"request":{`+test.request+`},"response":{`+test.response+`}}`)
			if got := said(notes); got != test.notes {
				t.Errorf("it is said\n%s\nwant\n%s", got, test.notes)
			}
			if script != test.script {
				t.Errorf("the script is\n%s\nwant\n%s", script, test.script)
			}
		})
	}
}

// wireMock returns the steps of the script of a file, without the comment of the first.
func wireMock(t *testing.T, text string) (string, []stubs.Note) {
	t.Helper()
	root := parse(t, text)
	if !stubs.IsWireMock(root) || stubs.IsAimock(root) {
		t.Error("it is not recognised")
	}
	file := stubs.WireMockFile{Name: "x.json", Root: root, Body: func(name string) ([]byte, error) {
		if name == "here.json" {
			return []byte("{}"), nil
		}
		return nil, errors.New("there is no " + name)
	}}
	scripts, notes := stubs.WireMock("x", []stubs.WireMockFile{file}, spoken())
	if len(scripts) == 0 {
		return "", notes
	}
	yaml, err := scripts[0].YAML("x.json")
	if err != nil {
		t.Fatal(err)
	}
	_, steps, _ := strings.Cut(string(yaml), "model:\n")
	_, steps, _ = strings.Cut(steps, "\n")
	return steps, notes
}

// The states of a scenario are those of a script, and Started is that nothing has set one.
func TestWireMockStates(t *testing.T) {
	stub := func(required, next string) string {
		return `{"scenarioName":"s","requiredScenarioState":"` + required + `","newScenarioState":"` + next + `","request":{` + chat + `},"response":{"body":"` + required + `"}}`
	}
	for name, test := range map[string]struct{ stubs, script string }{
		"first":   {stub("Started", "b"), "  - when:\n      state:\n        s: ''\n    state:\n      s: b\n    fixture: 01.http\n"},
		"next":    {stub("b", ""), "  - when:\n      state:\n        s: b\n    fixture: 01.http\n"},
		"restart": {stub("", "Started"), "  - state:\n      s: ''\n    fixture: 01.http\n"},
	} {
		script, notes := wireMock(t, `{"mappings":[`+test.stubs+`]}`)
		if script != test.script || len(notes) > 0 {
			t.Errorf("%s: the script is\n%s\nwant\n%s\nwith the notes %s", name, script, test.script, said(notes))
		}
	}
}

// A stub of a lower priority, or which came earlier, is tried later.
func TestWireMockOrder(t *testing.T) {
	stub := func(body, priority string) string {
		return `{` + priority + `"request":{` + chat + `,"bodyPatterns":[{"contains":"` + body + `"}]},"response":{"body":"a"}}`
	}
	script, _ := wireMock(t, `{"mappings":[`+stub("third", "")+","+stub("second", "")+","+stub("fourth", `"priority":9,`)+","+stub("first", `"priority":1,`)+`]}`)
	at := 0
	for _, word := range []string{"first", "second", "third", "fourth"} {
		next := strings.Index(script, word)
		if next < at {
			t.Errorf("%s is too early in\n%s", word, script)
		}
		at = next
	}
}

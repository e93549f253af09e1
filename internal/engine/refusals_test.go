package engine_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect/chat"
	wiremessages "github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const (
	user    = `{"role":"user","content":"Go."}`
	quiet   = `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}`
	loud    = `{"role":"assistant","content":"","reasoning_content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}`
	noted   = `{"role":"tool","tool_call_id":"c1","content":"a"}`
	unknown = `{"role":"tool","tool_call_id":"c9","content":"a"}`
)

// messages is a request with these messages.
func messages(of ...string) string {
	body := `{"model":"m","messages":[`
	for i, m := range of {
		if i > 0 {
			body += ","
		}
		body += m
	}
	return body + `]}`
}

// calling is a history in which an assistant message has this as its one call.
func calling(call string) string {
	return messages(user, `{"role":"assistant","content":"","tool_calls":[`+call+`]}`, noted)
}

// triggers holds for every rule that any provider refuses a request that breaks it and no rule
// before it, and the values that the provider's words name.
var triggers = map[string]trigger{
	"egress/model-named":                  {`{"messages":[` + user + `]}`, nil},
	"egress/messages-given":               {`{"model":"m","messages":"Go."}`, map[string]string{"at": "messages", "found": "a string"}},
	"egress/known-roles":                  {messages(`{"role":"robot","content":"Go."}`), map[string]string{"index": "0", "role": "robot"}},
	"egress/content-is-text-or-parts":     {messages(user, `{"role":"user","content":7}`), map[string]string{"index": "1", "found": "a number", "kind": "an integer"}},
	"egress/content-present":              {messages(user, `{"role":"assistant","content":null}`), map[string]string{"index": "1"}},
	"egress/no-empty-content-list":        {messages(user, `{"role":"assistant","content":[],"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}`, `{"role":"tool","tool_call_id":"c1","content":"a"}`), map[string]string{"index": "1"}},
	"egress/tool-content-is-text":         {messages(user, quiet, `{"role":"tool","tool_call_id":"c1","content":{"a":1}}`), map[string]string{"index": "2"}},
	"egress/arguments-are-text":           {calling(`{"id":"c1","type":"function","function":{"name":"look","arguments":{}}}`), map[string]string{"index": "1", "call": "0", "found": "an object"}},
	"egress/call-type":                    {calling(`{"id":"c1","function":{"name":"look","arguments":"{}"}}`), map[string]string{"index": "1", "call": "0"}},
	"egress/call-has-name":                {calling(`{"id":"c1","type":"function","function":{"arguments":"{}"}}`), map[string]string{"index": "1", "call": "0"}},
	"egress/call-keys":                    {calling(`{"id":"c1","extra":0,"type":"function","function":{"name":"look","arguments":"{}"}}`), map[string]string{"index": "1", "call": "0", "key": "extra"}},
	"egress/assistant-message-keys":       {messages(user, `{"role":"assistant","content":"Hm.","extra":1}`), map[string]string{"index": "1", "key": "extra"}},
	"egress/tool-message-keys":            {messages(user, quiet, `{"role":"tool","tool_call_id":"c1","content":"a","extra":1}`), map[string]string{"index": "2", "key": "extra"}},
	"egress/no-private-fields":            {messages(user, quiet, `{"role":"tool","tool_call_id":"c1","content":"a","isError":true}`), map[string]string{"index": "2", "key": "isError"}},
	"egress/no-empty-tool-list":           {`{"model":"m","tools":[],"messages":[` + user + `]}`, nil},
	"egress/tool-options-need-tools":      {`{"model":"m","tool_choice":"auto","messages":[` + user + `]}`, map[string]string{"key": "tool_choice"}},
	"egress/top-logprobs-need-logprobs":   {`{"model":"m","top_logprobs":2,"messages":[` + user + `]}`, nil},
	"egress/stream-options-need-stream":   {`{"model":"m","stream_options":{"include_usage":true},"messages":[` + user + `]}`, nil},
	"pairing/ids-present":                 {messages(user, quiet, `{"role":"tool","content":"a"}`), map[string]string{"index": "2", "call": "0", "key": "tool_call_id"}},
	"pairing/no-empty-call-list":          {messages(user, `{"role":"assistant","content":"Hm.","tool_calls":[]}`), map[string]string{"index": "1"}},
	"pairing/every-call-answered":         {messages(user, quiet, user), map[string]string{"ids": "c1", "next": "2"}},
	"pairing/no-orphan-result":            {messages(user, unknown), map[string]string{"index": "1", "id": "c9"}},
	"pairing/result-names-a-call":         {messages(user, quiet, noted, unknown), map[string]string{"index": "3", "id": "c9"}},
	"pairing/one-result-per-call":         {messages(user, quiet, noted, noted), map[string]string{"id": "c1", "first": "2", "second": "3"}},
	"pairing/results-directly-follow":     {messages(user, quiet, user, noted), map[string]string{"ids": "c1", "next": "2"}},
	"reasoning/resent-on-tool-turns":      {messages(user, quiet, noted), map[string]string{"index": "1"}},
	"reasoning/empty-resent":              {messages(user, quiet, noted), map[string]string{"index": "1"}},
	"egress/message-name":                 {messages(`{"role":"user","name":"Ada L","content":"Go."}`), map[string]string{"index": "0"}},
	"egress/part-types":                   {messages(`{"role":"user","content":[{"type":"input_text","text":"Go."}]}`), map[string]string{"index": "0", "found": "input_text"}},
	"images/where-they-are-taken":         {messages(user, quiet, `{"role":"tool","tool_call_id":"c1","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}`), map[string]string{"index": "2", "role": "tool"}},
	"images/encoded":                      {messages(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"iVBORw0KGgo="}}]}`), map[string]string{"at": "messages[0].content[0].image_url.url", "problem": "a value without the 'data:' prefix"}},
	"egress/no-empty-text-part":           {messages(`{"role":"user","content":[{"type":"text","text":""}]}`), map[string]string{"index": "0"}},
	"egress/request-keys":                 {with(`"thinking":{}`), map[string]string{"key": "thinking"}},
	"egress/tool-form":                    {with(`"tools":[{"function":{"name":"look"}}]`), map[string]string{"index": "0", "key": "type"}},
	"egress/tool-name":                    {with(`"tools":[{"type":"function","function":{"name":"look up"}}]`), map[string]string{"index": "0", "name": "look up"}},
	"egress/tool-count":                   {with(`"tools":[` + strings.Repeat(`{"type":"function","function":{"name":"look"}},`, 128) + `{"type":"function","function":{"name":"look"}}]`), map[string]string{"count": "129"}},
	"egress/tool-parameters-are-a-schema": {with(`"tools":[{"type":"function","function":{"name":"look","parameters":[]}}]`), map[string]string{"index": "0", "name": "look", "found": "an array"}},
	"egress/schema-not-combined":          {with(`"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{},"anyOf":[]}}}]`), map[string]string{"index": "0", "name": "look"}},
	"egress/model-takes-parameters":       {`{"model":"gpt-5","max_tokens":9,"messages":[` + user + `]}`, map[string]string{"key": "max_tokens", "value": "9"}},
	"egress/json-mode-named":              {with(`"response_format":{"type":"json_object"}`), nil},
	"egress/answer-schema-strict":         {with(`"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":{"type":"object"}}}`), map[string]string{"name": "a", "context": "()", "problem": "'additionalProperties' is required to be supplied and to be false."}},
	"images/decodable":                    {messages(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,PHN2Zy8+"}}]}`), nil},
	"egress/schema-valid":                 {with(`"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{"a":{"required":true}}}}}]`), map[string]string{"index": "0", "name": "look", "problem": "True is not of type 'array'"}},
	"egress/schema-complete":              {with(`"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{"a":{"type":"array"}}}}}]`), map[string]string{"index": "0", "name": "look", "context": "('properties', 'a')", "missing": "array schema missing items"}},
	"egress/strict-schema":                {with(`"tools":[{"type":"function","function":{"name":"look","strict":true,"parameters":{"type":"object","properties":{}}}}]`), map[string]string{"index": "0", "name": "look", "context": "()", "problem": "'additionalProperties' is required to be supplied and to be false."}},
	"egress/tool-choice":                  {with(`"tool_choice":"sometimes","tools":[{"type":"function","function":{"name":"look"}}]`), map[string]string{"choice": "sometimes"}},
	"egress/parameter-ranges":             {with(`"temperature":3`), map[string]string{"key": "temperature", "found": "3", "edge": "above", "limit": "2"}},
	"egress/parameter-words":              {with(`"verbosity":"short"`), map[string]string{"key": "verbosity", "found": "short", "kind": "a string"}},
	"egress/response-format-form":         {with(`"response_format":{"type":"json_schema"}`), map[string]string{"at": "response_format.json_schema", "problem": "missing"}},
	"egress/metadata-short":               {with(`"metadata":{"turn":1}`), map[string]string{"at": "metadata.turn", "problem": "no text", "found": "an integer"}},
	"egress/value-forms":                  {with(`"stop":["a","b","c","d","e"]`), map[string]string{"at": "stop", "problem": "long", "size": "5"}},
	"egress/option-keys":                  {with(`"prompt_cache_options":{"size":1}`), map[string]string{"at": "prompt_cache_options.size", "key": "size"}},
	"egress/no-legacy-functions":          {with(`"functions":[{}]`), map[string]string{"key": "functions", "at": "functions[0].name", "problem": "no name"}},
	"egress/last-message":                 {messages(user, `{"role":"assistant","content":"Well,"}`), map[string]string{"index": "1"}},
	"egress/arguments-parse":              {calling(`{"id":"c1","type":"function","function":{"name":"look","arguments":"{"}}`), map[string]string{"index": "1", "call": "0"}},
	"pairing/id-form":                     {calling(`{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}`), map[string]string{"index": "1", "id": "c1"}},
	"egress/no-blank-assistant-message":   {messages(user, `{"role":"assistant","content":""}`), map[string]string{"index": "1"}},
	"reasoning/call-signature-returned":   {messages(user, quiet, noted), map[string]string{"index": "1", "name": "look"}},
	"egress/valid-unicode":                {messages(`{"role":"user","content":"a\ud83d"}`), map[string]string{"at": "messages[0].content", "problem": "no escape", "line": "1", "column": "58", "char": "57"}},
	"egress/deployment-version":           {hello, map[string]string{"given": "nothing"}},
	"egress/publisher-named":              {`{"model":"gemini-3-pro","messages":[` + user + `]}`, map[string]string{"model": "gemini-3-pro"}},
	"reasoning/withheld":                  {messages(user, loud, noted), map[string]string{"index": "1", "key": "reasoning_content"}},
}

// atDoors are the paths of rules about requests that clouds take in place of OpenAI's.
var atDoors = map[string]string{
	"egress/deployment-version": "/openai/deployments/d/chat/completions",
	"egress/publisher-named":    "/v1/projects/p/locations/l/endpoints/openapi/chat/completions",
}

// with is a request with these keys besides.
func with(keys string) string {
	return `{"model":"m",` + keys + `,"messages":[` + user + `]}`
}

func lookAndTell(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	return []*scenarios.Scenario{scenario(t, `
tools: {look: {results: [{text: a}]}}
model:
  - calls: [{as: a, tool: look, arguments: "{}"}]
  - text: Done.
`)}
}

// Every refusal of every profile is given in exactly the words that its file holds.
func TestEveryRefusalInItsWords(t *testing.T) {
	for _, p := range profiles.Of("chat", profiles.All()) {
		for _, r := range p.Refuses {
			if r.Until != "" || r.Rule == keySent || r.Rule == rules.ReasoningStaysBehind { // which no single request provokes
				continue
			}
			t.Run(p.Name+"/"+r.Rule, func(t *testing.T) {
				trigger := provoking(t, p, r, triggers[r.Rule])
				srv := start(t, engine.Config{Profile: alone(p, r), Scenarios: lookAndTell(t)})
				got := do(t, http.MethodPost, srv.URL+cmp.Or(atDoors[r.Rule], "/v1/chat/completions"), trigger.body)
				if got.status != trigger.status || got.body != trigger.want {
					t.Errorf("%s\nis answered\n\t%d %s\nwant\n\t%d %s", trigger.body, got.status, got.body, trigger.status, trigger.want)
				}
				for k, v := range p.Errors.Headers {
					if id := strings.Contains(k, "request-id"); got.header.Get(k) != v && !id || got.header.Get(k) == "" {
						t.Errorf("the header %s is %q", k, got.header.Get(k))
					}
				}
			})
		}
	}
}

// A request that provokes a refusal is here for a profile that gives it.
func TestEveryTriggerIsRefused(t *testing.T) {
	refused := map[string]bool{}
	for _, p := range profiles.All() {
		for _, r := range p.Refuses {
			refused[p.Dialect+" "+r.Rule] = true
		}
	}
	for rule := range triggers {
		if !refused["chat "+rule] {
			t.Errorf("no profile of chat refuses a violation of %s", rule)
		}
	}
	for rule := range messagesTriggers {
		if !refused["messages "+rule] {
			t.Errorf("no profile of messages refuses a violation of %s", rule)
		}
	}
}

// trigger is a request that breaks a rule, and the values that the provider's words name.
type trigger struct {
	body string
	vars map[string]string
}

// provoked is a request that a refusal answers, with the answer that its file holds.
type provoked struct {
	body, want string
	status     int
}

// alone returns a profile that refuses nothing else: each entry of refuses has an effect of its
// own.
func alone(p *profiles.Profile, r profiles.Refusal) *profiles.Profile {
	one := *p
	one.Refuses = []profiles.Refusal{r}
	return &one
}

// provoking returns a request that a refusal answers. Where the profile takes the one that is
// written down for the rule, since it refuses only some violations, it is one of those that real
// servers were asked.
func provoking(t *testing.T, p *profiles.Profile, r profiles.Refusal, written trigger) provoked {
	t.Helper()
	read := chat.Read
	if p.Dialect == "messages" {
		read = wiremessages.Read
	}
	bodies := []string{written.body}
	requests, err := fixtures.Requests(p.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		bodies = append(bodies, string(r.Body))
	}
	for _, body := range bodies {
		request, err := read([]byte(body))
		if err != nil {
			continue
		}
		if refusal, words, refused := rulebook.Refuse(alone(p, r), request); refused {
			return provoked{body, string(p.Error(refusal.Status, words)), refusal.Status}
		}
	}
	if written.body == "" {
		t.Fatal("there is no request that provokes this refusal: add one to the triggers")
	}
	return provoked{written.body, string(p.Error(r.Status, r.WordsOf(written.vars))), r.Status} // by its headers
}

// No provider refuses an ordinary history.
func TestGoodHistoriesAreTaken(t *testing.T) {
	for _, p := range profiles.Of("chat", profiles.All()) {
		reasoning, signature := "", ""
		if p.Reasoning.Resend.OnToolTurns() && p.Traits.ReasoningField != "" {
			reasoning = `"` + p.Traits.ReasoningField + `":"",`
		}
		if len(p.Traits.CallSignature) > 0 {
			signature = `"extra_content":{"google":{"thought_signature":"c2ln"}},`
		}
		turn := `{"role":"assistant","content":"",` + reasoning + `"tool_calls":[{` + signature + `"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}`
		srv := engine.New(engine.Config{Profile: p, Scenarios: lookAndTell(t)})
		for _, body := range []string{hello, messages(user, turn, noted), messages(`{"role":"system","content":"Be terse."}`, user, turn, noted, `{"role":"assistant","content":"Done."}`, user)} {
			body = strings.ReplaceAll(body, "c1", "c12345678") // an id that everybody takes
			if got := serve(srv, body); got.Code != http.StatusOK {
				t.Errorf("%s: %s is answered %d %s", p.Name, body, got.Code, got.Body)
			}
		}
	}
}

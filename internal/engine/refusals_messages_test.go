package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

const (
	calledLook = `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{}}]}`
	lookResult = `{"type":"tool_result","tool_use_id":"c1","content":"a"}`
	otherLook  = `{"type":"tool_result","tool_use_id":"c9","content":"a"}`
)

// blocks is a message of the user with these blocks.
func blocks(of string) string { return `{"role":"user","content":[` + of + `]}` }

func imageBlock(mediaType, data string) string {
	return `{"type":"image","source":{"type":"base64","media_type":"` + mediaType + `","data":"` + data + `"}}`
}

func imageResult(mediaType, data string) string {
	return `{"type":"tool_result","tool_use_id":"c1","content":[` + imageBlock(mediaType, data) + `]}`
}

// messagesTriggers is what triggers is, in the dialect messages.
var messagesTriggers = map[string]trigger{
	"egress/schema-not-combined":          {`{"model":"m","tools":[{"name":"look","input_schema":{"type":"object","oneOf":[]}}],"messages":[` + user + `]}`, map[string]string{"index": "0"}},
	"egress/tool-name":                    {`{"model":"m","tools":[{"name":"a.b"}],"messages":[` + user + `]}`, map[string]string{"index": "0", "pattern": "^[a-zA-Z0-9_-]{1,128}$"}},
	"reasoning/thinking-form":             {`{"model":"m","thinking":{"type":"between"},"messages":[` + user + `]}`, map[string]string{"type": "between"}},
	"egress/call-has-name":                {messages(user, `{"role":"assistant","content":[{"type":"tool_use","id":"c1","input":{}}]}`, blocks(lookResult)), map[string]string{"at": "messages.1.content.0"}},
	"egress/known-roles":                  {messages(`{"role":"robot","content":"Hm."}`), map[string]string{"role": "robot"}},
	"egress/content-is-text-or-parts":     {messages(`{"role":"user","content":7}`), map[string]string{"index": "0", "at": "messages.0.content"}},
	"egress/content-present":              {messages(`{"role":"user"}`), map[string]string{"index": "0", "at": "messages.0.content"}},
	"egress/request-keys":                 {strings.Replace(asked(user), "{", `{"max_completion_tokens":9,`, 1), map[string]string{"key": "max_completion_tokens"}},
	"egress/metadata-keys":                {strings.Replace(asked(user), "{", `{"metadata":{"session_id":"s"},`, 1), map[string]string{"key": "session_id"}},
	"egress/tool-options-need-tools":      {`{"model":"m","tool_choice":{"type":"any"},"messages":[` + user + `]}`, nil},
	"egress/message-keys":                 {messages(`{"role":"user","content":"Go.","name":"ann"}`), map[string]string{"at": "messages.0", "key": "name"}},
	"egress/block-keys":                   {messages(blocks(`{"type":"text","text":"Go.","index":0}`)), map[string]string{"at": "messages.0.content.0", "type": "text", "key": "index"}},
	"egress/block-types":                  {messages(blocks(`{"type":"text_delta","text":"Go."}`)), map[string]string{"at": "messages.0.content.0", "found": "text_delta", "expected": blockTags}},
	"egress/no-blank-user-message":        {messages(`{"role":"user","content":""}`), map[string]string{"index": "0"}},
	"egress/tool-keys":                    {`{"model":"m","tools":[{"name":"look","input_schema":{"type":"object"},"parameters":{}}],"messages":[` + user + `]}`, map[string]string{"index": "0", "key": "parameters"}},
	"egress/version-named":                {asked(user), map[string]string{"problem": `"2" is not a valid version`}},
	"egress/betas-taken":                  {asked(user), map[string]string{"beta": "structured-outputs-2025-09-17"}},
	"egress/tools-taken":                  {`{"model":"claude-opus-4-6","tools":[{"type":"web_fetch_20250910","name":"web_fetch"}],"messages":[` + user + `]}`, map[string]string{"index": "0", "tool": "web_fetch_20250910"}},
	"egress/blocks-of-version":            {messages(blocks(`{"type":"text","text":"Go.","citations":[]}`)), map[string]string{"at": "messages.0.content.0", "what": "citations"}},
	"egress/threads-beta-named":           {strings.Replace(asked(user), `{"model"`, `{"thread":{"type":"create"},"model"`, 1), nil},
	"egress/context-betas-named":          {strings.Replace(asked(user), `{"model"`, `{"context_management":{"edits":[{"type":"compact_20260112"}]},"model"`, 1), nil},
	"egress/model-named":                  {`{"messages":[` + user + `]}`, nil},
	"egress/parameter-ranges":             {`{"model":"m","temperature":1.5,"messages":[` + user + `]}`, map[string]string{"key": "temperature"}},
	"egress/parameter-words":              {`{"model":"m","service_tier":"flex","messages":[` + user + `]}`, nil},
	"egress/property-names":               {`{"model":"m","tools":[{"name":"look","input_schema":{"type":"object","properties":{"$top":{}}}}],"messages":[` + user + `]}`, map[string]string{"index": "0"}},
	"egress/cache-mark-form":              {`{"model":"m","tools":[{"name":"look","cache_control":{"type":"ephemeral","ttl":"24h"}}],"messages":[` + user + `]}`, map[string]string{"at": "tools.0.cache_control", "problem": "ttl", "found": "24h"}},
	"egress/temperature-or-top-p":         {`{"model":"m","temperature":1,"top_p":0.5,"messages":[` + user + `]}`, nil},
	"images/decodable":                    {messages(blocks(imageBlock("image/png", "PHN2Zy8+"))), nil},
	"egress/schema-valid":                 {`{"model":"m","tools":[{"name":"look","input_schema":{"type":"object","properties":{"a":"string"}}}],"messages":[` + user + `]}`, map[string]string{"index": "0"}},
	"egress/schema-of-2020-12":            {`{"model":"m","tools":[{"name":"look","input_schema":{"type":"object","properties":{"a":{"items":[]}}}}],"messages":[` + user + `]}`, map[string]string{"index": "0"}},
	"egress/stop-sequences-say-something": {`{"model":"m","stop_sequences":["\n"],"messages":[` + user + `]}`, nil},
	"egress/cache-times-in-order":         {`{"model":"m","tools":[{"name":"look","cache_control":{"type":"ephemeral"}}],"messages":[` + blocks(`{"type":"text","text":"Go.","cache_control":{"type":"ephemeral","ttl":"1h"}}`) + `]}`, map[string]string{"at": "messages.0.content.0.cache_control"}},
	"egress/deferred-tools-not-cached":    {`{"model":"m","tools":[{"name":"see"},{"name":"look","defer_loading":true,"cache_control":{"type":"ephemeral"}}],"messages":[` + user + `]}`, map[string]string{"name": "look"}},
	"egress/a-tool-is-not-deferred":       {`{"model":"m","tools":[{"name":"look","input_schema":{"type":"object"},"defer_loading":true}],"messages":[` + user + `]}`, nil},
	"egress/references-name-tools":        {strings.Replace(messages(user, calledLook, blocks(`{"type":"tool_result","tool_use_id":"c1","content":[{"type":"tool_reference","tool_name":"see"}]}`)), "{", `{"tools":[{"name":"search"},{"name":"look","input_schema":{"type":"object"},"defer_loading":true}],`, 1), map[string]string{"name": "see"}},
	"pairing/server-uses-have-results":    {messages(user, `{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}]}`, user), map[string]string{"name": "web_search", "id": "s1", "result": "web_search_tool_result"}},
	"pairing/server-results-have-uses":    {messages(user, `{"role":"assistant","content":[{"type":"advisor_tool_result","tool_use_id":"s1"}]}`, user), map[string]string{"at": "messages.1.content.0", "result": "advisor_tool_result", "id": "s1"}},
	"programs/container-named":            {messages(user, `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{},"caller":{"type":"code_execution_20260120","tool_id":"s1"}}]}`, blocks(lookResult)), nil},
	"egress/chosen-tool-offered":          {`{"model":"m","tools":[{"name":"look"}],"tool_choice":{"type":"tool","name":"see"},"messages":[` + user + `]}`, map[string]string{"name": "see"}},
	"reasoning/budget-below-max-tokens":   {`{"model":"m","max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":2000},"messages":[` + user + `]}`, nil},
	"reasoning/thinks-at-temperature-one": {`{"model":"m","temperature":0.2,"thinking":{"type":"adaptive"},"messages":[` + user + `]}`, nil},
	"egress/max-tokens-given":             {messages(user), nil},
	"egress/system-stands-apart":          {messages(`{"role":"system","content":"Be terse."}`, user), map[string]string{"index": "0"}},
	"egress/valid-unicode":                {messages(`{"role":"user","content":"a\ud83d"}`), map[string]string{"line": "1", "column": "58", "char": "57"}},
	"egress/ends-with-the-user":           {messages(user, `{"role":"assistant","content":"It is "}`), nil},
	"egress/tool-choice-form":             {`{"model":"m","tool_choice":"auto","messages":[` + user + `]}`, nil},
	"egress/tool-names-distinct":          {`{"model":"m","tools":[{"name":"look"},{"name":"look"}],"messages":[` + user + `]}`, nil},
	"egress/input-schema-given":           {`{"model":"m","tools":[{"name":"look"}],"messages":[` + user + `]}`, map[string]string{"index": "0", "key": "input_schema"}},
	"egress/result-block-form":            {messages(user, calledLook, blocks(`{"type":"tool_result","tool_use_id":"c1","content":7}`)), map[string]string{"at": "messages.2.content.0", "key": "content"}},
	"egress/error-result-says-something":  {messages(user, calledLook, blocks(`{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":""}`)), map[string]string{"at": "messages.2.content.0"}},
	"execution/error-result-is-text":      {messages(user, calledLook, blocks(`{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"image"}]}`)), map[string]string{"at": "messages.2.content.0"}},
	"egress/model-takes-settings":         {`{"model":"claude-opus-4-7","temperature":0.2,"messages":[` + user + `]}`, map[string]string{"key": "temperature"}},
	"egress/document-source":              {messages(blocks(`{"type":"document","source":{"type":"base64","media_type":"text/csv","data":"YQ=="}}`)), map[string]string{"at": "messages.0.content.0"}},
	"egress/value-forms":                  {`{"model":"m","tools":[{"type":"bash_20250124","name":"shell"}],"messages":[` + user + `]}`, map[string]string{"at": "tools.0.bash_20250124.name", "problem": "word"}},
	"egress/closed-schemas":               {`{"model":"m","tools":[{"name":"look","strict":true,"input_schema":{"type":"object"}}],"messages":[` + user + `]}`, map[string]string{"at": "tools.0.custom"}},
	"egress/result-block-types":           {messages(user, calledLook, blocks(`{"type":"tool_result","tool_use_id":"c1","content":[{"type":"document"}]}`)), map[string]string{"at": "messages.2.content.0.content.0", "found": "document"}},
	"egress/result-block-keys":            {messages(user, calledLook, blocks(`{"type":"tool_result","tool_use_id":"c1","name":"look"}`)), map[string]string{"at": "messages.2.content.0", "key": "name"}},
	"images/media-type-known":             {messages(user, calledLook, blocks(imageResult("image/jpg", "/9j/4AAQSkZJRg=="))), map[string]string{"at": "messages.2.content.0.tool_result.content.0.image.source.base64"}},
	"images/encoded":                      {messages(user, calledLook, blocks(imageResult("image/png", "data:image/png;base64,iVBORw0KGgo="))), map[string]string{"at": "messages.2.content.0.tool_result.content.0.image.source.base64"}},
	"images/media-type-true":              {messages(blocks(imageBlock("image/jpeg", "iVBORw0KGgo="))), map[string]string{"at": "messages.0.content.0.image.source.base64", "said": "image/jpeg", "found": "image/png"}},
	"pairing/ids-present":                 {messages(user, calledLook, blocks(`{"type":"tool_result","content":"a"}`)), map[string]string{"at": "messages.2.content.0", "key": "tool_use_id"}},
	"reasoning/no-forced-tools":           {`{"model":"m","thinking":{"type":"enabled","budget_tokens":2000},"tool_choice":{"type":"any"},"messages":[` + user + `]}`, nil},
	"reasoning/budget-fits":               {`{"model":"m","thinking":{"type":"enabled","budget_tokens":1000},"messages":[` + user + `]}`, nil},
	"egress/no-empty-text":                {messages(blocks(`{"type":"text","text":""}`)), nil},
	"egress/no-white-text":                {messages(blocks(`{"type":"text","text":" "}`)), map[string]string{"alone": "yes"}},
	"egress/input-is-object":              {messages(user, `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":"{}"}]}`, blocks(lookResult)), map[string]string{"at": "messages.1.content.0"}},
	"egress/cache-marks-bounded":          {`{"model":"m","system":[` + strings.Repeat(`{"cache_control":{}},`, 4) + `{"cache_control":{}}],"messages":[` + user + `]}`, map[string]string{"count": "5"}},
	"pairing/ids-well-formed":             {messages(user, `{"role":"assistant","content":[{"type":"tool_use","id":"a.b","name":"look","input":{}}]}`, blocks(lookResult)), map[string]string{"at": "messages.1.content.0"}},
	"pairing/blocks-in-their-roles":       {messages(blocks(`{"type":"tool_use","id":"c1","name":"look","input":{}}`)), map[string]string{"index": "0", "type": "tool_use"}},
	"pairing/results-first":               {messages(user, calledLook, blocks(`{"type":"text","text":"Here:"},`+lookResult)), map[string]string{"index": "1", "ids": "c1"}},
	"reasoning/signature-present":         {messages(user, `{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"a"}]}`, user), map[string]string{"at": "messages.1.content.0", "key": "signature"}},
	"reasoning/thinking-first":            {messages(user, `{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"Hm.","signature":"s"}]}`, user), map[string]string{"at": "messages.1.content.0", "found": "text"}},
	"reasoning/details-verbatim":          {messages(user, `{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"loopproofAAAAAAAAA"},{"type":"text","text":"a"}]}`, user), map[string]string{"at": "messages.1.content.0"}},
	"reasoning/encrypted-untouched":       {messages(user, `{"role":"assistant","content":[{"type":"redacted_thinking","data":"loopproofAAAAAAAAA"},{"type":"text","text":"a"}]}`, user), map[string]string{"at": "messages.1.content.0"}},
	"reasoning/not-at-the-end":            {messages(user, `{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"}]}`), map[string]string{"index": "1"}},
	"reasoning/details-come-back":         {`{"model":"m","thinking":{"type":"enabled"},"messages":[` + user + `,` + calledLook + `,` + blocks(lookResult) + `]}`, map[string]string{"at": "messages.1.content.0", "found": "tool_use"}},
	"egress/messages-given":               {`{"model":"m","messages":"Go."}`, nil},
	"pairing/result-names-a-call":         {messages(user, calledLook, blocks(lookResult+","+otherLook)), map[string]string{"at": "messages.2.content.1", "id": "c9"}},
	"pairing/no-orphan-result":            {messages(user, blocks(otherLook)), map[string]string{"at": "messages.1.content.0", "id": "c9"}},
	"pairing/one-result-per-call":         {messages(user, calledLook, blocks(lookResult+","+lookResult)), map[string]string{"at": "messages.2.content.1", "id": "c1"}},
	"pairing/every-call-answered":         {messages(user, calledLook, user), map[string]string{"index": "1", "ids": "c1"}},
	"pairing/results-directly-follow":     {messages(user, calledLook, user, blocks(lookResult)), map[string]string{"index": "1", "ids": "c1"}},
	"pairing/ids-distinct": {
		messages(user, `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{}},{"type":"tool_use","id":"c1","name":"look","input":{}}]}`, blocks(lookResult+","+lookResult)),
		map[string]string{"at": "messages.1.content.1"},
	},
}

// strictAtBedrock is what Amazon Bedrock refuses of a tool; the trigger of the rule is for Vertex AI.
var strictAtBedrock = trigger{`{"model":"anthropic.claude-sonnet-5","tools":[{"name":"look","input_schema":{"type":"object"},"strict":true}],"messages":[` + user + `]}`, map[string]string{"index": "0", "key": "strict"}}

// Every refusal of every profile of this dialect is given in exactly the words that its file holds.
func TestEveryRefusalOfMessagesInItsWords(t *testing.T) {
	for _, p := range profiles.Of("messages", profiles.All()) {
		for _, r := range p.Refuses {
			if r.Until != "" {
				continue
			}
			if r.InSequence || r.Rule == keySent { // which no single request provokes
				continue
			}
			if p.Through != nil && r.Rule == "egress/context-betas-named" { // is not judged at a cloud
				continue
			}
			t.Run(p.Name+"/"+r.Rule, func(t *testing.T) {
				written := messagesTriggers[r.Rule]
				if p.Name == "anthropic-bedrock" && r.Rule == "egress/tools-taken" {
					written = strictAtBedrock
				}
				trigger := provoking(t, p, r, written)
				srv := start(t, engine.Config{Profile: alone(p, r), Scenarios: lookAndTell(t)})
				if got := askMessages(t, srv.URL, trigger.body, versionIn(r.Rule)...); got.status != trigger.status || withExampleID(got.body) != trigger.want {
					t.Errorf("%s\nis answered\n\t%d %s\nwant\n\t%d %s", trigger.body, got.status, got.body, trigger.status, trigger.want)
				}
			})
		}
	}
}

func TestGoodMessagesAreTaken(t *testing.T) {
	for _, p := range profiles.Of("messages", profiles.All()) {
		if p.Through != nil { // whose requests TestDoors sends
			continue
		}
		srv := start(t, engine.Config{Profile: p, Scenarios: lookAndTell(t)})
		for body, says := range map[string]string{
			asked(user): `"type":"tool_use"`,
			asked(user, calledLook, blocks(lookResult)):                                                                                 `"text":"Done."`,
			asked(user, calledLook, blocks(lookResult+`,{"type":"text","text":"And now?"}`)):                                            `"text":"Done."`,
			`{"model":"m","max_tokens":9,"system":"Be terse.","messages":[` + user + `,` + calledLook + `,` + blocks(lookResult) + `]}`: `"text":"Done."`,
		} {
			if got := askMessages(t, srv.URL, body); got.status != http.StatusOK || !got.says(says) || (got.header.Get("Request-Id") == "") != (p.Headers["request-id"] == "") {
				t.Errorf("%s: %s is answered %d %s", p.Name, body, got.status, got.body)
			}
		}
	}
}

// What Anthropic was recorded to take: a block of white space that the model wrote alongside
// others, and an id that comes again in a later turn.
func TestWhatAnthropicWasRecordedToTake(t *testing.T) {
	const (
		afterASpace = `{"role":"assistant","content":[{"type":"text","text":" "},{"type":"tool_use","id":"c1","name":"look","input":{}}]}`
		amongTexts  = `{"role":"assistant","content":[{"type":"text","text":"It is 4 C."},{"type":"text","text":" "},{"type":"text","text":"Cold."}]}`
		twice       = `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{}}]}`
	)
	srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: lookAndTell(t)})
	for name, test := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"a space in front of a call":        {asked(user, afterASpace, blocks(lookResult)), 200, `"text":"Done."`},
		"a space among texts":               {asked(user, amongTexts, user), 200, ""},
		"a space alone":                     {asked(user, `{"role":"assistant","content":[{"type":"text","text":" "}]}`, user), 400, "must contain non-whitespace text"},
		"the id of an earlier turn":         {asked(user, twice, blocks(lookResult), twice, blocks(lookResult)), 200, ""},
		"an id twice in two joined answers": {asked(user, twice, twice, blocks(lookResult)), 400, "messages.2.content.0: `tool_use` ids must be unique"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := askMessages(t, srv.URL, test.body); got.status != test.status || !strings.Contains(got.body, test.says) {
				t.Errorf("%s is answered %d %s, want %d with %s", test.body, got.status, got.body, test.status, test.says)
			}
		})
	}
}

// The form of tools is named as Anthropic was recorded to name it, and before what is wrong with
// messages.
func TestWordsAboutTheFormOfTools(t *testing.T) {
	tool := func(schema string) string {
		return `{"model":"m","max_tokens":9,"tools":[{"name":"look","input_schema":` + schema + `}],"messages":[` + user + `]}`
	}
	srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: lookAndTell(t)})
	for name, test := range map[string]struct{ body, says string }{
		"no schema":              {`{"model":"m","max_tokens":9,"tools":[{"name":"look"}],"messages":[` + user + `]}`, "tools.0.custom.input_schema: Field required"},
		"a schema of true":       {tool(`true`), "tools.0.custom.input_schema: Input does not match the expected shape."},
		"a reference":            {tool(`{"$ref":"#/$defs/a"}`), "tools.0.custom.input_schema.type: Field required"},
		"a choice":               {tool(`{"anyOf":[{"type":"object"}]}`), "tools.0.custom.input_schema.type: Field required"},
		"a choice of an object":  {tool(`{"type":"object","anyOf":[{"type":"object"}]}`), "input_schema does not support oneOf, allOf, or anyOf at the top level"},
		"a scalar":               {tool(`{"type":"string"}`), "tools.0.custom.input_schema.type: Input should be 'object'"},
		"tools, and messages":    {`{"model":"m","messages":"x","tools":"x"}`, "tools: Input should be a valid array"},
		"tool_choice, and tools": {`{"model":"m","tools":"x","tool_choice":7}`, "tool_choice: Input should be an object"},
		"a message that is none": {`{"model":"m","max_tokens":9,"messages":["Go."]}`, "messages.0: Input does not match the expected shape."},
		"a temperature below 0":  {`{"model":"m","max_tokens":9,"temperature":-5.0,"messages":[` + user + `]}`, "temperature: range: 0..1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := askMessages(t, srv.URL, test.body); got.status != http.StatusBadRequest || !strings.Contains(got.body, test.says) {
				t.Errorf("%s is answered %d %s, want 400 with %s", test.body, got.status, got.body, test.says)
			}
		})
	}
}

// Messages of the role system are taken by newer models in the places that are theirs, and by older
// ones nowhere.
func TestSystemMessagesInAConversation(t *testing.T) {
	const terse = `{"role":"system","content":"Be terse."}`
	behind := asked(user, calledLook, blocks(lookResult), terse)
	for _, test := range []struct {
		name, profile, body, says string
		status                    int
	}{
		{"after the results", "anthropic", behind, `"text":"Done."`, 200},
		{"after the results, with the newest models", "anthropic-5.5", behind, `"text":"Done."`, 200},
		{"in front of the assistant", "anthropic", asked(user, terse, calledLook, blocks(lookResult)), `"text":"Done."`, 200},
		{"first", "anthropic", asked(terse, user), "messages.0: use the top-level 'system' parameter for the initial system prompt", 400},
		{"between a call and its result", "anthropic", asked(user, calledLook, terse, blocks(lookResult)), "messages.2: role 'system' must follow a 'user' message", 400},
		{"in front of the user", "anthropic", asked(user, terse, user), "messages.1: role 'system' must precede an 'assistant' message or end the array", 400},
		{"to an older model", "anthropic-4.7", behind, "role 'system' is not supported on this model", 400},
		{"to one that is older still", "anthropic-4.5", behind, `messages: Unexpected role \"system\"`, 400},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv := start(t, engine.Config{Profile: profile(t, test.profile), Scenarios: lookAndTell(t)})
			if got := askMessages(t, srv.URL, test.body); got.status != test.status || !strings.Contains(got.body, test.says) {
				t.Errorf("%s is answered %d %s, want %d with %s", test.body, got.status, got.body, test.status, test.says)
			}
		})
	}
}

func TestTokensAreCounted(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: lookAndTell(t)})
	got := do(t, http.MethodPost, srv.URL+"/v1/messages/count_tokens", messages(user))
	if got.status != http.StatusOK || got.body != `{"input_tokens":9}` {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodPost, srv.URL+"/v1/messages/count_tokens", "{"); got.status != http.StatusBadRequest {
		t.Errorf("no JSON is answered %d %s", got.status, got.body)
	}
}

// The path of a dialect that is not played says so, instead of answering in another one.
func TestPathOfAnotherDialect(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	got := askMessages(t, srv.URL, messages(user))
	if got.status != http.StatusNotFound || !strings.Contains(got.body, "The profile openai that is played here speaks the dialect chat") {
		t.Errorf("answered %d %s", got.status, got.body)
	}
}

// asked is a whole request with these messages.
func asked(of ...string) string {
	return strings.Replace(messages(of...), `"model":"m"`, `"model":"m","max_tokens":9`, 1)
}

// askMessages posts a request for a message, with headers by name and value.
func askMessages(t *testing.T, base, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, base+"/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return send(t, req)
}

// versionIn returns the header that provokes a refusal, where it is one of headers.
func versionIn(rule string) []string {
	switch rule {
	case "egress/version-named":
		return []string{"Anthropic-Version", "2"}
	case "egress/blocks-of-version":
		return []string{"Anthropic-Version", "2026-10-21"}
	case "egress/betas-taken":
		return []string{"Anthropic-Beta", "structured-outputs-2025-09-17"}
	}
	return nil
}

// blockTags are the types that Anthropic names where it refuses another one.
const blockTags = "'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'text_editor_code_execution_tool_result', 'thinking', 'tool_result', 'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', 'web_search_tool_result'"

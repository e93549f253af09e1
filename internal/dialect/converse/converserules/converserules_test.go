package converserules_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/converse"
	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, converse.Form(), "bedrock-claude", wholeRequest, map[string][]string{
		"request.messages[].content required":                          {"egress/content-present"},
		"request.messages[].content ":                                  {"egress/no-blank-user-message"},
		"request.messages[].content[] type":                            {"egress/content-is-text-or-parts"},
		"request.system[] type":                                        {"egress/content-is-text-or-parts"},
		"request.messages[].content[].toolResult.content[].image type": {"images/encoded", "images/media-type-known"},
		"request.messages[].content[].image":                           {"images/encoded", "images/media-type-known", "images/media-type-true"},
		"request.messages[].content[].toolUse type":                    {"pairing/result-names-a-call", "pairing/ids-present", "egress/call-has-name"},
		"request.messages[].content[].toolResult":                      {"pairing/every-call-answered", "pairing/ids-present", "pairing/result-names-a-call"},
		"request.messages[].content[].toolUse.toolU":                   {"pairing/every-call-answered", "pairing/result-names-a-call"},
		"request.toolConfig.tools[].toolSpec type":                     {"egress/tool-name", "egress/chosen-tool-offered"},
		"request.toolConfig.tools[] type":                              {"egress/chosen-tool-offered", "egress/tools-stay-defined"},
		"request.toolConfig.tools required":                            {"egress/tools-stay-defined"},
		"request.toolConfig.tools type":                                {"egress/tools-stay-defined"},
	})
}

// TestFormTakes: what correct clients send, and what the service model allows, has the form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, converse.API, wholeRequest, "messages", `
		{"role":"user","content":[{"text":"So?"},{"cachePoint":{"type":"default"}}]}
		{"role":"user","content":[{"document":{"name":"a","source":{"text":"x"}}},{"text":"?"}]}
		{"role":"assistant","content":[{"citationsContent":{"content":[{"text":"x"}]}}]}
		{"role":"assistant","content":[{"reasoningContent":{"redactedContent":"eA=="}},{"toolUse":{"toolUseId":"get_weather:0","name":"get_weather","input":{}}}]}
		{"role":"assistant","content":[{"somethingNew":{"x":1}}]}
		{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[]}}]}
		{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":""}]}}]}
		{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"4 C"},{"image":{"format":"png","source":{"bytes":"eA=="}}}]}}]}
		{"role":"system","content":[{"text":"Be brief."}]}`, `
		{"system":[{"text":"a"}]}
		{"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}},{"toolSpec":{"name":"a","inputSchema":{"json":{}},"strict":true}}],"toolChoice":{"tool":{"name":"a"}}}}
		{"inferenceConfig":{"temperature":0,"topP":1}}
		{"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":"{}"}}},"effort":"low"}}
		{"requestMetadata":{"a":"b"},"promptVariables":{"a":{"text":"b"}}}`)
}

// TestOrder: what the rules about order find in a request.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*wire.Node)
		want   string
	}{
		{"nothing", func(*wire.Node) {}, ""},
		{"a note beside results", noteBesideResults, ""},
		{"a forced call", forcedCall, ""},
		{"no toolConfig", func(b *wire.Node) { b.Remove("toolConfig") }, "egress/tools-stay-defined at /toolConfig/tools"},
		{"a prompt behind the results", func(b *wire.Node) {
			b.Get("messages").SetItems(append(b.Get("messages").Items, wire.NewNode(wire.Raw(`{"role":"user","content":[{"text":"So?"}]}`)))...)
		}, "egress/roles-take-turns at /messages/3"},
		{"each result by itself", func(b *wire.Node) {
			first := b.Path("messages", 2, "content")
			second := wire.NewNode(wire.Raw(`{"role":"user","content":[` + string(first.Items[1].JSON()) + `]}`))
			first.SetItems(first.Items[0])
			b.Get("messages").SetItems(append(b.Get("messages").Items, second)...)
		}, "pairing/results-in-one-message at /messages/3"},
		{"a greeting first", func(b *wire.Node) {
			b.Get("messages").SetItems(append([]*wire.Node{wire.NewNode(wire.Raw(`{"role":"assistant","content":[{"text":"Hi."}]}`))}, b.Get("messages").Items...)...)
		}, "egress/user-comes-first at /messages/0"},
		{"a cache point behind reasoning", func(b *wire.Node) {
			content := b.Path("messages", 1, "content")
			content.SetItems(content.Items[0], wire.NewNode(wire.Raw(`{"cachePoint":{"type":"default"}}`)), content.Items[4], content.Items[5])
		}, "egress/cache-point-not-behind-reasoning at /messages/1/content/1"},
	} {
		body := wire.Parsed(wholeRequest)
		c.change(body)
		if got := broken(t, "bedrock-claude", body, false); got != c.want {
			t.Errorf("%s: it breaks %q, want %q", c.name, got, c.want)
		}
	}
}

func noteBesideResults(b *wire.Node) {
	content := b.Path("messages", 2, "content")
	content.SetItems(append(content.Items, wire.NewNode(wire.Raw(`{"text":"<system>The tool has run.</system>"}`)))...)
}

func forcedCall(b *wire.Node) {
	b.Get("toolConfig").Set("toolChoice", wire.Raw(`{"any":{}}`))
}

// broken names the rules of this dialect that a request breaks under a profile.
func broken(t *testing.T, profile string, body *wire.Node, streamed bool) string {
	t.Helper()
	p := Profile(t, profile)
	req, err := p.Speaks.Read(body.JSON())
	if err != nil {
		t.Fatal(err)
	}
	req.Stream = streamed
	var found []string
	for _, f := range rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Request: req}) {
		if r := rulebook.Lookup(f.Rule); r.Dialect != nil && r.In(p.Speaks) {
			found = append(found, f.Rule+" at "+f.Pointer)
		}
	}
	return strings.Join(found, ", ")
}

// TestMarkedTools: a cache point among the tools is refused by models of Amazon.
func TestMarkedTools(t *testing.T) {
	body := wire.Parsed(wholeRequest)
	tools := body.Path("toolConfig", "tools")
	tools.SetItems(tools.Items[0], wire.NewNode(wire.Raw(`{"cachePoint":{"type":"default"}}`)))
	if got := broken(t, "bedrock-nova", body, false); got != "egress/tools-not-marked at /toolConfig/tools/1" {
		t.Errorf("it breaks %q", got)
	}
	for _, profile := range []string{"bedrock-claude", "bedrock-llama"} {
		if got := broken(t, profile, body, false); strings.Contains(got, "egress/tools-not-marked") {
			t.Errorf("under %s it breaks %q", profile, got)
		}
	}
}

// TestModels: what models of Meta do not take, which others do.
func TestModels(t *testing.T) {
	const round = `{"messages":[{"role":"user","content":[{"text":"Oslo?"}]},
		{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1","name":"get_weather","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"4 C"}]}}]}],
		"toolConfig":{"tools":[{"toolSpec":{"name":"get_weather","inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"auto":{}}}}`
	for _, c := range []struct {
		name     string
		streamed bool
		change   func(*wire.Node)
		want     string
		says     string
	}{
		{"calls and results alone", false, func(*wire.Node) {}, "", ""},
		{"a note beside results", false, noteBesideResults, "egress/turns-of-one-kind at /messages/2",
			"messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same turn."},
		{"a text beside a call", false, func(b *wire.Node) {
			content := b.Path("messages", 1, "content")
			content.SetItems(wire.NewNode(wire.Raw(`{"text":"I look."}`)), content.Items[0])
		}, "egress/turns-of-one-kind at /messages/1", "messages.1.content: Conversation blocks and tool use blocks cannot be provided in the same turn."},
		{"a forced call", false, forcedCall, "egress/model-takes-tool-choice at /toolConfig/toolChoice",
			"This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try again."},
		{"a stream", true, func(*wire.Node) {}, "egress/tools-not-streamed at /toolConfig", "This model doesn't support tool use in streaming mode."},
		{"a stream without tools", true, func(b *wire.Node) {
			b.Remove("toolConfig")
			b.Get("messages").SetItems(b.Get("messages").Items[0])
		}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := wire.Parsed([]byte(round))
			c.change(body)
			if got := broken(t, "bedrock-llama", body, c.streamed); got != c.want {
				t.Errorf("it breaks %q, want %q", got, c.want)
			}
			if got := broken(t, "bedrock-nova", body, c.streamed); got != "" {
				t.Errorf("under Nova it breaks %q", got)
			}
			p := Profile(t, "bedrock-llama")
			req, err := p.Speaks.Read(body.JSON())
			if err != nil {
				t.Fatal(err)
			}
			req.Stream = c.streamed
			if refused, _, _ := rulebook.Refuse(p, req); refused.Message != c.says {
				t.Errorf("it is refused with %q, want %q", refused.Message, c.says)
			}
		})
	}
}

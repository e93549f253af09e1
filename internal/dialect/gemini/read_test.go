package gemini_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestContentsOfTheModelThatFollowEachOtherAreOneMessage(t *testing.T) {
	req, err := gemini.API.Read([]byte(`{"contents":[
		{"role":"user","parts":[{"text":"Compare."}]},
		{"role":"model","parts":[{"text":"I ","thought":true}]},
		{"role":"model","parts":[{"text":"I look "}]},
		{"role":"model","parts":[{"text":"them up."}]},
		{"role":"model","parts":[{"functionCall":{"name":"look","args":{"n":1}},"thoughtSignature":"c2k="}]},
		{"role":"model","parts":[{"functionCall":{"name":"look","args":{"n":2}}}]},
		{"role":"model","parts":[{"text":""}]},
		{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"a"}}},{"functionResponse":{"name":"look","response":{"output":"b"}}}]},
		{"role":"model","parts":[{"text":"Done."}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var roles []wire.Role
	for _, m := range req.Messages {
		roles = append(roles, m.Role)
	}
	if diff := cmp.Diff([]wire.Role{wire.User, wire.Assistant, wire.Tool, wire.Assistant}, roles); diff != "" {
		t.Fatal(diff)
	}
	turn, results := req.Messages[1], req.Messages[2].Results
	if turn.Content.Text != "I look them up." || len(turn.Reasoning.Thoughts) != 1 || len(turn.Calls) != 2 {
		t.Errorf("the turn is %+v", turn)
	}
	if results[0].CallID != turn.Calls[0].ID || results[1].CallID != turn.Calls[1].ID {
		t.Errorf("results for %q and %q, calls %q and %q", results[0].CallID, results[1].CallID, turn.Calls[0].ID, turn.Calls[1].ID)
	}
	if pointer := turn.Calls[1].Node.Pointer(); pointer != "/contents/5/parts/0" {
		t.Errorf("the second call is at %s", pointer)
	}
	if contents := len(turn.Node.Items); contents != 5 {
		t.Errorf("the turn has %d contents that say something, want 5", contents)
	}
	if said := req.Messages[3].Node; !said.Is(wire.Object) {
		t.Errorf("a turn of one content is %s", said.Raw)
	}
}

// A key is found in either spelling, and no other one is taken for it.
func TestKeysAreFoundInEitherSpelling(t *testing.T) {
	for keys, want := range map[string]int{
		`"systemInstruction":{"parts":[{"text":"a"}]}`:  1,
		`"system_instruction":{"parts":[{"text":"a"}]}`: 1,
		`"system_Instruction":{"parts":[{"text":"a"}]}`: 0,
		`"systeminstruction":{"parts":[{"text":"a"}]}`:  0,
		`"system_instructions":{"parts":[]}`:            0,
		`"system_instruct":{"parts":[]}`:                0,
	} {
		req, err := gemini.API.Read([]byte(`{"contents":[],` + keys + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if len(req.Messages) != want {
			t.Errorf("%s: %d messages, want %d", keys, len(req.Messages), want)
		}
	}
}

// Google's own samples have no brackets around a single content, part or tool.
func TestAValueStandsForAListOfOne(t *testing.T) {
	req, err := gemini.API.Read([]byte(`{"system_instruction":{"parts":{"text":"Be terse."}},
		"contents":{"role":"user","parts":{"text":"Hello."}},
		"tools":{"function_declarations":{"name":"look"}},
		"tool_config":{"function_calling_config":{"mode":"any","allowed_function_names":"look"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Messages) != 2 || req.Messages[0].Content.Text != "Be terse." || req.Messages[1].Content.Text != "Hello." {
		t.Fatalf("the messages are %+v", req.Messages)
	}
	if pointer := req.Messages[1].Content.Parts[0].Node.Pointer(); pointer != "/contents/parts" || !req.MessageList().Is(wire.Array) {
		t.Errorf("the part is at %s, the contents are %s", pointer, req.MessageList().Raw)
	}
	if demands := gemini.Demands(req); len(req.Tools) != 1 || demands.Tools.Choice != wire.ChoiceRequired {
		t.Errorf("the tools are %+v, and demanded is %+v", req.Tools, demands.Tools)
	}
	if chosen := gemini.API.Request.ChosenTool(req); chosen.Text() != "look" {
		t.Errorf("the chosen tool is %s", chosen.Text())
	}
}

func TestAnImageInTheURLAlphabetIsRead(t *testing.T) {
	for data, want := range map[string]string{"-_8=": "\xfb\xff", "-_8": "\xfb\xff", "+/8=": "\xfb\xff"} {
		body := []byte(`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"` + data + `"}}]}]}`)
		req, err := gemini.API.Read(body)
		if err != nil {
			t.Fatal(err)
		}
		image, ok := gemini.ReadImage(req.Messages[0].Content.Parts[0])
		if !ok || image.Problem != "" || string(image.Data) != want {
			t.Errorf("%s: %+v", data, image)
		}
	}
}

func TestTheTypesOfASchemaAreThoseOfJSONSchema(t *testing.T) {
	const schema = `{"type":"OBJECT","properties":{"type":{"type":"STRING"},"tags":{"type":"ARRAY","items":{"anyOf":[{"type":"INTEGER"},{"type":"NULL"}]}}}}`
	req, err := gemini.API.Read([]byte(`{"contents":[],"tools":[{"functionDeclarations":[{"name":"file","parameters":` + schema + `}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{"type":{"type":"string"},"tags":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}}`
	if got := string(req.Tools[0].Parameters.Raw); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnErrorWithoutWordsIsNotBlank(t *testing.T) {
	for response, want := range map[string]string{
		`{"error":""}`:         `{"error":""}`,
		`{"error":"no"}`:       "no",
		`{"output":""}`:        "",
		`{"output":{"a":[1]}}`: `{"a":[1]}`,
	} {
		req, err := gemini.API.Read([]byte(`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":` + response + `}}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := req.Messages[0].Results[0].Content.Text; got != want {
			t.Errorf("%s is read as %q, want %q", response, got, want)
		}
	}
}

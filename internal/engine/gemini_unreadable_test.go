package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// What Google cannot read is named in one error, each place in a line of the message and in the
// details; a mapping is a list of keys and values there:
// https://github.com/zed-industries/zed/issues/53919
func TestUnreadableRequestsOfGemini(t *testing.T) {
	const unreadable = "Invalid JSON payload received. "
	says := scenario(t, "model: [{text: Hello.}]")
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{says}}).URL + "/v1beta/models/m:generateContent"
	asked := `"contents":[{"parts":[{"text":"` + says.Prompts[0] + `"}]}]`
	function := func(parameters string) string {
		return asked + `,"tools":[{"functionDeclarations":[{"name":"a","parameters":` + parameters + `}]}]`
	}
	for _, c := range []struct {
		name, body    string
		lines, fields []string
	}{
		{"a name at the top", asked + `,"temperature":1`, []string{unreadable + `Unknown name "temperature": Cannot find field.`}, []string{""}},
		{
			"names in properties", function(`{"type":"OBJECT","properties":{"a":{"type":"STRING"},"properties":{"type":"STRING","const":"x","anyOf":[{"$ref":"y"}]}}}`),
			[]string{
				unreadable + `Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[1].value': Cannot find field.`,
				unreadable + `Unknown name "$ref" at 'tools[0].function_declarations[0].parameters.properties[1].value.any_of[0]': Cannot find field.`,
			},
			[]string{"tools[0].function_declarations[0].parameters.properties[1].value", "tools[0].function_declarations[0].parameters.properties[1].value.any_of[0]"},
		},
		{
			"problems of several kinds", `"system_instruction":"Be terse.","generationConfig":{"topP":[1],"stop":1},` + function(`{"type":["string"],"enum":[1]}`),
			[]string{
				`Invalid value at 'system_instruction' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), "Be terse."`,
				unreadable + `Unknown name "topP" at 'generation_config': Proto field is not repeating, cannot start list.`,
				unreadable + `Unknown name "stop" at 'generation_config': Cannot find field.`,
				unreadable + `Unknown name "type" at 'tools[0].function_declarations[0].parameters': Proto field is not repeating, cannot start list.`,
				`Invalid value at 'tools[0].function_declarations[0].parameters.enum[0]' (TYPE_STRING), 1`,
			},
			[]string{"system_instruction", "generation_config", "generation_config", "tools[0].function_declarations[0].parameters", "tools[0].function_declarations[0].parameters.enum[0]"},
		},
		{
			"one value for a list", `"contents":{"parts":{"text":{}}}`,
			[]string{"Invalid value at 'contents.parts' (text), Starting an object on a scalar field"}, []string{"contents.parts"},
		},
	} {
		got := do(t, http.MethodPost, url, "{"+c.body+"}")
		if message := gjson.Get(got.body, "error.message").String(); got.status != 400 || message != strings.Join(c.lines, "\n") {
			t.Errorf("%s: answered %d: %s", c.name, got.status, message)
		}
		violations := gjson.Get(got.body, `error.details.#(@type=="type.googleapis.com/google.rpc.BadRequest").fieldViolations`).Array()
		if len(violations) != len(c.fields) {
			t.Fatalf("%s: %d violations in %s", c.name, len(violations), got.body)
		}
		for i, v := range violations {
			if v.Get("field").String() != c.fields[i] || v.Get("description").String() != c.lines[i] {
				t.Errorf("%s: violation %d is %s", c.name, i, v.Raw)
			}
		}
	}
	if refused := do(t, http.MethodPost, url, `{"contents":[]}`); gjson.Get(refused.body, "error.details").Exists() {
		t.Errorf("what is read and refused has details: %s", refused.body)
	}
}

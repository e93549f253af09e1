package types

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
)

var update = flag.Bool("update", false, "write testdata/differences.yaml again, with the reasons that it has")

const differencesFile = "testdata/differences.yaml"

// held are the files, and the profiles that are held against them.
var held = []struct {
	file, profile, vertex string
	surround              func(request object)
	sensible              map[string]any
	least                 map[string]object
}{
	{file: "anthropic", profile: "anthropic", surround: surroundMessages, sensible: map[string]any{
		".name": "example", "ToolChoiceTool.name": weather, ".budget_tokens": 1024, ".data": "iVBORw0KGgo=", "Base64PDFSource.data": "JVBERi0xLjQK", ".url": "https://example.com/a",
		".tool_use_id": "toolu_1", ".id": "toolu_1", ".input_schema": object{"type": "object"}, "InputSchemaTyped.properties": object{}, "ToolReferenceBlock.tool_name": weather,
	}, least: map[string]object{
		"SystemMessage":   {"role": "system", "content": "Be brief."},
		"ToolResultBlock": {"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 C"},
	}},
	{file: "openai-chat", profile: "openai", surround: surroundChat, sensible: map[string]any{
		".id": "call_1", "ToolMessage.tool_call_id": "call_1", ".tool_call_id": "call_1", ".arguments": "{}",
		"ImageURL.url": "https://example.com/a.png", ".parameters": object{"type": "object", "properties": object{}}, ".data": "iVBORw0KGgo=",
		"FileFile.file_data": "data:application/pdf;base64,JVBERi0xLjQK", "ChatCompletionNamedToolChoiceFunction.name": weather, "ChatCompletionMessageFunctionToolCallFunction.name": weather,
	}, least: map[string]object{
		"File": {"type": "file", "file": object{"file_id": "file-1"}}, "FileFile": {"file_id": "file-1"},
	}},
	{file: "openai-responses", profile: "openai-responses", surround: surroundItems, sensible: map[string]any{
		".call_id": "call_1", ".arguments": "{}", ".parameters": object{"type": "object", "properties": object{}}, ".max_output_tokens": 1000,
		".file_data": "data:application/pdf;base64,JVBERi0xLjQK", ".conversation": "conv_1", "ResponseConversation.id": "conv_1", ".previous_response_id": "resp_1",
		"ToolChoiceFunction.name": weather, "ResponseFunctionToolCall.name": weather, "ResponseFunctionToolCall.id": "fc_1",
		"ResponseOutputMessage.id": "msg_1", "ResponseReasoningItem.id": "rs_1", "ToolChoiceAllowed.tools": []any{object{"type": "function", "name": weather}},
		"FunctionTool.parameters": object{"type": "object", "properties": object{}, "required": []any{}, "additionalProperties": false},
	}, least: map[string]object{
		"Mcp":                       {"type": "mcp", "server_label": "example", "server_url": "https://example.com/mcp"},
		"ResponseInputFile":         {"type": "input_file", "file_id": "file-1"},
		"ResponseInputFileContent":  {"type": "input_file", "file_id": "file-1"},
		"ResponseInputImage":        {"type": "input_image", "detail": "auto", "image_url": "https://example.com/a.png"},
		"ResponseInputImageContent": {"type": "input_image", "image_url": "https://example.com/a.png"},
	}},
	{file: "google-genai", profile: "gemini-3", vertex: "vertex", surround: surroundContents, sensible: map[string]any{
		".name": "example", ".role": "user", ".data": "iVBORw0KGgo=", ".mimeType": "image/png", "FunctionCallingConfig.allowedFunctionNames": []any{weather},
	}, least: map[string]object{
		"Content": {"role": "user", "parts": []any{object{"text": "Hi."}}}, "Part": {"text": "Hi."}, "FunctionCall": {"name": weather, "args": object{}},
		"FunctionResponse": {"name": weather, "response": object{}}, "FunctionDeclaration": {"name": "example", "description": "An example."},
		"Schema": {"type": "OBJECT"}, "FunctionCallingConfig": {"mode": "ANY"}, "FunctionResponsePart": {"inlineData": object{"mimeType": "image/png", "data": "iVBORw0KGgo="}},
		"Blob": {"mimeType": "image/png", "data": "iVBORw0KGgo="},
	}},
}

func TestTypesOfSDKs(t *testing.T) {
	listed := map[string][]Difference{}
	text, err := os.ReadFile(differencesFile)
	if err == nil {
		err = yaml.Unmarshal(text, &listed)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	keys, words := candidates(t)
	for _, h := range held {
		t.Run(h.file, func(t *testing.T) {
			all, err := read(h.file + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			c := &comparison{writer: writer{all, h.sensible, h.least}, surround: h.surround, profile: profile(t, h.profile)}
			if h.vertex != "" {
				c.vertex = profile(t, h.vertex)
			}
			tried := keys
			if h.vertex != "" { // there keys with underscores are other spellings
				tried = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return strings.Contains(key, "_") })
			}
			found := c.compare(tried, words)
			if len(c.paths) != len(all) {
				t.Errorf("%d of %d places are reached", len(c.paths), len(all))
			}
			t.Logf("%d places, %d keys and %d words where they may stand; %d of them are closed; %d differences", len(c.paths), c.keys, c.words, c.closed, len(found))
			if *update {
				listed[h.file] = withReasons(found, listed[h.file])
				return
			}
			report(t, found, listed[h.file])
		})
	}
	if *update {
		write(t, listed)
	}
}

func profile(t *testing.T, name string) *profiles.Profile {
	p, err := profiles.Known{}.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// candidates are all keys and words of all SDKs, and those that the dialects know.
func candidates(t *testing.T) (keys, words []string) {
	for _, h := range held {
		all, err := read(h.file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range all {
			for _, k := range place {
				more, _ := k.words()
				keys, words = append(keys, k.name), append(words, more...)
			}
		}
		d := profile(t, h.profile).Speaks
		keys, words = append(keys, d.Keys()...), append(words, d.Request.Roles...)
		for _, more := range d.Parameters("egress/option-keys").OptionKeys {
			keys = append(keys, more...)
		}
		for _, more := range d.Parameters("egress/parameter-words").Words {
			words = append(words, more...)
		}
	}
	for _, more := range gemini.Form().KnownKeys() {
		keys = append(keys, more...)
	}
	slices.Sort(keys)
	slices.Sort(words)
	return slices.Compact(keys), slices.Compact(words)
}

func report(t *testing.T, found, listed []Difference) {
	for _, d := range found {
		if !slices.ContainsFunc(listed, d.same) {
			t.Errorf("not in %s: %s, ours: %s", differencesFile, d.At, d.Ours)
		}
	}
	for _, d := range listed {
		if !slices.ContainsFunc(found, d.same) {
			t.Errorf("%s has a difference that is gone: %s, ours: %s", differencesFile, d.At, d.Ours)
		}
		if d.Why == "" {
			t.Errorf("%s gives no reason for %s, ours: %s", differencesFile, d.At, d.Ours)
		}
	}
}

func (d Difference) same(other Difference) bool { return d.At == other.At && d.Ours == other.Ours }

func withReasons(found, listed []Difference) []Difference {
	for i, d := range found {
		if at := slices.IndexFunc(listed, d.same); at >= 0 {
			found[i].Why = listed[at].Why
		}
	}
	return found
}

func write(t *testing.T, listed map[string][]Difference) {
	b := new(bytes.Buffer)
	b.WriteString("# Where the types of the official SDKs and Loopproof do not agree about requests, and why.\n# Written by: go test ./selfcheck/types -update\n")
	for _, h := range held {
		fmt.Fprintf(b, "%s:\n", h.file)
		for _, d := range listed[h.file] {
			fmt.Fprintf(b, "  - {at: %q, ours: %s, why: %q}\n", d.At, d.Ours, d.Why)
		}
	}
	if err := os.WriteFile(differencesFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

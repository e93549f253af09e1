package selfcheck

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
)

// genaiMessages are the types of the SDK by the names of their nodes in the form.
var genaiMessages = map[string]any{
	"Content": genai.Content{}, "Part": genai.Part{}, "FunctionCall": genai.FunctionCall{}, "FunctionResponse": genai.FunctionResponse{},
	"FunctionResponsePart": genai.FunctionResponsePart{}, "FunctionDeclaration": genai.FunctionDeclaration{}, "Schema": genai.Schema{},
	"Tool": genai.Tool{}, "ToolConfig": genai.ToolConfig{}, "FunctionCallingConfig": genai.FunctionCallingConfig{},
	"GenerationConfig": genai.GenerationConfig{}, "ThinkingConfig": genai.ThinkingConfig{}, "Blob": genai.Blob{}, "FileData": genai.FileData{},
	"SafetySetting": genai.SafetySetting{},
}

// TestKeysOfGenAIAreKnown: no key that Google's Go SDK sends is unknown to a rule. Where a newer
// SDK has more, add them there.
func TestKeysOfGenAIAreKnown(t *testing.T) {
	known := gemini.Form().KnownKeys()
	for name, message := range genaiMessages {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(message)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key != "" && key != "-" && !slices.Contains(known[name], key) {
				t.Errorf("%s has the key %s, which no rule knows", name, key)
			}
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("%s is held against no type of the SDK", name)
	}
}

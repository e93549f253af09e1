package scenarios

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
)

func tokensOf(t *testing.T, name, body string) int {
	t.Helper()
	var d *wire.Dialect
	for _, other := range dialect.All() {
		if other.Name == name {
			d = other
		}
	}
	req, err := d.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return Tokens(req)
}

// The tokens of a prompt depend on the prompt alone.
func TestTokensAreThoseOfThePrompt(t *testing.T) {
	for name, same := range map[string][]string{
		"chat": {
			`{"model":"gpt-5","messages":[{"role":"user","content":"hello \u00e9"}]}`,
			`{"model":"gpt-5","messages":[{"role":"user","content":"hello é"}],"stream":true,"stream_options":{"include_usage":true}}`,
			`{"model":"gpt-5","messages":[{"role":"user","content":"hello é"}],"user":"u-12345678901234567890"}`,
			`{"model":"gpt-5","messages":[{"role":"user","content":"hello é"}],"metadata":{"trace":"12345678901234567890"}}`,
			"{ \"model\": \"gpt-5\",\n \"messages\": [ { \"role\": \"user\",  \"content\": \"hello é\" } ] }\n",
		},
		"responses": {
			`{"model":"gpt-5","input":[{"role":"user","content":"hello"}],"instructions":"Be brief."}`,
			`{"model":"gpt-5","stream":true,"store":false,"instructions":"Be brief.","input":[{"role":"user","content":"hello"}]}`,
		},
		"messages": {
			`{"model":"claude","messages":[{"role":"user","content":"hello"}]}`,
			`{"model":"claude","max_tokens":1024,"messages":[{"role":"user","content":"hello"}],"metadata":{"user_id":"u1"}}`,
		},
		"gemini": {
			`{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"temperature":0.5}}`,
			`{"generateContentRequest":{"model":"models/g","contents":[{"role":"user","parts":[{"text":"hello"}]}]}}`,
		},
	} {
		want := tokensOf(t, name, same[0])
		for _, body := range same[1:] {
			if got := tokensOf(t, name, body); got != want {
				t.Errorf("%s: %d tokens, and %d with\n%s", name, want, got, body)
			}
		}
	}
}

// What the model reads counts.
func TestTokensCountToolsAndSchemas(t *testing.T) {
	plain := tokensOf(t, "chat", `{"messages":[{"role":"user","content":"hello"}]}`)
	for _, more := range []string{
		`"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object"}}}]`,
		`"response_format":{"type":"json_schema","json_schema":{"name":"City","schema":{"type":"object"}}}`,
	} {
		if got := tokensOf(t, "chat", `{"messages":[{"role":"user","content":"hello"}],`+more+`}`); got < plain+10 {
			t.Errorf("%d tokens with %s, and %d without", got, more, plain)
		}
	}
}

// An image and a file count the same, whatever their size and wherever they are.
func TestTokensOfImagesAreFixed(t *testing.T) {
	small, big := base64.StdEncoding.EncodeToString([]byte("\x89PNG small")), base64.StdEncoding.EncodeToString([]byte("\x89PNG"+strings.Repeat("x", 300_000)))
	for _, one := range []struct {
		dialect, body string
		tokens        int
	}{
		{"chat", `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,DATA"}}]}]}`, 765},
		{"chat", `{"messages":[{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,DATA"}}]}]}`, 765},
		{"chat", `{"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"DATA","format":"wav"}}]}]}`, 765},
		{"responses", `{"input":[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,DATA"}]}]}`, 765},
		{"messages", `{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"DATA"}}]}]}`, 1334},
		{"messages", `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"DATA"}}]}]}]}`, 1334},
		{"messages", `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"DATA"}}]}]}`, 1334},
		{"gemini", `{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"DATA"}}]}]}`, 258},
	} {
		a, b := tokensOf(t, one.dialect, strings.ReplaceAll(one.body, "DATA", small)), tokensOf(t, one.dialect, strings.ReplaceAll(one.body, "DATA", big))
		if a != b || a < one.tokens || a > one.tokens+60 {
			t.Errorf("%s: %d tokens with a small one, %d with a big one, and not %d:\n%s", one.dialect, a, b, one.tokens, one.body)
		}
	}
}

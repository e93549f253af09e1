package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// entry is an exchange of a HAR file: a prompt, and the name of the tool that the model calls; "":
// it says Hello.
func entry(prompt, tool string) string {
	message := `{"role":"assistant","content":"Hello."}`
	if tool != "" {
		message = fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":%q,"arguments":"{}"}}]}`, tool)
	}
	answer := `{"object":"chat.completion","choices":[{"index":0,"message":` + message + `,"finish_reason":"stop"}]}`
	request := fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%q}],"tools":[{"type":"function","function":{"name":%q,"parameters":{"type":"object"}}}]}`, prompt, tool+"x")
	return fmt.Sprintf(`{"request":{"method":"POST","url":"https://api.openai.com/v1/chat/completions","headers":[],"postData":{"mimeType":"application/json","text":%q}},
"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"mimeType":"application/json","text":%q}}}`, request, answer)
}

// What cannot be played leaves nothing behind, and what can be is imported all the same.
func TestImportLeavesNothingUnplayable(t *testing.T) {
	for _, c := range []struct {
		entries []string
		code    int
		want    []string
	}{
		{[]string{entry("Break out.", "../../x")}, 2, nil},
		{[]string{entry("Break out.", "../../x"), entry("Say hello.", "")}, 0, []string{".gitattributes", "say-hello", "say-hello.yaml"}},
	} {
		dir := t.TempDir()
		har, out := filepath.Join(dir, "a.har"), filepath.Join(dir, "out")
		if err := os.WriteFile(har, []byte(`{"log":{"version":"1.2","entries":[`+strings.Join(c.entries, ",")+`]}}`), 0o666); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		code := execute([]string{"import", "--out", out, har}, streams{out: &said, err: &said, width: 100})
		if got := namesIn(out); code != c.code || !slices.Equal(got, c.want) {
			t.Errorf("exit code %d, files %q:\n%s", code, got, &said)
		}
		if !strings.Contains(said.String(), "the conversation break-out of "+har+" is not carried over: ") {
			t.Errorf("what is not imported is not told:\n%s", &said)
		}
	}
}

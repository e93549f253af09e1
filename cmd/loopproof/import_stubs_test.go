package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// serveImported imports a folder, and serves what came of it.
func serveImported(t *testing.T, folder string) string {
	t.Helper()
	out := t.TempDir()
	var said bytes.Buffer
	if code := execute([]string{"import", "--out", out, folder}, streams{out: &said, err: &said, width: 100}); code != 0 {
		t.Fatalf("exit code %d: %s", code, &said)
	}
	scripts, err := scenarios.Load(os.DirFS(out))
	if err != nil {
		t.Fatal(err)
	}
	anthropic, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts, ExtraProfiles: []*profiles.Profile{anthropic}})
	t.Cleanup(srv.Close)
	return srv.URL
}

// answerTo returns an answer in short: its status, and what the model says or does or what is
// wrong.
func answerTo(t *testing.T, url, body string, tell func([]byte) string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return "no answer"
	}
	if resp.StatusCode == http.StatusNotFound {
		return "404"
	}
	if wait := resp.Header.Get("Retry-After"); wait != "" {
		return fmt.Sprint(resp.StatusCode, " after ", wait, " ", tell(text))
	}
	return fmt.Sprint(resp.StatusCode, " ", tell(text))
}

// saidInChat tells what an answer of Chat Completions says.
func saidInChat(text []byte) string {
	var answer struct {
		Error   struct{ Message, Type, Code string }
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content   string
				ToolCalls []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return string(text)
	}
	if len(answer.Choices) == 0 {
		return fmt.Sprint(answer.Error)
	}
	choice := answer.Choices[0]
	for _, call := range choice.Message.ToolCalls {
		return fmt.Sprint(choice.FinishReason, " ", call)
	}
	return choice.FinishReason + " " + choice.Message.Content
}

func asksInChat(more string, messages ...string) string {
	return `{"model":"gpt-5"` + more + `,"messages":[` + strings.Join(messages, ",") + `]}`
}

func byUser(text string) string { return `{"role":"user","content":"` + text + `"}` }

const (
	hello     = `{"role":"assistant","content":"Hello."}`
	callOrder = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_order","type":"function","function":{"name":"find_order","arguments":"{\"id\":7,\"full\":true}"}}]}`
	findOrder = `,"tools":[{"type":"function","function":{"name":"find_order","parameters":{"type":"object","properties":{}}}}]`
)

// The scripts of fixtures of aimock answer as aimock 1.43.0 did when it was asked the same in this
// order.
func TestAimockPlayedBack(t *testing.T) {
	url := serveImported(t, "testdata/import/aimock") + "/v1/chat/completions"
	shipped := `{"role":"tool","tool_call_id":"call_order","content":"{\"state\":\"shipped\"}"}`
	for i, step := range []struct{ request, want string }{
		{asksInChat(findOrder, byUser("Where is my order?")), `200 tool_calls {call_order {find_order {"id":7,"full":true}}}`},
		{asksInChat(findOrder, byUser("Where is my order?"), callOrder, shipped), "200 stop It is on its way {{today}}."},
		{asksInChat(findOrder, byUser("Where is my order?"), callOrder, strings.Replace(shipped, "shipped", "packed", 1)), "200 stop It is not on its way."},
		{asksInChat("", byUser("flaky")), "429 after 3 {Slow down. rate_limit_error rate_limit_exceeded}"},
		{asksInChat("", byUser("another flaky one")), "200 stop Now it works."},
		{asksInChat("", byUser("A Joke!")), "404"}, // capitals count
		{asksInChat("", byUser("Tell a joke")), "200 stop First."},
		{asksInChat("", byUser("Tell a joke"), hello, byUser("And another joke")), "200 stop Second."},
		{asksInChat("", byUser("Tell a joke")), "404"},
		{asksInChat("", byUser("hello")), "200 stop Hello."},
		{asksInChat("", byUser("hello"), hello, byUser("hello")), "200 stop Hello again."},
		{asksInChat("", byUser("hello"), hello, byUser("hello"), hello, byUser("hello")), "200 stop Hello again."},
		{asksInChat("", byUser("long")), "200 length Cut"},
		{asksInChat(`,"response_format":{"type":"json_object"}`, byUser("json, please")), `200 stop {"b":1,"a":["é"]}`},
	} {
		if got := answerTo(t, url, step.request, saidInChat); got != step.want {
			t.Errorf("request %d is answered %s, want %s", i+1, got, step.want)
		}
	}
}

// The scripts of mappings of WireMock answer as WireMock 3.13.2 did when it was asked the same in
// this order.
func TestWireMockPlayedBack(t *testing.T) {
	base := serveImported(t, "testdata/import/wiremock")
	hello := func(model, text string) string {
		return `{"model":"` + model + `","max_tokens":9,"messages":[{"role":"user","content":"` + text + `"}]}`
	}
	const stream = `data: {"id":"c3","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Three."},"finish_reason":null}]}` + "\n\n" +
		`data: {"id":"c3","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	whole := func(text []byte) string { return string(text) }
	for i, step := range []struct{ path, request, want string }{
		{"/chat/completions", asksInChat("", byUser("hi")), `200 {"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-4","choices":[{"index":0,"message":{"role":"assistant","content":"From a file."},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":25,"total_tokens":35}}` + "\n"},
		{"/chat/completions", asksInChat("", byUser("a sequence")), `503 after 2 {"error":{"message":"busy","type":"server_error"}}`},
		{"/chat/completions", asksInChat("", byUser("a sequence")), `200 {"id":"c2","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Two."},"finish_reason":"stop"}]}`},
		{"/chat/completions", asksInChat(`,"stream":true`, byUser("a sequence")), "200 " + stream},
		{"/chat/completions", asksInChat(`,"stream":true`, byUser("a sequence")), "200 " + stream},
		{"/chat/completions", asksInChat("", byUser("a one-paragraph E2E-DEFECT")), `200 {"id":"chatcmpl-e2e","object":"chat.completion","model":"e2e","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{\"a\":1}"}}]}`},
		{"/messages", hello("c", "Hello"), `200 {"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"Hi."}],"model":"claude","stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`},
		{"/messages", hello("c", "Other"), "404"},
		{"/messages", hello("broken", "Hello"), "no answer"},
	} {
		if got := answerTo(t, base+"/v1"+step.path, step.request, whole); got != step.want {
			t.Errorf("request %d is answered %s, want %s", i+1, got, step.want)
		}
	}
}

// A recording may be large, since a browser writes all that a page has loaded into a HAR file, but
// not without a limit.
func TestLargeRecordings(t *testing.T) {
	folder := t.TempDir()
	exchange := func(url, request, response string) string {
		return fmt.Sprintf(`{"request":{"method":"POST","url":%q,"postData":{"text":%q}},"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"text":%q}}}`, url, request, response)
	}
	har := `{"log":{"entries":[` + exchange("https://a/picture", "", strings.Repeat("x", 3<<20)) + "," +
		exchange("https://a/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Go."}]}`, `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Done."},"finish_reason":"stop"}]}`) + "]}}"
	if err := os.WriteFile(filepath.Join(folder, "page.har"), []byte(har), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serveImported(t, folder)
	text := func(body []byte) string { return string(body) }
	if got := answerTo(t, url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Go."}]}`, text); !strings.Contains(got, "Done.") {
		t.Errorf("the recorded request is answered by %s", got)
	}
	huge := filepath.Join(folder, "huge.har")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 65<<20); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	code := execute([]string{"import", "--out", t.TempDir(), huge}, streams{out: &said, err: &said, width: 100})
	if want := "loopproof: " + huge + ": the file has 65.0 MB, the maximum is 64 MB\n"; code == 0 || said.String() != want {
		t.Errorf("exit code %d: %s, want %s", code, &said, want)
	}
}

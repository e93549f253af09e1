package savedrequests_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
)

const (
	chatBody     = `{"model":"gpt-5","messages":[{"role":"user","content":"hi"}]}`
	messagesBody = `{"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
)

// TestFind: each kind of file, and what is found in it as "dialect line place", with "list" for a
// list of messages and "?" where other dialects are as likely.
func TestFind(t *testing.T) {
	for _, test := range []struct {
		name, data string
		want       []string
	}{
		{"a body", chatBody, []string{"chat 1 ?"}},
		{"a body with a byte order mark", "\xef\xbb\xbf" + chatBody, []string{"chat 1 ?"}},
		{"a body of Messages", messagesBody, []string{"messages 1"}},
		{"a body of Messages by its blocks", `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`, []string{"messages 1"}},
		{"a body of Responses", `{"model":"gpt-5","input":[{"role":"user","content":"hi"}]}`, []string{"responses 1"}},
		{"a body of Responses with a text", `{"model":"gpt-5","input":"hi","store":false}`, []string{"responses 1"}},
		{"a body of Gemini", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, []string{"gemini 1"}},
		{"a list of messages", `[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]`, []string{"chat 1 list ?"}},
		{"a list with calls", `[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"a","content":"x"}]`, []string{"chat 1 list"}},
		{"a list of Messages", `[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]`, []string{"messages 1 list"}},
		{"a list of items", `[{"role":"user","content":"hi"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]`, []string{"responses 1 list"}},
		{"a list of contents", `[{"role":"user","parts":[{"text":"hi"}]}]`, []string{"gemini 1 list"}},
		{"JSON lines", chatBody + "\n\n" + messagesBody + "\n", []string{"chat 1 ?", "messages 3"}},
		{"a batch", `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":` + chatBody + "}\n{\"custom_id\":\"2\",\"url\":\"/v1/chat/completions\",\"body\":\n" + chatBody + "}", []string{"chat 1", "chat 3"}},
		{"a HAR file", `{"log":{"entries":[
			{"request":{"url":"https://example.com/style.css"}},
			{"request":{"url":"https://api.openai.com/v1/chat/completions?x=1","postData":{"text":` + quoted(chatBody) + `}},
			 "response":{"content":{"text":"{\"choices\":[{\"message\":{\"role\":\"assistant\"}}]}"}}}]}}`,
			[]string{"chat 3 /log/entries/1/request/postData/text"}},
		{"the URL decides", `{"request":{"url":"https://openrouter.ai/api/v1/chat/completions","body":` + messagesBody + `}}`, []string{"chat 1 /request/body"}},
		{"the log of a Python SDK", "DEBUG x\nDEBUG Request options: {'method': 'post', 'url': '/chat/completions', 'files': <x>, 'json_data': {'messages': [{'role': 'user', 'content': \"it's\\xa0me\"}], 'model': 'gpt-5', 'stream': True}}\nmore",
			[]string{"chat 2"}},
		{"a dump of HTTP", "POST /v1/messages HTTP/1.1\r\nHost: x\r\n\r\n" + chatBody + "\r\n", []string{"messages 4"}},
		{"a dump within JSON", `{"request":` + quoted("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n\r\n"+chatBody) + `}`, []string{"chat 1"}},
		{"a command of curl", "curl https://api.openai.com/v1/chat/completions -d '" + chatBody + "'", []string{"chat 1 ?"}},
		{"an answer", `{"choices":[{"message":{"role":"assistant","content":"hi"}}]}`, nil},
		{"a request for embeddings", `{"model":"m","input":"text"}`, nil},
		{"a request for moderation", `{"model":"m","input":[{"type":"text","text":"x"},{"type":"image_url","image_url":{}}]}`, nil},
		{"messages that are none", `{"messages":["a","b"]}`, nil},
		{"a list that is empty", `{"model":"gpt-5","messages":[]}`, []string{"chat 1 ?"}},
		{"a list that is none", `{"model":"claude-sonnet-5","max_tokens":9,"messages":"hi"}`, []string{"messages 1 ?"}},
		{"a list without roles", `{"model":"gpt-5","messages":[{"content":"hi"}]}`, []string{"chat 1 ?"}},
		{"a misspelt key", `{"model":"gpt-5","mesages":[{"role":"user","content":"hi"}]}`, []string{"chat 1 ?"}},
		{"a misspelt key of Responses", `{"model":"gpt-5","inptu":"hi","store":false}`, []string{"responses 1 ?"}},
		{"a misspelt key of Gemini", `{"content":[{"role":"user","parts":[{"text":"hi"}]}]}`, []string{"gemini 1 ?"}},
		{"a model and no list", `{"model":"gpt-5","temperature":1}`, []string{"chat 1 ?"}},
		{"contents that are none", `{"contents":[]}`, []string{"gemini 1 ?"}},
		{"a text with a parameter of Chat", `{"model":"gpt-5","input":"hi","n":2}`, []string{"responses 1 ?"}},
		{"a whole answer", `{"model":"gpt-5","object":"chat.completion","messages":[]}`, nil},
		{"a request for speech", `{"model":"tts-1","input":"hi","voice":"alloy"}`, nil},
		{"a prompt alone", `{"model":"m","prompt":"hi"}`, nil},
		{"nothing", ``, nil},
		{"prose", `There {is} nothing [here].`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := savedrequests.Find([]byte(test.data), savedrequests.Options{Dialects: dialect.All(), Literal: pythonliteral.JSON})
			if (test.want == nil) != errors.Is(err, savedrequests.ErrNone) {
				t.Fatalf("the error is %v", err)
			}
			var got []string
			for _, r := range found {
				got = append(got, describe(r))
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

func describe(r savedrequests.Request) string {
	words := []string{r.Dialect.Name, fmt.Sprint(r.Line(0))}
	if r.Place != "" {
		words = append(words, r.Place)
	}
	if r.List {
		words = append(words, "list")
	}
	if !r.Sure {
		words = append(words, "?")
	}
	return strings.Join(words, " ")
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// TestPlaces: lines and pointers lead to the file as it was given.
func TestPlaces(t *testing.T) {
	find := func(data string) savedrequests.Request {
		found, err := savedrequests.Find([]byte(data), savedrequests.Options{Dialects: dialect.All()})
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		return found[0]
	}
	body := find("{\"model\": \"m\",\n \"messages\": [\n  {\"role\": \"user\", \"content\": \"hi\"}]}")
	req, err := body.Dialect.Read(body.Body)
	if err != nil {
		t.Fatal(err)
	}
	if line := body.Line(req.Messages[0].Node.Offset()); line != 3 {
		t.Errorf("the message of a body is on line %d", line)
	}
	list := find("log:\n[\n {\"role\": \"user\",\n  \"content\": \"hi\"}]")
	req, err = list.Dialect.Read(list.Body)
	if err != nil {
		t.Fatal(err)
	}
	content := req.Messages[0].Content.Node
	pointer, ok := list.Pointer(content.Pointer())
	if line := list.Line(content.Offset()); line != 4 || pointer != "/0/content" || !ok {
		t.Errorf("the content of a list is on line %d at %q, %v", line, pointer, ok)
	}
	if _, ok := list.Pointer("/model"); ok {
		t.Error("a list has a model")
	}
}

// TestBroken: what is wrong with one body that is not JSON, and where; "" for data that is
// something else. A body that could be read all the same is there.
func TestBroken(t *testing.T) {
	for _, test := range []struct {
		name, data, want string
		read             bool
	}{
		{"a comma too many", "{\"model\":\"m\",\n \"messages\":[{\"role\":\"user\",\"content\":\"é\"},]}", "chat trailing-comma 2:43", true},
		{"as Python prints it", `{'model': 'm', 'messages': [{'role': 'user', 'content': None}]}`, "chat single-quotes 1:2", true},
		{"a comment", "{\"model\":\"m\", // which\n\"messages\":[]}", "chat comment 1:15", false},
		{"no number", `{"model":"m","messages":[{"role":"user","content":"x"}],"temperature":NaN}`, "chat literal 1:71", true},
		{"a word of Python", `{"model":"m","input":"x","stream":True}`, "responses literal 1:35", true},
		{"it breaks off", `{"contents":[{"role":"user","parts":[{"text":"Hi th`, "gemini breaks-off 1:52", false},
		{"a line break in a text", "{\"model\":\"claude-x\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"a\nb\"}]}", "messages control-character 1:75", false},
		{"an escape", `{"messages":[{"role":"user","content":"\x41"}]}`, "chat escape 1:40", true},
		{"a key without quotes", `{model:"m",messages:[]}`, "chat bare-key 1:2", false},
		{"no comma", `{"model":"m" "messages":[]}`, "chat missing-comma 1:14", false},
		{"a quote in a text", `{"model":"m","messages":[{"role":"user","content":"say "hi""}]}`, "chat quote-inside 1:57", false},
		{"a bracket too many", `{"model":"m","messages":[{"role":"user","content":"x"}]}}`, "chat more-after 1:57", false},
		{"bytes of Latin 1", "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"\xe9\"}]}", "chat utf-8 1:52", true},
		{"a byte order mark", "\xef\xbb\xbf" + chatBody, "chat byte-order-mark 1:1", true},
		{"JSON", chatBody, "", true},
		{"lines of which one breaks off", chatBody + "\n{\"model\":\"m\",\"messages\":[", "", true},
		{"a log that begins with a request", chatBody + "\n200 OK\n", "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := savedrequests.Find([]byte(test.data), savedrequests.Options{Dialects: dialect.All(), Literal: pythonliteral.JSON})
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			got := ""
			if why := found[0].Broken; why != nil {
				got = fmt.Sprintf("%s %s %d:%d", found[0].Dialect.Name, why.Kind, why.Line, why.Column)
			}
			if read := found[0].Body != nil; got != test.want || read != test.read {
				t.Errorf("it is %q and could be read is %v, want %q and %v", got, read, test.want, test.read)
			}
		})
	}
}

// TestTangled: brackets that never close are not searched for ever.
func TestTangled(t *testing.T) {
	for _, data := range []string{strings.Repeat(`{"a":`, 1<<20), strings.Repeat(`{'a':`, 1<<20), strings.Repeat("{", 1<<20), "text " + strings.Repeat("[[\n", 1<<19)} {
		if _, err := savedrequests.Find([]byte(data), savedrequests.Options{Dialects: dialect.All(), Literal: pythonliteral.JSON}); err == nil {
			t.Errorf("%.20s: no error", data)
		}
	}
}

package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

const openaiAPI = "https://platform.openai.com/docs/api-reference/chat/create"

// onSend changes how a request for the model is sent.
func onSend(change func(*http.Request)) func() Changes {
	return func() Changes {
		return Changes{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			change(req)
			return send(req)
		}}
	}
}

var variationsInRequests = []Variation{
	{
		Name:    "null-beside-calls",
		Does:    "A turn of calls alone goes back with the content null.",
		Sources: []string{openaiAPI + " (content is optional beside tool_calls)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts"},
		Make:    onCallsAlone(func(r *Request, path string) { r.SetRaw(path+".content", "null") }),
	},
	{
		Name:     "empty-text-beside-calls",
		Does:     "A turn of calls alone goes back with an empty text.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts"},
		Profiles: []string{"openai", "deepseek", "groq", "vllm", "openrouter", "mistral"},
		Make:     onCallsAlone(func(r *Request, path string) { r.Set(path+".content", "") }),
	},
	{
		Name:     "null-refusal-back",
		Does:     "A turn goes back as the SDK read it, with refusal null and no annotations.",
		Sources:  []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (pushes the message that it got)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.SetRaw(path+".refusal", "null")
				r.SetRaw(path+".annotations", "[]")
			})
		}),
	},
	{
		Name:    "a-message-for-each-image",
		Does:    "Each image is shown by a message of its own, without a word.",
		Sources: []string{"https://platform.openai.com/docs/guides/images-vision (a user message is a list of parts)"},
		Make: withPictures(func(results, pictures []string, _ string) []string {
			for _, picture := range slices.DeleteFunc(pictures, func(p string) bool { return p == "" }) {
				results = append(results, `{"role":"user","content":[`+picture+`]}`)
			}
			return results
		}),
	},
	{
		Name:     "parts-of-the-user",
		Does:     "The words of the user are a list of one part.",
		Sources:  []string{openaiAPI + " (content of a user message is a string or an array)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("user", func(path string, m gjson.Result) {
				if m.Get("content").IsArray() { // it shows images, and is one already
					return
				}
				r.Set(path+".content", []map[string]string{{"type": "text", "text": m.Get("content").String()}})
			})
		}),
	},
	{
		Name:     "developer-for-system",
		Does:     "The system prompt is a developer message.",
		Sources:  []string{openaiAPI + " (with o1 models and newer, developer messages replace system messages)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "developer") })
		}),
	},
	{
		Name:     "named-user",
		Does:     "The messages of the user have a name.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("user", func(path string, _ gjson.Result) { r.Set(path+".name", "ada") })
		}),
	},
	{
		Name:     "settings",
		Does:     "A request has a temperature, a limit of tokens, a seed, a user and metadata.",
		Sources:  []string{openaiAPI},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Set("temperature", 0.2)
			r.Set("max_completion_tokens", 1024)
			r.Set("seed", 7)
			r.Set("user", "ada")
			r.Set("store", false)
			r.Set("metadata", map[string]string{"test": "yes"})
		}),
	},
	{
		Name:    "choice-named",
		Does:    "A request with tools says that the model may choose.",
		Sources: []string{openaiAPI + " (tool_choice, auto is the default if tools are present)"},
		Make: onRequest(func(r *Request) {
			if r.Get("tools.0").Exists() {
				r.Set("tool_choice", "auto")
			}
		}),
	},
	{
		Name:     "strict-tools",
		Does:     "Each function says that it is not strict.",
		Sources:  []string{"https://platform.openai.com/docs/guides/function-calling (strict is optional)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			for i := range r.Get("tools").Array() {
				r.SetRaw(fmt.Sprintf("tools.%d.function.strict", i), "false")
			}
		}),
	},
	{
		Name:    "no-usage-asked",
		Does:    "A stream is asked for without its usage.",
		Sources: []string{openaiAPI + " (stream_options is optional)"},
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    onRequest(func(r *Request) { r.Delete("stream_options") }),
	},
	{
		Name:    "stream-false",
		Does:    "A request that is not for a stream says so.",
		Sources: []string{openaiAPI + " (stream, defaults to false)"},
		Make: onRequest(func(r *Request) {
			if !r.Get("stream").Bool() {
				r.Set("stream", false)
			}
		}),
	},
	{
		Name:    "laid-out",
		Does:    "The JSON of a request is indented.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-2"},
		Make: onRequest(func(r *Request) {
			r.Body = gjson.Get(r.Body, "@pretty").Raw
		}),
	},
	{
		Name:    "escaped",
		Does:    "The JSON of a request is ASCII, as Python writes it.",
		Sources: []string{"https://docs.python.org/3/library/json.html#json.dumps (ensure_ascii)"},
		Make:    onRequest(func(r *Request) { r.Body = ascii(r.Body) }),
	},
	{
		Name:    "headers",
		Does:    "A request says what it takes, who made it, and how often it was tried.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/client.ts (X-Stainless headers, Idempotency-Key)"},
		Make: onSend(func(req *http.Request) {
			req.Header.Set("Accept", "application/json")
			req.Header.Set("User-Agent", "ada/1.0")
			req.Header.Set("X-Stainless-Retry-Count", "0")
			req.Header.Set("Content-Type", "application/json; charset=utf-8")
		}),
	},
	{
		Name:    "chunked",
		Does:    "A request is sent without its length.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9112#section-7.1"},
		Make:    onSend(func(req *http.Request) { req.ContentLength = -1 }),
	},
	{
		Name:    "connection-each",
		Does:    "Each request has a connection of its own.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9112#section-9.6"},
		Make:    onSend(func(req *http.Request) { req.Close = true }),
	},
}

// onCallsAlone changes the turns that go back with calls and without text.
func onCallsAlone(change func(r *Request, path string)) func() Changes {
	return onRequest(func(r *Request) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if m.Get("tool_calls.0").Exists() && m.Get("content").String() == "" {
				change(r, path)
			}
		})
	})
}

// ascii writes all letters beyond ASCII as escapes.
func ascii(document string) string {
	var b strings.Builder
	for _, r := range document {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

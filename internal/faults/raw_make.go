package faults

import (
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// The makers of variations that are about the bytes of a dialect.

// setting sets a key of every request.
func setting(key string, value any) func() Changes {
	return onRawRequest(func(r *RawRequest) { r.Set(key, value) })
}

// settingForNoThought sets a key of every request, and switches the thinking off that does not go with it.
func settingForNoThought(key string, value any) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.SetRaw("thinking", `{"type":"disabled"}`)
		r.Set(key, value)
	})
}

// eachRawPrompt changes what the user said in a request: messages of the user in words, without images or results.
func eachRawPrompt(change func(r *RawRequest, path, said string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("user", func(path string, m gjson.Result) {
			switch said := m.Get("content"); {
			case said.Type == gjson.String:
				change(r, path, said.String())
			case len(said.Array()) == 1 && isBlock(said.Get("0"), "text"):
				change(r, path, said.Get("0.text").String())
			}
		})
	})
}

// eachRawTool changes every tool that a request offers, in the words of its own dialect.
func eachRawTool(change func(r *RawRequest, path string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		for i := range r.Get("tools").Array() {
			change(r, fmt.Sprintf("tools.%d", i))
		}
	})
}

// asksFirst makes a loop that sends a request of its own before it asks the model.
func asksFirst(what func(task protocol.Task) (*http.Request, error)) func() Changes {
	return func() Changes {
		var task protocol.Task
		asked := false
		return Changes{
			Request: func(r *Request) { task = r.Task },
			Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				if first, err := what(task); err == nil && !asked {
					asked = true
					if resp, err := send(first.WithContext(req.Context())); err == nil {
						resp.Body.Close()
					}
				}
				return send(req)
			},
		}
	}
}

// texts returns a JSON list of text parts, or of text blocks, which are the same.
func texts(all ...string) string {
	items := "[]"
	for _, text := range all {
		items = setRaw(items, "-1", set(`{"type":"text"}`, "text", text))
	}
	return items
}

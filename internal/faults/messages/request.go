package messages

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
)

// eachBlock changes every block of a type in the messages of a request of the dialect messages.
func eachBlock(r *raw.Request, kind string, change func(path string, b gjson.Result)) {
	for i, m := range r.Get("messages").Array() {
		for n, b := range m.Get("content").Array() {
			if b.Get("type").String() == kind {
				change(fmt.Sprintf("messages.%d.content.%d", i, n), b)
			}
		}
	}
}

// eachContent rewrites the blocks of every message of a role. change returns what takes their
// place.
func eachContent(r *raw.Request, role string, change func(blocks []gjson.Result) []string) {
	r.Each(role, func(path string, m gjson.Result) {
		r.SetRaw(path+".content", "["+strings.Join(change(m.Get("content").Array()), ",")+"]")
	})
}

// isBlock reports whether a block is of one of these types.
func isBlock(b gjson.Result, kinds ...string) bool {
	for _, kind := range kinds {
		if b.Get("type").String() == kind {
			return true
		}
	}
	return false
}

// takesBudgets reports whether the model may be given a budget for thinking, which is nothing that
// the newest take.
func takesBudgets(r *raw.Request) bool { return r.Task.Profile != "anthropic-5.5" }

// refusesNull reports whether the provider is known to refuse null for a parameter that is not set.
func refusesNull(profile string) bool {
	p, err := profiles.Get(profile)
	if err != nil {
		return false
	}
	refusal, ok := p.Refusal("egress/parameter-types")
	return ok && refusal.Refuses(map[string]string{"key": "temperature", "found": "null"})
}

// eachSource changes the source of every image in Messages.
func eachSource(change func(r *raw.Request, path string, source gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		eachBlock(r, "tool_result", func(path string, b gjson.Result) {
			for n, inner := range b.Get("content").Array() {
				if inner.Get("type").String() == "image" {
					change(r, fmt.Sprintf("%s.content.%d.source", path, n), inner.Get("source"))
				}
			}
		})
	})
}

// threaded makes a loop that leaves its history to providers that keep it, and changes something in
// its requests.
func threaded(c raw.Mutation) func() raw.Mutation {
	c.Loop = func(l *refloop.Loop) { l.Threads = true }
	return func() raw.Mutation { return c }
}

// headers changes the headers of requests.
func headers(change func(http.Header)) raw.Mutation {
	return raw.Mutation{Send: func(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		change(req.Header)
		return next(req)
	}}
}

// citing makes a request of the newest version in which the texts of the user have citations.
func citing(body string) string {
	if gjson.Get(body, "anthropic_version").Exists() { // at a cloud
		body = raw.Set(body, "anthropic_version", "2026-10-21")
	}
	for i, m := range gjson.Get(body, "messages").Array() {
		content := m.Get("content")
		if m.Get("role").String() == "user" && content.Type == gjson.String {
			body = raw.SetRaw(body, fmt.Sprintf("messages.%d.content", i), `[{"type":"text","text":`+content.Raw+`,"citations":[]}]`)
		}
		for k, block := range content.Array() {
			if m.Get("role").String() == "user" && block.Get("type").String() == "text" {
				body = raw.SetRaw(body, fmt.Sprintf("messages.%d.content.%d.citations", i, k), "[]")
			}
		}
	}
	return body
}

// eachRawTool changes every tool that a request offers, in the terms of its own dialect.
func eachRawTool(change func(r *raw.Request, path string)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i := range r.Get("tools").Array() {
			change(r, fmt.Sprintf("tools.%d", i))
		}
	})
}

// eachResultInBlocks changes the content of every result that is a text.
func eachResultInBlocks(change func(said string) string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		eachBlock(r, "tool_result", func(path string, b gjson.Result) {
			if said := b.Get("content"); said.Type == gjson.String && said.String() != "" {
				r.SetRaw(path+".content", change(said.String()))
			}
		})
	})
}

package responses

import (
	"bytes"
	"encoding/json"

	"github.com/loopproof/loopproof/internal/wire"
)

// repeatedPlaces are the places of an answer with what it repeats of the request, the keys that
// have it there, and what is there where the request does not say: the defaults of openai-openapi
// at f85dbe2.
var repeatedPlaces = []struct{ place, key, instead string }{
	{"background", "background", "false"},
	{"instructions", "instructions", "null"},
	{"limit", "max_output_tokens", "null"},
	{"max-tool-calls", "max_tool_calls", "null"},
	{"metadata", "metadata", "{}"},
	{"parallel", "parallel_tool_calls", "true"},
	{"previous", "previous_response_id", "null"},
	{"cache-key", "prompt_cache_key", "null"},
	{"safety", "safety_identifier", "null"},
	{"store", "store", "true"},
	{"temperature", "temperature", "1.0"},
	{"tool-choice", "tool_choice", `"auto"`},
	{"tools", "tools", "[]"},
	{"top-logprobs", "top_logprobs", "0"},
	{"top-p", "top_p", "1.0"},
	{"truncation", "truncation", `"disabled"`},
	{"user", "user", "null"},
}

// repeatedKeys are the keys of a request on which the form of an answer depends.
func repeatedKeys() []string {
	keys := []string{"conversation", "include", "reasoning", "text"}
	for _, r := range repeatedPlaces {
		keys = append(keys, r.key)
	}
	return keys
}

// repeated returns the parts of its request that an answer repeats, or nil if the request is
// unknown.
func repeated(req *wire.Request) wire.Values {
	v := make(wire.Values, len(repeatedPlaces)+11) // with what every response says besides
	var body *wire.Node
	if req != nil {
		body = req.Body
	}
	for _, r := range repeatedPlaces {
		if said := body.Get(r.key); said != nil && !said.Is(wire.Null) {
			v[r.place] = inOneLine(said)
		} else {
			v[r.place] = wire.Raw(r.instead)
		}
	}
	if req != nil && conversationOf(req) != "" {
		v["conversation"] = wire.Fields{{Key: "id", Value: conversationOf(req)}}
	}
	if tools := body.Get("tools"); tools.Is(wire.Array) {
		v["tools"] = repeatedTools(tools.Items)
	}
	reasoning, text := body.Get("reasoning"), body.Get("text")
	v["reasoning"] = wire.Fields{{Key: "effort", Value: orRaw(reasoning.Get("effort"), "null")}, {Key: "summary", Value: orRaw(reasoning.Get("summary"), "null")}}
	v["text"] = wire.Fields{{Key: "format", Value: orRaw(text.Get("format"), `{"type":"text"}`)}, {Key: "verbosity", Value: orRaw(text.Get("verbosity"), `"medium"`)}}
	return v
}

// repeatedTools returns the tools of a request as an answer repeats them: a function has all its
// keys, and is strict unless it says otherwise.
func repeatedTools(tools []*wire.Node) []any {
	all := make([]any, 0, len(tools))
	for _, t := range tools {
		if t.Get("type").Text() != "function" {
			all = append(all, inOneLine(t))
			continue
		}
		f := wire.Fields{{Key: "type", Value: "function"}}
		for _, key := range []string{"description", "name", "parameters"} {
			f = f.With(key, orRaw(t.Get(key), "null"))
		}
		all = append(all, f.With("strict", orRaw(t.Get("strict"), "true")))
	}
	return all
}

func orRaw(n *wire.Node, instead string) wire.Raw {
	if n == nil {
		return wire.Raw(instead)
	}
	return inOneLine(n)
}

// inOneLine returns a value without the spaces and line ends between its parts, which would end a
// line of an event.
func inOneLine(n *wire.Node) wire.Raw {
	var b bytes.Buffer
	if json.Compact(&b, n.Raw) != nil {
		return wire.Raw(n.Raw)
	}
	return wire.Raw(b.String())
}

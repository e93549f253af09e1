package ollama

import "github.com/loopproof/loopproof/internal/wire"

// generate is /api/generate, where a request is a prompt without a history and without tools:
// https://docs.ollama.com/api/generate
var generate = &wire.Door{
	Name: "generate", Title: "Ollama's /api/generate",
	Also:    []string{"prompt", "suffix", "images", "system", "template", "context", "raw"},
	Without: []string{"messages", "tools"},
}

// readPrompt reads a request for /api/generate as one with the messages that it says.
func readPrompt(req *wire.Request) {
	req.Door = generate
	for _, said := range []struct {
		key  string
		role wire.Role
	}{{"system", wire.System}, {"prompt", wire.User}} {
		if n := req.Body.Get(said.key); n.Text() != "" || said.role == wire.User {
			req.Messages = append(req.Messages, wire.Message{Node: n, Role: said.role, RoleWord: string(said.role), Content: wire.ReadContent(n)})
		}
	}
}

// inForm returns an answer, or a line of one, in the form that its request wants: in that of
// /api/generate what the model says and thinks is in no message.
func inForm(answer wire.Raw, r wire.Reply) wire.Raw {
	if r.Request == nil || r.Request.Door != generate {
		return answer
	}
	n := wire.Parsed(answer)
	said := n.Get("message")
	n.Set("response", said.Get("content").Text())
	if thinking := said.Get("thinking"); thinking != nil {
		n.Set("thinking", thinking.Text())
	}
	n.Remove("message")
	return n.JSON()
}

// embeddings are asked for at /api/embed: https://docs.ollama.com/api/embed
var embeddings = &wire.EmbeddingsForm{
	Dimensions: 768, // of nomic-embed-text
	Read: func(body *wire.Node) (texts []string, dimensions int, problem string) {
		dimensions, _ = body.Get("dimensions").Int()
		input := body.Get("input")
		if input.Is(wire.String) {
			return []string{input.Text()}, dimensions, ""
		}
		for _, one := range input.All() {
			if !one.Is(wire.String) {
				return nil, 0, "invalid input type"
			}
			texts = append(texts, one.Text())
		}
		return texts, dimensions, ""
	},
	Write: func(body *wire.Node, vectors []any) wire.Fields {
		if vectors == nil {
			vectors = []any{}
		}
		return wire.Fields{
			{Key: "model", Value: body.Get("model").Text()}, {Key: "embeddings", Value: vectors},
			{Key: "total_duration", Value: 10000000}, {Key: "load_duration", Value: 1000000}, {Key: "prompt_eval_count", Value: 2 * len(vectors)},
		}
	},
	ReadAnswer: func(answer *wire.Node) []*wire.Node { return answer.Get("embeddings").All() },
}

package gemini

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// contentOf writes a message. The user hands results over.
func contentOf(m neutral.Message) (content, error) {
	c := content{Role: string(m.Role)} // without parts, the list is null
	switch m.Role {
	case neutral.Assistant:
		c.Role = "model"
	case neutral.Tool:
		c.Role = "user"
	}
	for _, p := range m.Parts {
		written, err := partOf(p)
		if err != nil {
			return c, err
		}
		c.Parts = append(c.Parts, written)
	}
	if len(m.Parts) == 0 && m.Role != neutral.Assistant {
		c.Parts = []json.RawMessage{}
	}
	return c, nil
}

// partOf writes a part: as it came, but for what was changed of it.
func partOf(p neutral.Part) (json.RawMessage, error) {
	switch p := p.(type) {
	case *neutral.Text:
		if p.Raw == nil {
			return neutral.JSON(textPart{Text: p.Text})
		}
		part := neutral.Keys(p.Raw)
		part.SetText("text", p.Text)
		return part.JSON(), nil
	case *neutral.Reasoning:
		raw := p.Raw
		if raw == nil {
			raw = json.RawMessage(`{"thought":true,"text":""}`)
		}
		part := neutral.Keys(raw)
		part.SetText("text", p.Text)
		return part.JSON(), nil
	case *neutral.Call:
		return callOf(p), nil
	case *neutral.Result:
		return neutral.JSON(responsePart{Response: resultOf(p)})
	case *neutral.Image:
		return neutral.JSON(imagePart{Data: blob{MediaType: p.MediaType, Data: p.Data}})
	case *neutral.Foreign:
		return p.Raw, nil
	}
	panic("gemini: there is no other part")
}

func callOf(p *neutral.Call) json.RawMessage {
	raw := p.Raw
	if raw == nil {
		raw = json.RawMessage(`{"functionCall":{}}`)
	}
	part := neutral.Keys(raw)
	said := neutral.Keys(part.Values["functionCall"])
	said.SetOrDrop("id", p.ID)
	said.SetOrDrop("name", p.Name)
	switch _, has := said.Values["args"]; {
	case !has && p.Arguments == "{}":
	case json.Valid([]byte(p.Arguments)):
		said.Set("args", json.RawMessage(p.Arguments))
	default:
		said.SetText("args", p.Arguments)
	}
	part.Set("functionCall", said.JSON())
	if p.Signature != nil {
		part.Set("thoughtSignature", p.Signature)
	} else {
		part.Drop("thoughtSignature")
	}
	return part.JSON()
}

// resultOf writes a result under the keys that the reference names:
// https://ai.google.dev/api/caching#FunctionResponse
func resultOf(r *neutral.Result) functionResponse {
	written := functionResponse{ID: r.CallID, Name: r.Name, Response: map[string]string{}}
	switch {
	case r.Image != nil: // https://ai.google.dev/gemini-api/docs/function-calling#multimodal
		written.Parts = []imagePart{{Data: blob{MediaType: r.Image.MediaType, Data: r.Image.Data}}}
		if r.Text != "" {
			written.Response["output"] = r.Text
		}
	case r.Failed:
		written.Response["error"] = r.Text
	default:
		written.Response["output"] = r.Text
	}
	return written
}

package responses

import (
	"encoding/json"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// inputOf writes messages as items.
func inputOf(messages []neutral.Message) ([]json.RawMessage, error) {
	items := []json.RawMessage{}
	for _, m := range messages {
		written, err := itemsOf(m)
		if err != nil {
			return nil, err
		}
		items = append(items, written...)
	}
	return items, nil
}

// itemsOf returns the items that a message is written as: one for each thought, call and result,
// and one for the texts and images that are together.
func itemsOf(m neutral.Message) ([]json.RawMessage, error) {
	var items []json.RawMessage
	var spoken []neutral.Part
	var failed error
	keep := func(raw json.RawMessage, err error) {
		if items = append(items, raw); err != nil {
			failed = err
		}
	}
	say := func() {
		for _, together := range messagesIn(spoken) {
			keep(messageOf(m.Role, together))
		}
		spoken = nil
	}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *neutral.Text, *neutral.Image:
			spoken = append(spoken, p)
			continue
		default:
			say()
		}
		switch p := p.(type) {
		case *neutral.Reasoning:
			keep(reasoningOf(p), nil)
		case *neutral.Call:
			keep(callOf(p), nil)
		case *neutral.Result:
			keep(resultOf(p))
		case *neutral.Foreign:
			keep(p.Raw, nil)
		case *neutral.Asked:
			keep(p.Raw, nil)
		case *neutral.Decision:
			keep(neutral.JSON(approval{Type: "mcp_approval_response", AskedID: p.AskedID, Approve: p.Allowed}))
		}
	}
	if say(); len(items) == 0 && m.Role != neutral.Tool {
		keep(neutral.JSON(message{Type: "message", Role: string(m.Role), Content: nothingOf(m.Role)}))
	}
	return items, failed
}

// nothingOf returns the content of a message that has no part: an empty text of the user, or null
// of the model.
func nothingOf(role neutral.Role) any {
	if role == neutral.Assistant {
		return nil
	}
	return ""
}

// messagesIn returns the parts of each message among what was said: texts of the model belong to
// the item in which they came.
func messagesIn(spoken []neutral.Part) [][]neutral.Part {
	var all [][]neutral.Part
	last := ""
	for i, p := range spoken {
		id := idOf(p)
		if i == 0 || id != last {
			all = append(all, nil)
		}
		all[len(all)-1], last = append(all[len(all)-1], p), id
	}
	return all
}

// idOf returns the id of the item in which a text came, "" for one of the loop's own.
func idOf(p neutral.Part) string {
	if t, is := p.(*neutral.Text); is && t.Raw != nil {
		return neutral.Keys(t.Raw).Text("id")
	}
	return ""
}

// messageOf writes a message: as it came where it did, and a text alone as a text.
func messageOf(role neutral.Role, parts []neutral.Part) (json.RawMessage, error) {
	first, is := parts[0].(*neutral.Text)
	switch {
	case is && first.Raw != nil:
		return returned(parts)
	case is && len(parts) == 1 && !first.Refusal:
		return neutral.JSON(message{Type: "message", Role: roleOf(role), Content: first.Text})
	}
	var content []part
	for _, p := range parts {
		content = append(content, partOf(role, p))
	}
	return neutral.JSON(message{Type: "message", Role: roleOf(role), Content: content})
}

// roleOf returns the role of what is alongside results: the user says it.
func roleOf(role neutral.Role) string {
	if role == neutral.Tool {
		return "user"
	}
	return string(role)
}

func partOf(role neutral.Role, p neutral.Part) part {
	switch p := p.(type) {
	case *neutral.Text:
		switch {
		case p.Refusal:
			return part{Type: "refusal", Refusal: p.Text}
		case role == neutral.Assistant:
			return part{Type: "output_text", Text: p.Text}
		}
		return part{Type: "input_text", Text: p.Text}
	case *neutral.Image:
		return imageOf(p)
	}
	panic("responses: no other part is in a message")
}

// imageOf returns an image as a part: https://platform.openai.com/docs/guides/images-vision,
// https://platform.openai.com/docs/guides/pdf-files
func imageOf(p *neutral.Image) part {
	if p.IsPDF() {
		return part{Type: "input_file", FileName: "file.pdf", FileData: p.URL()}
	}
	return part{Type: "input_image", ImageURL: p.URL()}
}

// returned writes a message of the model as it came, but for what was changed of its texts.
func returned(parts []neutral.Part) (json.RawMessage, error) {
	var content []json.RawMessage
	changed := false
	for _, p := range parts {
		t := p.(*neutral.Text) // what has an item is a text
		came := contentOf(t.Raw)
		block := neutral.Keys(came)
		block.SetText(map[bool]string{false: "text", true: "refusal"}[t.Refusal], t.Text)
		content = append(content, block.JSON())
		changed = changed || string(block.JSON()) != string(came)
	}
	raw := parts[0].(*neutral.Text).Raw
	if len(parts) == 1 && !changed {
		return raw, nil
	}
	list, err := neutral.JSON(content)
	whole := neutral.Keys(raw)
	whole.Set("content", list)
	return whole.JSON(), err
}

// contentOf returns the only part of the content of a message.
func contentOf(raw json.RawMessage) json.RawMessage {
	var m struct {
		Content []json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &m) != nil || len(m.Content) != 1 {
		return json.RawMessage(`{"type":"output_text"}`)
	}
	return m.Content[0]
}

// reasoningOf writes reasoning as it came, but for what was changed of it.
func reasoningOf(p *neutral.Reasoning) json.RawMessage {
	raw := p.Raw
	if raw == nil {
		raw = json.RawMessage(`{"type":"reasoning","summary":[]}`)
	}
	whole := neutral.Keys(raw)
	whole.SetOrDrop("id", p.ID)
	whole.SetOrDrop("encrypted_content", p.Data)
	if thought, place := thoughtIn(raw); thought != p.Text {
		list := []part{{Type: map[string]string{"summary": "summary_text", "content": "reasoning_text"}[place], Text: p.Text}}
		if p.Text == "" {
			list = []part{}
		}
		text, _ := neutral.JSON(list) // texts can always be written
		whole.Set(place, text)
	}
	return whole.JSON()
}

// thoughtIn returns what reasoning says, and the key under which it says so: a summary where there
// is one.
func thoughtIn(raw json.RawMessage) (text, place string) {
	var i item
	if !reads(raw, &i) {
		return "", "summary"
	}
	var b strings.Builder
	for _, p := range i.Summary {
		b.WriteString(p.Text)
	}
	if b.Len() > 0 || len(i.Content) == 0 {
		return b.String(), "summary"
	}
	for _, raw := range i.Content {
		b.WriteString(neutral.Keys(raw).Text("text"))
	}
	return b.String(), "content"
}

func callOf(p *neutral.Call) json.RawMessage {
	raw, kind, arguments := p.Raw, "function_call", "arguments"
	if p.FreeText {
		kind, arguments = "custom_tool_call", "input"
	}
	if raw == nil {
		raw = json.RawMessage(`{"type":"` + kind + `"}`)
	}
	whole := neutral.Keys(raw)
	whole.SetOrDrop("call_id", p.ID)
	whole.SetOrDrop("name", p.Name)
	whole.SetText(arguments, p.Arguments)
	return whole.JSON()
}

func resultOf(r *neutral.Result) (json.RawMessage, error) {
	written := output{Type: "function_call_output", CallID: r.CallID, Output: r.Text, Caller: r.Caller}
	if r.FreeText {
		written.Type = "custom_tool_call_output"
	}
	if r.Image != nil {
		parts := []part{imageOf(r.Image)}
		if r.Text != "" {
			parts = []part{{Type: "input_text", Text: r.Text}, parts[0]}
		}
		written.Output = parts
	}
	return neutral.JSON(written)
}

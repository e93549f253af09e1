package messages

import (
	"github.com/loopproof/loopproof/internal/wire"
)

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	blocks := []any{}
	for _, b := range s.blocks(a) {
		blocks = append(blocks, b.whole())
	}
	body := s.Answer.JSON(wire.Values{
		"id": r.ID, "model": r.Model, "content": blocks, "finish": s.finish(a.Finish), "usage": s.usage(s.Usage, a.Usage),
	})
	managed, is := contextManaged(r)
	if a.Container == "" && a.StopSequence == "" && !is {
		return body
	}
	tree := wire.Parsed(body)
	if is {
		tree.Set(managed.Key, managed.Value)
	}
	if a.Container != "" {
		tree.Set("container", container(a))
	}
	if a.StopSequence != "" {
		tree.Set("stop_reason", atSequence)
		tree.Set("stop_sequence", a.StopSequence)
	}
	return tree.JSON()
}

// container is the container of an answer, as recorded in github.com/vercel/ai,
// packages/anthropic/src/__fixtures__.
func container(a *wire.Answer) wire.Raw {
	return object("id", a.Container, "expires_at", "2026-12-31T23:59:59.999999Z")
}

// atSequence is the reason to stop at a text of stop_sequences.
const atSequence = "stop_sequence"

func (s *Shape) usage(t wire.Template, u wire.Usage) wire.Raw {
	return t.JSON(u.Values(API.Usage))
}

// block is one block of the content of an answer: as it is at the start of a stream, and what the
// deltas add.
type block struct {
	start  wire.Raw   // of a stream
	deltas []wire.Raw // what each event adds to it
	whole  func() wire.Raw
}

// blocks returns the content of an answer: what stands for the history, reasoning, text, calls. A
// refusal is text. Where reasoning and calls take turns, a block of reasoning is before the text
// and one before every further call, while there are any.
func (s *Shape) blocks(a *wire.Answer) []block {
	var blocks, reasons []block
	if a.Compaction != nil {
		blocks = append(blocks, compaction(a.Compaction))
	}
	for _, d := range a.Details {
		reasons = append(reasons, s.reasoning(a, d))
	}
	first := len(reasons)
	if a.Mixed {
		first = min(1, first)
	}
	blocks, reasons = append(blocks, reasons[:first]...), reasons[first:]
	for _, raw := range a.Blocks {
		blocks = append(blocks, providerBlock(a, raw))
	}
	if a.Program != nil && a.Program.Output != nil {
		blocks = append(blocks, providerBlock(a, programOutput(a.Program)))
	}
	if text := a.Text + a.Refusal; text != "" {
		blocks = append(blocks, textBlock(a, text))
	}
	if a.Program != nil && a.Program.Begins {
		blocks = append(blocks, providerBlock(a, programCode(a.Program)))
	}
	for i, c := range a.Calls {
		if i > 0 && len(reasons) > 0 {
			blocks, reasons = append(blocks, reasons[0]), reasons[1:]
		}
		blocks = append(blocks, s.call(a, c))
	}
	return append(blocks, reasons...)
}

// providerBlock is a block of the provider's own tools. The input of a call comes in pieces, like
// those of other calls.
func providerBlock(a *wire.Answer, raw wire.Raw) block {
	b := block{start: raw, whole: func() wire.Raw { return raw }}
	call := wire.Parsed(raw)
	if call.Get("type").Text() != "server_tool_use" || !call.Get("input").Is(wire.Object) {
		return b
	}
	for _, piece := range append([]string{""}, a.Pieces(string(call.Get("input").Raw))...) {
		b.deltas = append(b.deltas, object("type", "input_json_delta", "partial_json", piece))
	}
	call.Set("input", wire.Raw("{}"))
	b.start = call.JSON()
	return b
}

func textBlock(a *wire.Answer, text string) block {
	b := block{start: object("type", "text", "text", "")}
	for _, piece := range a.Pieces(text) {
		b.deltas = append(b.deltas, object("type", "text_delta", "text", piece))
	}
	b.whole = func() wire.Raw { return object("type", "text", "text", text) }
	if cited := a.Cited(); len(cited) > 0 {
		b.cite(cited, text)
	}
	return b
}

// cite adds the sources of a text, as of a search of the web:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
func (b *block) cite(cited []wire.Citation, text string) {
	all := make([]any, len(cited))
	for i, c := range cited {
		all[i] = wire.Raw(object("type", "web_search_result_location", "url", c.URL, "title", c.Title, "encrypted_index", "loopproof", "cited_text", text[c.Start:c.End]))
		b.deltas = append(b.deltas, wire.Fields{{Key: "type", Value: "citations_delta"}, {Key: "citation", Value: all[i]}}.JSON())
	}
	block := func(text string, citations []any) wire.Raw {
		return wire.Fields{{Key: "type", Value: "text"}, {Key: "text", Value: text}, {Key: "citations", Value: citations}}.JSON()
	}
	b.start = block("", []any{})
	b.whole = func() wire.Raw { return block(text, all) }
}

// reasoning is a thinking block, whose signature comes in a delta of its own, or a redacted one,
// which comes whole.
func (s *Shape) reasoning(a *wire.Answer, d wire.ReasoningBlock) block {
	if d.Type == wire.BlockEncrypted {
		whole := object("type", "redacted_thinking", "data", d.Data)
		return block{start: whole, whole: func() wire.Raw { return whole }}
	}
	if s.Unsigned {
		return s.unsigned(a, d)
	}
	b := block{start: object("type", "thinking", "thinking", "", "signature", "")}
	for _, piece := range a.Pieces(d.Text) {
		b.deltas = append(b.deltas, object("type", "thinking_delta", "thinking", piece))
	}
	b.deltas = append(b.deltas, object("type", "signature_delta", "signature", d.Signature))
	b.whole = func() wire.Raw { return object("type", "thinking", "thinking", d.Text, "signature", d.Signature) }
	return b
}

func (s *Shape) unsigned(a *wire.Answer, d wire.ReasoningBlock) block {
	b := block{start: object("type", "thinking", "thinking", "")}
	for _, piece := range a.Pieces(d.Text) {
		b.deltas = append(b.deltas, object("type", "thinking_delta", "thinking", piece))
	}
	b.whole = func() wire.Raw { return object("type", "thinking", "thinking", d.Text) }
	return b
}

func (s *Shape) call(a *wire.Answer, c wire.AnswerCall) block {
	if c.Caller != "" {
		return s.programCall(a, c)
	}
	b := block{start: s.Call.JSON(wire.Values{"id": c.ID, "name": c.Name, "input": wire.Raw("{}")})}
	fragments := []string{}
	if !wire.BlankArguments(c.Arguments) || c.Arguments == "null" {
		fragments = a.Pieces(c.Arguments)
	}
	if s.InputAtOnce && len(fragments) > 0 {
		fragments = []string{c.Arguments}
	}
	if s.EmptyFragment || len(fragments) == 0 {
		fragments = append([]string{""}, fragments...)
	}
	for _, piece := range fragments {
		b.deltas = append(b.deltas, object("type", "input_json_delta", "partial_json", piece))
	}
	b.whole = func() wire.Raw {
		input := wire.Raw("{}") // also for a partial input, whose form is not known
		if _, is := wire.ParseObject(c.Arguments); is || c.Arguments == "null" {
			input = wire.Raw(c.Arguments)
		}
		return s.Call.JSON(wire.Values{"id": c.ID, "name": c.Name, "input": input})
	}
	return b
}

// object writes a JSON object of texts: keys and values in turn.
func object(keysAndValues ...string) wire.Raw {
	var f wire.Fields
	for i := 0; i < len(keysAndValues); i += 2 {
		f = f.With(keysAndValues[i], keysAndValues[i+1])
	}
	return f.JSON()
}

package responses

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// message is an item with a text, a refusal, or both as the parts of its content.
func (w *writer) message(index int, status string) item {
	id := w.id("msg", index)
	v := wire.Values{"id": id}
	if w.answer.Phase != "" {
		v["phase"] = string(w.answer.Phase)
	}
	write := func(status string, content []any) wire.Raw {
		v["status"], v["content"] = status, content
		return w.Message.JSON(v)
	}
	i := item{id: id, added: write(inProgress, []any{})}
	content := []any{}
	said, refused := w.answer.Text, w.answer.Refusal
	if w.Refusal.Empty() {
		said, refused = said+refused, ""
	}
	if said != "" {
		whole := w.withTokens(w.Text.JSON(wire.Values{"text": said}))
		i.addContent(w, len(content), "output_text", "text", w.Text.JSON(wire.Values{"text": ""}), whole, said)
		content = append(content, whole)
	}
	if refused != "" {
		whole := w.Refusal.JSON(wire.Values{"text": refused})
		i.addContent(w, len(content), "refusal", "refusal", w.Refusal.JSON(wire.Values{"text": ""}), whole, refused)
		content = append(content, whole)
	}
	i.whole = write(status, content)
	return i
}

// commentary is a message of its own, in which the model says what it is about to do.
func (w *writer) commentary(index int) item {
	said, other := *w.answer, *w
	said.Text, said.Refusal, said.Phase = said.Commentary, "", wire.PhaseCommentary
	said.Tokens, said.Citations = nil, nil
	other.answer = &said
	return other.message(index, completed)
}

// addContent adds the events of a part of the content, where the answer is streamed.
func (i *item) addContent(w *writer, index int, kind, key string, empty, whole wire.Raw, text string) {
	if !w.streams {
		return
	}
	at := func(f ...wire.Field) wire.Fields {
		return append(wire.Fields{{Key: "content_index", Value: index}}, f...)
	}
	tokens := wire.NewTokens(w.answer)
	logprobs := func(said []wire.Token) wire.Fields {
		if key != "text" || !w.Logprobs && len(w.answer.Tokens) == 0 {
			return nil
		}
		return wire.Fields{{Key: "logprobs", Value: openai.Logprobs(said)}}
	}
	i.pieces = append(i.pieces, part{"response.content_part.added", at(wire.Field{Key: "part", Value: empty})})
	for _, piece := range w.answer.Pieces(text) {
		i.pieces = append(i.pieces, part{"response." + kind + ".delta", append(w.piece(piece, at()), logprobs(tokens.Next(piece))...)})
	}
	if key == "text" {
		for n, c := range w.answer.Cited() {
			i.pieces = append(i.pieces, part{"response.output_text.annotation.added", at(wire.Field{Key: "annotation_index", Value: n}, wire.Field{Key: "annotation", Value: urlCitation(c, text)})})
		}
	}
	i.pieces = append(i.pieces,
		part{"response." + kind + ".done", append(at(wire.Field{Key: key, Value: text}), logprobs(wire.NewTokens(w.answer).Next(text))...)},
		part{"response.content_part.done", at(wire.Field{Key: "part", Value: whole})})
}

// withTokens adds to a text the probabilities of its tokens, where the request asks for them, and
// its sources: https://platform.openai.com/docs/api-reference/responses/object
func (w *writer) withTokens(part wire.Raw) wire.Raw {
	cited := w.answer.Cited()
	if len(w.answer.Tokens) == 0 && len(cited) == 0 {
		return part
	}
	n := wire.Parsed(part)
	if len(cited) > 0 {
		all := make([]any, len(cited))
		for i, c := range cited {
			all[i] = urlCitation(c, w.answer.Text)
		}
		n.Set("annotations", all)
	}
	if len(w.answer.Tokens) > 0 {
		n.Set("logprobs", openai.Logprobs(wire.NewTokens(w.answer).Next(w.answer.Text)))
	}
	return n.JSON()
}

func urlCitation(c wire.Citation, text string) wire.Fields {
	return append(wire.Fields{{Key: "type", Value: "url_citation"}}, openai.Citation(c, text)...)
}

// piece is what an event with a piece of a text has of it.
func (w *writer) piece(text string, f wire.Fields) wire.Fields {
	f = f.With("delta", text)
	if w.Obfuscation != "" {
		f = f.With("obfuscation", w.Obfuscation)
	}
	return f
}

// block is an item of the provider's own. One whose id is a prefix alone gets an id of this answer.
func (w *writer) block(index int, raw wire.Raw) item {
	block := wire.Parsed(raw)
	if prefix, alone := strings.CutSuffix(block.Get("id").Text(), "_"); alone {
		block.Set("id", w.id(prefix, index))
		raw = block.JSON()
	}
	return item{whole: raw, added: raw}
}

func (w *writer) call(index int, c wire.AnswerCall, status string) item {
	if c.FreeText {
		return w.customCall(index, c, status)
	}
	id := w.id("fc", index)
	v := wire.Values{"id": id, "call": c.ID, "name": c.Name}
	write := func(status, arguments string) wire.Raw {
		v["status"], v["arguments"] = status, arguments
		return calledBy(inNamespace(w.Call.JSON(v), c), c.Caller)
	}
	i := item{id: id, added: write(inProgress, ""), whole: write(status, c.Arguments)}
	var pieces []string
	if !w.ArgumentsWhole {
		pieces = w.answer.Pieces(c.Arguments)
	}
	for _, piece := range pieces {
		i.pieces = append(i.pieces, part{"response.function_call_arguments.delta", w.piece(piece, nil)})
	}
	done := wire.Fields{{Key: "arguments", Value: c.Arguments}}
	if w.NameWhenDone {
		done = done.With("name", c.Name)
	}
	i.last = []part{{"response.function_call_arguments.done", done}}
	return i
}

// thought is what one item of reasoning holds.
type thought struct {
	id, encrypted string
	texts         []string
}

// thoughts returns the reasoning of an answer as items: a text with the encrypted block after it is
// one.
func thoughts(a *wire.Answer) []thought {
	var all []thought
	for n, b := range a.Details {
		if last := len(all) - 1; b.Type == wire.BlockEncrypted && n > 0 && a.Details[n-1].Type != wire.BlockEncrypted && all[last].encrypted == "" {
			all[last].encrypted, all[last].id = b.Data, cmp.Or(b.ID, all[last].id)
			continue
		}
		t := thought{id: b.ID, encrypted: cmp.Or(b.Data, b.Signature)}
		if b.Text != "" {
			t.texts = []string{b.Text}
		}
		all = append(all, t)
	}
	if len(all) == 0 && a.Reasoning != nil {
		t := thought{}
		if *a.Reasoning != "" {
			t.texts = []string{*a.Reasoning}
		}
		all = append(all, t)
	}
	return all
}

func (w *writer) reasoning(index int, t thought) item {
	id := t.id
	if !strings.HasPrefix(id, "rs_") { // an id that a scenario has for other APIs
		id = w.id("rs", index)
	}
	v := wire.Values{"id": id}
	encrypts := t.encrypted != "" && encryptionWanted(w.Encrypted, w.reply.Request)
	write := func(status string, encrypted string, texts []string) wire.Raw {
		v["status"], v["summary"], v["content"] = status, []any{}, []any{}
		if encrypts {
			v["encrypted"] = encrypted
		}
		if w.RawReasoning {
			v["content"] = textParts("reasoning_text", texts)
		} else {
			v["summary"] = textParts("summary_text", texts)
		}
		return w.Reasoning.JSON(v)
	}
	// The encrypted form at the beginning is shorter than that in the end, as recorded.
	i := item{id: id, added: write(inProgress, t.encrypted[:len(t.encrypted)*3/4], nil), whole: write(completed, t.encrypted, t.texts)}
	for n, text := range t.texts {
		i.addThought(w, n, text)
	}
	return i
}

// addThought adds the events of a part of the summary, or of the reasoning itself.
func (i *item) addThought(w *writer, n int, text string) {
	key, events, parts, kind := "summary_index", "response.reasoning_summary_text", "response.reasoning_summary_part", "summary_text"
	if w.RawReasoning {
		key, events, parts, kind = "content_index", "response.reasoning_text", "response.content_part", "reasoning_text"
	}
	at := func(f wire.Fields) wire.Fields { return f.With(key, n) }
	if w.SummaryParts {
		i.pieces = append(i.pieces, part{parts + ".added", at(wire.Fields{{Key: "part", Value: textPart(kind, "")}})})
	}
	for _, piece := range w.answer.Pieces(text) {
		i.pieces = append(i.pieces, part{events + ".delta", at(w.piece(piece, nil))})
	}
	i.pieces = append(i.pieces, part{events + ".done", at(wire.Fields{{Key: "text", Value: text}})})
	if w.SummaryParts {
		i.pieces = append(i.pieces, part{parts + ".done", at(wire.Fields{{Key: "part", Value: textPart(kind, text)}})})
	}
}

func textPart(kind, text string) wire.Fields {
	return wire.Fields{{Key: "type", Value: kind}, {Key: "text", Value: text}}
}

func textParts(kind string, texts []string) []any {
	parts := []any{}
	for _, text := range texts {
		parts = append(parts, textPart(kind, text))
	}
	return parts
}

// encryptionWanted reports whether an answer to a request has its reasoning in the encrypted form,
// too.
func encryptionWanted(when Encryption, req *wire.Request) bool {
	switch {
	case when == "":
		return false
	case when == Always || req == nil:
		return true
	default:
		return includes(req, "reasoning.encrypted_content")
	}
}

// includes reports whether a request asks that its answer includes something. A nil request does
// not.
func includes(req *wire.Request, what string) bool {
	return req != nil && slices.Contains(wire.TextsOf(req.Body.Get("include")), what)
}

package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningThinking are the rules of the area reasoning about the thinking blocks of the dialect messages.
var reasoningThinking = []Rule{
	{
		ID:        "reasoning/thinking-first",
		Level:     Must,
		Dialect:   onlyMessages,
		Text:      "An assistant message with reasoning begins with it.",
		Why:       "The API refuses a message that begins with something else.",
		Invariant: true,
		Returned:  true,
		Needs:     reasons,
		Evidence:  "a request that returns reasoning",
		Sources:   []Source{{"https://github.com/anthropics/claude-code/issues/20705", "the 400: the first block must be thinking"}},
		Vars:      []string{"at", "found"},
		Request:   thinkingFirst,
	},
	{
		ID:        "reasoning/signature-present",
		Level:     Must,
		Dialect:   onlyMessages,
		Text:      "A thinking block goes back with its text and its signature, also when the text is empty.",
		Why:       "Both are required.",
		Invariant: true,
		Returned:  true,
		Needs:     reasons,
		Evidence:  "a request that returns reasoning",
		Sources: []Source{
			{anthropicSDK, "signature: string, thinking: string"},
			{"https://github.com/danny-avila/agents/pull/279", "the 400: thinking.thinking: Field required"},
			{"https://github.com/TanStack/ai/pull/391", "a loop that lost the signatures of a stream"},
		},
		Vars:    []string{"at", "key"},
		Request: signaturePresent,
	},
	{
		ID:        "reasoning/not-at-the-end",
		Level:     Must,
		Dialect:   onlyMessages,
		Text:      "The last block of an assistant message at the end of a request is not reasoning.",
		Why:       "The API refuses it; a turn that was broken off leaves such a message behind.",
		Invariant: true,
		Returned:  true,
		Needs:     reasons,
		Evidence:  "a request that returns reasoning",
		Sources:   []Source{{"https://github.com/tailcallhq/forgecode/issues/2107", "the 400: the final block in an assistant message cannot be thinking"}},
		Vars:      []string{"index"},
		Request:   notAtTheEnd,
	},
	{
		ID:        "reasoning/switch-stays",
		Level:     Should, // nobody was seen to refuse it
		Dialect:   onlyMessages,
		Text:      "Thinking is not turned on or off between the calls of a turn and their results.",
		Why:       "The whole loop of tools is one turn of the assistant, and it has to end as it began.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request with tool results after one with thinking",
		Sources:   []Source{{thinkingDocs, "thinking cannot be toggled in the middle of an assistant turn, including during tool use loops"}},
		Run:       switchStays,
	},
}

func isReasoning(p wire.Part) bool { return p.Type == "thinking" || p.Type == "redacted_thinking" }

// thinkingMissing is what a provider sees that wants the reasoning of the last turn with calls.
func thinkingMissing(_ *profiles.Profile, req *wire.Request) (j Judged) {
	if req.Body.Get("thinking").Get("type").Text() != "enabled" {
		return j
	}
	for _, m := range slices.Backward(req.Messages) {
		if len(m.Calls) == 0 {
			continue
		}
		if first := m.Content.Parts[0]; !isReasoning(first) {
			j.Find(Finding{
				Pointer: first.Node.Pointer(),
				Message: "the turn does not begin with its reasoning",
				Vars:    map[string]string{"at": dotted(first.Node), "found": first.Type},
			})
		}
		break
	}
	return j
}

func thinkingFirst(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for _, m := range req.Messages {
		if m.Role != wire.Assistant || len(m.Reasoning.Details) == 0 {
			continue
		}
		j.Seen = true
		if first := m.Content.Parts[0]; !isReasoning(first) {
			j.Find(Finding{
				Pointer:  first.Node.Pointer(),
				Message:  "a message with reasoning begins with something else",
				Expected: "thinking or redacted_thinking",
				Actual:   show(first.Node),
				Vars:     map[string]string{"at": dotted(first.Node), "found": first.Type},
			})
		}
	}
	return j
}

func signaturePresent(p *profiles.Profile, req *wire.Request) (j Judged) {
	for _, m := range req.Messages {
		for _, b := range m.Reasoning.Details {
			j.Seen = true
			keys := []string{"thinking", "signature"}
			if p.Traits.UnsignedBlocks {
				keys = keys[:1]
			}
			if b.Get("type").Text() == "redacted_thinking" {
				keys = []string{"data"}
			}
			for _, key := range keys {
				if v := b.Get(key); !v.Is(wire.String) || key == "signature" && v.Text() == "" {
					j.Find(Finding{
						Pointer:  b.Pointer() + "/" + key,
						Message:  fmt.Sprintf("a block of reasoning without its %s", key),
						Expected: "the " + key + " that the model gave",
						Actual:   show(v),
						Vars:     map[string]string{"at": dotted(b), "key": key},
					})
				}
			}
		}
	}
	return j
}

func notAtTheEnd(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant || len(m.Reasoning.Details) == 0 {
			continue
		}
		j.Seen = true
		if last := m.Content.Parts[len(m.Content.Parts)-1]; i == len(req.Messages)-1 && isReasoning(last) {
			j.Find(Finding{
				Pointer:  last.Node.Pointer(),
				Message:  "the request ends with reasoning",
				Expected: "text or calls behind it, or no such message",
				Actual:   show(last.Node),
				Vars:     map[string]string{"index": placeOf(m)},
			})
		}
	}
	return j
}

func switchStays(r *Run) (j Judged) {
	r.pairsOfRequests(func(before, after *Exchange) {
		last := after.Request.Messages[len(after.Request.Messages)-1]
		was, now := messages.ThinkingWanted(before.Request), messages.ThinkingWanted(after.Request)
		if len(last.Results) == 0 {
			return
		}
		j.Seen = j.Seen || was
		if was != now {
			j.Find(Finding{
				Request:  after.Number,
				Pointer:  "/thinking",
				Message:  "thinking was switched in the middle of a turn",
				Expected: show(before.Request.Body.Get("thinking")),
				Actual:   show(after.Request.Body.Get("thinking")),
			})
		}
	})
	return j
}

// thinkingAltered is what the provider sees of thinking that was changed: a signature that it gave for something else.
func thinkingAltered(_ *profiles.Profile, req *wire.Request) Judged {
	return altered(req, func(b *wire.Node) bool { return b.Get("type").Text() == "thinking" }, func(b *wire.Node) bool {
		return req.Altered(b.Get("thinking").Text(), b.Get("signature").Text())
	})
}

// dataAltered is what it sees of encrypted thinking that was changed.
func dataAltered(_ *profiles.Profile, req *wire.Request) Judged {
	read := req.Dialect.ReadBlock
	if read == nil {
		return Judged{}
	}
	return altered(req, func(b *wire.Node) bool { return read(b).Data != "" }, func(b *wire.Node) bool { return req.Altered("", read(b).Data) })
}

func altered(req *wire.Request, of, changed func(*wire.Node) bool) (j Judged) {
	if req.Altered == nil {
		return j
	}
	for _, m := range req.Messages {
		for _, b := range m.Reasoning.Details {
			if !of(b) {
				continue
			}
			j.Seen = true
			if changed(b) {
				j.Find(Finding{
					Pointer: b.Pointer(), Message: "a block of " + b.Get("type").Text() + " is not the one that was signed", Expected: "the block as the model gave it",
					Actual: show(b), Vars: map[string]string{"at": dotted(b), "id": b.Get("id").Text()},
				})
			}
		}
	}
	return j
}

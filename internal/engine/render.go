package engine

import (
	"cmp"
	"strconv"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// overrun is what is answered past the end of a script.
var overrun = &scenarios.Turn{
	Step:   &scenarios.Step{},
	Number: -1,
	Answer: &wire.Answer{Text: "There is nothing more to say.", Finish: wire.FinishStop, Usage: wire.Usage{Prompt: 10, Completion: 7}},
}

// render makes the bytes of a turn.
func (p *Provider) render(s *settings, in *received, c *choice) *response {
	t := c.turn
	if f := t.Step.Recorded(); fits(f, t.Fails(), in.request, s.delivery) {
		return new(recordedResponse(f).says(t.Answer).identified(f, in.request))
	}
	if t.Half != nil {
		return new(halfAnswer(s.profile, t, keyOf(s, in, c).reply(s, in.request)))
	}
	if t.Fails() {
		return new(p.failedTurn(s.profile, t))
	}
	return renderTurn(s, in, c)
}

// renderTurn makes the bytes of a turn that does not fail.
func renderTurn(s *settings, in *received, c *choice) *response {
	key := keyOf(s, in, c)
	return c.cache.get(key, func() *response {
		codec, answer, reply := s.profile.Shape, inChunks(c.turn.Shown(key.reasoning, key.compacts), key.pieces.chunk), key.reply(s, in.request)
		reply.Queued = in.history.Background
		choices := wire.Choices{Key: s.profile.Speaks.Choices, Count: key.choices}
		answer = answer.Counted(key.choices)
		var resp response
		if key.stream && !c.turn.Step.Whole {
			resp = streamResponse(s.profile, c.turn, choices.Events(codec.Stream(answer, reply)), cmp.Or(key.pieces.delivery, s.delivery), key.frames)
		} else {
			resp = wholeResponse(s.profile, c.turn, choices.Whole(codec.Write(answer, reply)))
		}
		resp.id = reply.ID
		return new(resp.says(answer))
	})
}

// inChunks returns an answer whose stream carries so many characters an event.
func inChunks(a *wire.Answer, chunk int) *wire.Answer {
	if chunk == 0 {
		return a
	}
	cut := *a
	cut.Chunk = chunk
	return &cut
}

// reply returns what surrounds an answer.
func (k renderKey) reply(s *settings, req *wire.Request) wire.Reply {
	number := k.turn.Number
	return wire.Reply{
		ID:          cmp.Or(k.turn.Step.ID, s.profile.CompletionID.Expand(digest.New(s.secret, "completion", strconv.Itoa(number)+k.turn.Asked, k.thread), "", number)),
		Model:       cmp.Or(k.turn.Step.ModelName, s.profile.ModelName, k.model, "loopproof"),
		Created:     cmp.Or(k.turn.Step.Created, created),
		Fingerprint: k.turn.Step.SystemFingerprint,
		Usage:       k.usage,
		Request:     req,
	}
}

// created is the time that answers carry. It is fixed, so that the same request gives the same
// bytes.
const created = 1767225600 // 2026-01-01

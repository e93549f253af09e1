package stubs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// envelope are the keys of an answer that are around what the model says, and which a script leaves
// to the profile.
var envelope = []string{"created", "model", "usage", "systemFingerprint", "role", "provider", "nativeFinishReason", "reasoningSignature", "redactedThinking", "webSearches"}

// response reads the answer of a fixture.
func (a *aimock) response(r *wire.Node, step *Step) error {
	for _, other := range []string{"embedding", "image", "images", "audio", "transcription", "video", "json"} {
		if r.Has(other) {
			return fmt.Errorf("its answer is %s, which is none of a conversation", other)
		}
	}
	if r.Has("error") {
		return a.failure(r, step)
	}
	for _, key := range envelope {
		if r.Has(key) {
			a.differs("/response/"+key, "the profile says it")
		}
	}
	if reasoning := r.Get("reasoning").Text(); reasoning != "" && a.reasoning {
		step.Reasoning = literal(reasoning)
	} else if reasoning != "" {
		a.differs("/response/reasoning", "it is left out, since not every provider shows it; name profiles of those that do (--profile deepseek --profile anthropic)")
	}
	step.ID = literal(r.Get("id").Text())
	text, calls := r.Get("content"), r.Get("toolCalls").All()
	if r.Get("blocks").Is(wire.Array) {
		if err := blocks(r.Get("blocks").All(), step); err != nil {
			return err
		}
	} else {
		switch {
		case text.Is(wire.String):
			step.Text = new(literal(text.Text()))
		case text.Is(wire.Object) || text.Is(wire.Array):
			step.Text = new(literal(stringify(text)))
		}
		for _, call := range calls {
			step.Calls = append(step.Calls, aimockCall(call, len(step.Calls)))
		}
	}
	if step.Text == nil && len(step.Calls) == 0 {
		return errors.New("its answer has no content and no toolCalls")
	}
	return a.finish(r.Get("finishReason").Text(), step)
}

func aimockCall(n *wire.Node, number int) Call {
	arguments := n.Get("arguments")
	call := Call{As: fmt.Sprintf("call-%d", number+1), ID: literal(n.Get("id").Text()), Tool: n.Get("name").Text()}
	switch {
	case arguments.Is(wire.String):
		call.Arguments = literal(arguments.Text())
	case arguments != nil:
		call.Arguments = literal(stringify(arguments))
	}
	return call
}

// blocks reads texts and calls in their order. In a script the text comes first.
func blocks(all []*wire.Node, step *Step) error {
	var text strings.Builder
	for _, block := range all {
		switch block.Get("type").Text() {
		case "text":
			if len(step.Calls) > 0 {
				return errors.New("one of its blocks is a text after a call, and in a script the text comes first")
			}
			text.WriteString(block.Get("text").Text())
		case "toolCall":
			step.Calls = append(step.Calls, aimockCall(block, len(step.Calls)))
		default:
			return fmt.Errorf("one of its blocks is of the type %q", block.Get("type").Text())
		}
	}
	if text.Len() > 0 {
		step.Text = new(literal(text.String()))
	}
	return nil
}

func (a *aimock) finish(reason string, step *Step) error {
	switch {
	case reason == "", reason == "stop" && len(step.Calls) == 0, reason == "tool_calls" && len(step.Calls) > 0:
	case reason == "length":
		step.Finish = "length"
	case reason == "content_filter":
		step.Finish = "content-filter"
	default:
		return fmt.Errorf("its finishReason %q does not fit what it says", reason)
	}
	return nil
}

// failure reads an error.
func (a *aimock) failure(r *wire.Node, step *Step) error {
	step.Status = 500
	if status, ok := r.Get("status").Int(); ok {
		step.Status = status
	}
	if step.Status < 400 || step.Status > 599 {
		return fmt.Errorf("it is an error with the status %d", step.Status)
	}
	e := r.Get("error")
	step.Error = &Error{Message: e.Get("message").Text(), Type: text(e.Get("type")), Param: text(e.Get("param")), Code: text(e.Get("code"))}
	if step.Error.Message == "" {
		return errors.New("its error has no message")
	}
	if step.Status == 429 {
		step.RetryAfter = "1s"
		if after, ok := r.Get("retryAfter").Int(); ok {
			step.RetryAfter = fmt.Sprintf("%ds", after)
		}
	}
	if r.Has("fallthrough") {
		a.differs("/response/fallthrough", "a script has no list of models to fall back to")
	}
	if e.Has("metadata") {
		a.differs("/response/error/metadata", "the profile says it")
	}
	return nil
}

// text returns a text, or nil.
func text(n *wire.Node) *string {
	if !n.Is(wire.String) {
		return nil
	}
	return new(n.Text())
}

// pieces is how many characters aimock sends in an event unless a fixture says so.
const pieces = 20

// delivery reads how the answer is sent.
func (a *aimock) delivery(f *wire.Node, step *Step) error {
	b := &Behaviour{}
	if n, ok := f.Get("chunkSize").Int(); ok {
		b.Chunk = max(1, n)
	}
	if ms, ok := f.Get("latency").Float(); ok && ms > 0 {
		b.FirstToken = milliseconds(ms)
		a.differs("/latency", "it is the time before the first event of a stream; aimock waits before each")
	}
	a.pace(f.Get("streamingProfile"), b)
	if n, ok := f.Get("truncateAfterChunks").Int(); ok {
		step.Reset = &Break{After: fmt.Sprintf("%d events", n)}
		if b.Chunk == 0 {
			b.Chunk = pieces
		}
		a.differs("/truncateAfterChunks", "the connection is reset after as many events, and an answer that is no stream breaks off, too")
	}
	for _, key := range []string{"disconnectAfterMs", "recordedTimings", "replaySpeed", "openRouterProcessing"} {
		if f.Has(key) {
			a.differs("/"+key, "a script does not have it")
		}
	}
	a.chaos(f.Get("chaos"), b)
	if b.FirstToken != "" || b.TokensPerSecond != 0 || b.Jitter != "" || b.Chunk != 0 || b.Faults != nil {
		step.Behaviour = b
	}
	return nil
}

// pace reads the speed of a stream.
func (a *aimock) pace(p *wire.Node, b *Behaviour) {
	if p == nil {
		return
	}
	if ms, ok := p.Get("ttft").Float(); ok && ms > 0 {
		b.FirstToken = milliseconds(ms)
	}
	if tps, ok := p.Get("tps").Float(); ok && tps > 0 {
		b.TokensPerSecond = max(1, int(tps))
		a.differs("/streamingProfile/tps", "the speed is in tokens; aimock counts its events")
	}
	if jitter, ok := p.Get("jitter").Float(); ok && jitter > 0 {
		b.Jitter = percent(min(1, jitter))
	}
}

// chaos reads what goes wrong by chance. Of the three, aimock throws dice one after the other.
func (a *aimock) chaos(c *wire.Node, b *Behaviour) {
	rest := 1.0
	share := func(key string) string {
		rate, _ := c.Get(key).Float()
		rate = min(1, max(0, rate))
		own := rest * rate
		rest -= own
		if own == 0 {
			return ""
		}
		return percent(own)
	}
	if rate := share("dropRate"); rate != "" {
		b.Faults = append(b.Faults, Fault{Rate: rate, Status: 500})
	}
	if rate := share("malformedRate"); rate != "" {
		b.Faults = append(b.Faults, Fault{Rate: rate, Malformed: &Break{After: "0 events"}})
	}
	if rate := share("disconnectRate"); rate != "" {
		b.Faults = append(b.Faults, Fault{Rate: rate, Reset: &Break{Before: "headers"}})
	}
	if b.Faults != nil {
		a.differs("/chaos", "chance depends on the request and the seed, so that a test always sees the same")
	}
}

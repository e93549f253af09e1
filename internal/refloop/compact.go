package refloop

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// SummaryPrompt is the system prompt that asks for the summary of a history.
const SummaryPrompt = "Summarise the conversation between a user and an assistant below, so that the assistant can go on from the summary alone."

// SummaryBegins is how the message begins that is in the place of what was summarised.
const SummaryBegins = "What happened so far in this conversation:\n"

// makeRoom makes the history shorter where the next request would be near the limit of the task.
func (c *conversation) makeRoom(ctx context.Context) error {
	if c.task.ContextLimit == 0 || c.tokens() <= c.task.ContextLimit*3/4 {
		return nil
	}
	_, err := c.compact(ctx)
	return err
}

// tokens returns how many tokens the next request has, with what the provider keeps.
func (c *conversation) tokens() int {
	r := c.request()
	if r.Previous != "" {
		r.Previous, r.Messages = "", slices.Clone(c.history.messages)
	}
	body, err := c.dialect.Write(r)
	if err != nil {
		return 0 // which the request itself will tell
	}
	return len(body) / 4
}

// compact replaces the history by a summary, up to the newest turn, but for the prompt that is
// being answered. It reports whether there was something to replace.
func (c *conversation) compact(ctx context.Context) (bool, error) {
	split := Split
	if other := c.loop.Hooks.Split; other != nil {
		split = other
	}
	old, kept := split(c.history.messages)
	if len(old) == 0 {
		return false, nil
	}
	shorter, err := c.shortened(ctx, old, kept)
	if err != nil {
		return false, fmt.Errorf("the history could not be made shorter: %w", err)
	}
	if last := c.loop.Hooks.Shortened; last != nil {
		shorter = last(shorter)
	}
	c.history.messages = shorter
	c.history.leaveOut()
	return true, nil
}

// shortened returns the messages that stay behind a summary of the others.
func (c *conversation) shortened(ctx context.Context, old, kept []neutral.Message) ([]neutral.Message, error) {
	if other := c.loop.Hooks.Shorten; other != nil {
		return other(c.history.messages), nil
	}
	summary, err := c.summarise(ctx, old)
	return append([]neutral.Message{neutral.Says(neutral.User, SummaryBegins+summary)}, kept...), err
}

// Split returns the messages that a summary replaces, and those that stay: the newest prompt, and
// the newest turn with its results.
func Split(messages []neutral.Message) (old, kept []neutral.Message) {
	prompt, turn := 0, len(messages)
	for i, m := range messages {
		switch m.Role {
		case neutral.User:
			prompt, turn = i, len(messages)
		case neutral.Assistant:
			turn = i
		}
	}
	old = slices.Concat(messages[:prompt], messages[prompt+1:turn])
	kept = slices.Concat(messages[prompt:prompt+1], messages[turn:])
	return old, kept
}

// summarise asks the model for a summary of messages, which it is shown as one text. No tools are
// offered.
func (c *conversation) summarise(ctx context.Context, messages []neutral.Message) (string, error) {
	r := &neutral.Request{Task: c.task, Model: c.model, Stream: c.task.Stream, System: SummaryPrompt, Messages: []neutral.Message{neutral.Says(neutral.User, asText(messages))}}
	turn, err := c.attempt(ctx, r)
	if err != nil {
		return "", err
	}
	c.usage.InputTokens += turn.InputTokens
	c.usage.OutputTokens += turn.OutputTokens
	return turn.Text(), nil
}

// asText writes messages down for a reader.
func asText(messages []neutral.Message) string {
	var b strings.Builder
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case *neutral.Text:
				fmt.Fprintf(&b, "%s: %s\n", m.Role, part.Text)
			case *neutral.Call:
				fmt.Fprintf(&b, "call of %s: %s\n", part.Name, part.Arguments)
			case *neutral.Result:
				fmt.Fprintf(&b, "result of %s: %s\n", part.Name, part.Text)
			}
		}
	}
	return b.String()
}

// saysTooLong finds how providers say that a request is longer than the model takes.
var saysTooLong = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)context[ _](length|window|size)|too long|maximum number of tokens|reduce the length|maximum prompt length|tokens, too large`)
})

// shorter makes the history shorter where a request failed since it is too long, and reports
// whether to ask again.
func (c *conversation) shorter(ctx context.Context, err error) bool {
	var f *failure
	if c.task.ContextLimit == 0 || !errors.As(err, &f) || !f.tooLong {
		return false
	}
	done, err := c.compact(ctx)
	return done && err == nil
}

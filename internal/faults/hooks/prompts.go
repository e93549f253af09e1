package hooks

import (
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// IsPrompt reports whether the user says something in a message, and nothing is shown in it.
func IsPrompt(m neutral.Message) bool {
	return m.Role == neutral.User && len(m.Parts) == 1 && IsText(m.Parts[0])
}

// Conversation returns the messages of a history: what is before the first prompt, and for each
// prompt all that came of it.
func Conversation(messages []neutral.Message) [][]neutral.Message {
	parts := [][]neutral.Message{nil}
	for _, m := range messages {
		if IsPrompt(m) {
			parts = append(parts, nil)
		}
		last := &parts[len(parts)-1]
		*last = append(*last, m)
	}
	return parts
}

// AnsweredPrompt reports whether a prompt got an answer.
func AnsweredPrompt(part []neutral.Message) bool {
	last := part[len(part)-1]
	return last.Role == neutral.Assistant && len(last.Calls()) == 0
}

// RewriteUnanswered rewrites what goes back of the prompts that were cancelled, or got no answer. A
// prompt is not without one where the user has only gone on while its tools ran.
func RewriteUnanswered(r *Request, rewrite func(part []neutral.Message) []neutral.Message) {
	if r.Task.Steering {
		return
	}
	parts := Conversation(r.Messages)
	for i := 1; i < len(parts)-1; i++ {
		if !AnsweredPrompt(parts[i]) {
			parts[i] = rewrite(parts[i])
		}
	}
	r.Messages = slices.Concat(parts...)
}

// LastPrompt returns the index of the message with the prompt that the loop is at.
func LastPrompt(r *Request) int {
	at := 0
	for i, m := range r.Messages {
		if m.Role == neutral.User && slices.Contains(r.Task.Prompts, m.Text()) {
			at = i
		}
	}
	return at
}

// KeepQuestionsAndAnswers drops what tools were called for before the prompt that the loop is at.
func KeepQuestionsAndAnswers(r *Request) {
	at := LastPrompt(r)
	earlier := r.Messages[:at]
	r.Messages = slices.Concat(slices.DeleteFunc(slices.Clone(earlier), func(m neutral.Message) bool {
		return m.Role == neutral.Tool || len(m.Calls()) > 0
	}), r.Messages[at:])
}

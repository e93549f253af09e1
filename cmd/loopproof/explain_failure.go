package main

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// failure says in a sentence what comes at a step instead of an answer, or "" when the model answers.
func failure(s *scenarios.Step) string {
	turn := scenarios.Turn{Step: s}
	switch {
	case s.Status == 0 && s.Redirect == 0 && !turn.Lost():
		return ""
	case turn.Lost() && s.Stall != nil:
		return fmt.Sprintf("is not reached: %s for %v", turn.Failure(), s.Stall.For)
	case s.Status == 0:
		return "is not reached: " + turn.Failure()
	}
	text := fmt.Sprintf("is not reached: the provider answers %d", s.Status)
	if s.Body != nil {
		text += fmt.Sprintf(" with the body %s", quotedShort(*s.Body))
	}
	for _, h := range s.Headers {
		text += fmt.Sprintf(", %s: %s", h.Name, h.Value)
	}
	if s.Gzip {
		text += ", compressed"
	}
	if s.RetryAfter == nil {
		return text
	}
	text += fmt.Sprintf(" and asks for a retry after %v", *s.RetryAfter)
	if s.RetryAfterAs == scenarios.WaitDate {
		text += ", as a date"
	}
	return text
}

package main

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// failure describes the error at a step, or returns "" if the model answers.
func failure(s *scenarios.Step) string {
	turn := scenarios.Turn{Step: s}
	switch {
	case s.Status == 0 && s.Redirect == 0 && !turn.Lost():
		return ""
	case turn.Lost() && s.Stall != nil:
		return fmt.Sprintf("does not answer: %s for %v", turn.Failure(), s.Stall.For)
	case s.Status == 0:
		return "does not answer: " + turn.Failure()
	}
	text := fmt.Sprintf("does not answer: the provider sends status %d", s.Status)
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

package agents

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/wire"
)

// SideAnswer returns the answer to a request that is no part of the conversation.
func (d *Description) SideAnswer(req *wire.Request) (text string, is bool) {
	for _, side := range d.SideRequests {
		if side.matches(req) {
			return side.answer(), true
		}
	}
	return "", false
}

func (s SideRequest) answer() string {
	if s.Answer == "" {
		return "A short conversation"
	}
	return s.Answer
}

func (s SideRequest) matches(req *wire.Request) bool {
	if s.Tools == "none" && len(req.Tools) > 0 {
		return false
	}
	if ok, _ := doublestar.Match(s.Model, req.Model); s.Model != "" && !ok {
		return false
	}
	return strings.Contains(req.SystemText(), s.System) && strings.Contains(req.LastText(), s.Prompt)
}

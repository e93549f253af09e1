package egress

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// FindInMessage reports a value at a place within a message.
func FindInMessage(j *rules.CheckResult, m wire.Message, at, message, expected string, actual *wire.Node) {
	j.Find(InMessage(m, at, message, expected, actual))
}

// InMessage returns a finding about a value at a place within a message.
func InMessage(m wire.Message, at, message, expected string, actual *wire.Node) trace.Finding {
	return trace.Finding{
		Pointer:  m.Node.Pointer() + at,
		Message:  message,
		Expected: expected,
		Actual:   rules.Show(actual),
		Vars:     map[string]string{"index": rules.IndexOf(m)},
	}
}

package runner

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// deafLoop is a session that takes no cancel.
type deafLoop struct{ loops.Session }

func (deafLoop) Cancel(protocol.CancelLine) bool { return false }

// TestUnreadCancel: an adapter that reads nothing misses a cancel, and the report says so.
func TestUnreadCancel(t *testing.T) {
	t.Parallel()
	played := trace.Case{Scenario: "cancel/in-a-tool", Dialect: "chat", Profile: "openai", Delivery: "sse"}
	p := &player{session: deafLoop{}, unread: &unreadCancels{}}
	if notes := p.unread.notes(); notes != nil {
		t.Errorf("there are notes before: %q", notes)
	}
	id := make(chan string, 1)
	id <- "t1"
	p.canceller(played, id)(scenarios.Cancel{})
	notes := strings.Join(p.unread.notes(), "\n")
	if want := "did not read the cancel line of 1 case in time, first of cancel/in-a-tool@chat/openai/sse"; !strings.Contains(notes, want) {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
}

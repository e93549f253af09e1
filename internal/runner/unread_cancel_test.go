package runner

import (
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// TestUnreadCancel: an adapter that reads nothing misses a cancel, and the report says so.
func TestUnreadCancel(t *testing.T) {
	t.Parallel()
	deaf := &adapterSession{conn: &connection{patience: time.Millisecond, lines: make(chan []byte), gone: make(chan struct{})}}
	played := trace.Case{Scenario: "cancel/in-a-tool", Dialect: "chat", Profile: "openai", Delivery: "sse"}
	p := &player{session: deaf, unread: &unreadCancels{}}
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

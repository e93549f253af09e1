package controlapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/trace"
)

// A list shows little of a huge request: it is asked for often, and for the sake of something else.
func TestListsShowLittleOfAHugeRequest(t *testing.T) {
	const messages = 20_000
	body := `{"model":"m","messages":[` + strings.Repeat(`{"role":"user","content":"Hello."},`, messages-1) + `{"role":"user","content":"` + strings.Repeat("é", 30_000) + `"}]}`
	req, err := chat.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	e := journal.Entry{Number: 1, Exchange: trace.Exchange{Request: req}}
	e.SetBody([]byte(body))
	v := viewRequest(e, false)
	if len(v.New) != maxListed || v.NewLeftOut != messages-maxListed {
		t.Errorf("a list shows %d new messages and leaves out %d", len(v.New), v.NewLeftOut)
	}
	if last := v.New[maxListed-1].Text; !strings.HasSuffix(last, "é… (30000 characters)") || len(last) > 2*maxListedText+100 {
		t.Errorf("the last message is shown in %d bytes: ...%s", len(last), last[len(last)-40:])
	}
	listed, _ := json.Marshal(v)
	if len(listed) > 100_000 {
		t.Errorf("a list shows %d bytes of the request", len(listed))
	}
	if text := journal.Text([]journal.Entry{e}); len(text) > 10_000 || !strings.Contains(text, "19988 new messages") {
		t.Errorf("in text the request has %d bytes: %.200s", len(text), text)
	}
	if whole := viewRequest(e, true); len(whole.Messages) != messages || len(whole.New) != messages || whole.NewLeftOut != 0 {
		t.Errorf("alone the request is shown with %d messages", len(whole.Messages))
	}
}

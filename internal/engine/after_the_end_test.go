package engine_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// A run of a loop is lenient, so that one violation does not hide the next. Behind the end of its
// script there is no next one.
func TestRefusedBehindTheEndOfTheScript(t *testing.T) {
	const prefill = `{"role":"assistant","content":"It is"}`
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, `
model:
  - text: It is a
    finish: length
`, engine.RunConfig{Profile: profile(t, "mistral"), Lenient: true})
	var statuses []int
	for _, body := range []string{messages(user, prefill), messages(user, prefill, user), messages(user, `{"role":"assistant","content":"It is a"}`)} {
		statuses = append(statuses, ask(t, base, body).status)
	}
	if statuses[0] != 200 || statuses[1] != 200 || statuses[2] != 400 {
		t.Errorf("the statuses are %v, want 200 while the script has something, 200 for what the provider takes, and 400", statuses)
	}
	all, _ := run.Record()
	if last := all[len(all)-1]; !last.Overrun || last.Refusal == nil || !last.Refusal.Given || last.Refusal.Rule != "egress/last-message" {
		t.Errorf("the last exchange has the refusal %+v", last.Refusal)
	}
}

package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/trace"
)

// What is said of a request is short, however long the key is that is wrong with it: findings stay
// when bodies are forgotten.
func TestLongKeysAreNotKept(t *testing.T) {
	const size, requests = 1_000_000, 20
	before := heap()
	j := open(journal.Options{Budget: journal.NewBudget(1)})
	for i := range requests {
		key := fmt.Sprint(strings.Repeat("k", size), i)
		e := read(t, []byte(`{"model":"m","messages":[`+asks+`],"`+key+`":1}`))
		e.Exchange.Refusal = &trace.Refusal{Rule: "egress/request-keys", Status: 400, Message: "Unknown parameter: '" + key + "'."}
		e.Exchange.Problem = "the key " + key
		j.Add(&e)
	}
	all := j.Entries()
	if f := all[0].Findings; len(f) == 0 || !strings.HasPrefix(f[0].Pointer, "/kkk") || !strings.Contains(f[0].Message, `has the key "kkk`) || !strings.HasSuffix(f[0].Pointer, "…") {
		t.Errorf("the findings are %.300v", f)
	}
	if r := all[0].Exchange.Refusal; !strings.HasPrefix(r.Message, "Unknown parameter: 'kkk") || len(r.Message) > 10_000 {
		t.Errorf("the refusal is %.100s, of %d bytes", r.Message, len(r.Message))
	}
	if held := heap() - before; held > 3*size {
		t.Errorf("%d kB are held of %d requests", held>>10, requests)
	}
}

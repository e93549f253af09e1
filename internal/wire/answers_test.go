package wire_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestAnswersToLongHistories compares the answers in a long history, which is indexed, with those
// of the plain search.
func TestAnswersToLongHistories(t *testing.T) {
	call := func(i int) string { return fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"look"}`, i) }
	output := func(i int) string { return fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d"}`, i) }
	const prompt = `{"role":"user","content":"Go."}`
	many := func(item func(int) string) (items []string) {
		for i := range 100 {
			items = append(items, item(i))
		}
		return items
	}
	for name, items := range map[string][]string{
		"in turns":              many(func(i int) string { return call(i) + "," + output(i) }),
		"a prompt in between":   many(func(i int) string { return call(i) + "," + prompt + "," + output(i) }),
		"all calls first":       append(append(many(call), prompt), many(output)...),
		"all outputs first":     append(append(many(output), prompt), many(call)...),
		"calls apart":           append(many(func(i int) string { return call(i) + "," + prompt }), many(output)...),
		"ids and outputs twice": many(func(i int) string { return call(i%7) + "," + call(i%7) + "," + prompt + "," + output(i%5) }),
		"outputs missing":       many(func(i int) string { return call(i) + "," + prompt + "," + output(i*2) }),
	} {
		t.Run(name, func(t *testing.T) {
			indexed := readResponses(t, items)
			searched := &wire.Request{Dialect: indexed.Dialect, Messages: indexed.Messages}
			found := 0
			for i := range indexed.Messages {
				got, gotNext := indexed.AnswersTo(i)
				want, wantNext := searched.AnswersTo(i)
				found += len(want)
				if diff := cmp.Diff(callIDs(want), callIDs(got)); diff != "" || gotNext != wantNext {
					t.Fatalf("message %d is answered up to %d, want %d (-want +got):\n%s", i, gotNext, wantNext, diff)
				}
			}
			if found == 0 {
				t.Error("no answer is found")
			}
		})
	}
}

// TestAnswersToCost asks for the answers of 40,000 calls: the square of that number takes many
// seconds.
func TestAnswersToCost(t *testing.T) {
	var items []string
	for i := range 40000 {
		items = append(items, fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"look"},{"type":"function_call_output","call_id":"c%d"}`, i, i))
	}
	req := readResponses(t, items)
	start := time.Now()
	for i := range req.Messages {
		req.AnswersTo(i)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("the answers of %d messages took %v", len(req.Messages), took)
	}
}

func readResponses(t *testing.T, items []string) *wire.Request {
	t.Helper()
	req, err := responses.Read([]byte(`{"model":"m","input":[` + strings.Join(items, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func callIDs(results []wire.Result) (ids []string) {
	for _, r := range results {
		ids = append(ids, r.CallID)
	}
	return ids
}

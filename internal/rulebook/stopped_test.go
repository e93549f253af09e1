package rulebook_test

import (
	"context"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
)

// endsAfter is a context that ends when it was asked a number of times.
type endsAfter struct {
	context.Context
	left, asked int
}

func (c *endsAfter) Err() error {
	c.asked++
	if c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// No rule is asked any more when the context ends, by whatever a request is judged.
func TestNoRuleAfterTheEnd(t *testing.T) {
	p, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	req, err := p.Speaks.Read([]byte(`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, judge := range map[string]func(context.Context){
		"Refuse":       func(ctx context.Context) { rulebook.NewRefuser(p).Refuse(ctx, req) },
		"CheckRequest": func(ctx context.Context) { rulebook.CheckRequest(ctx, p, nil, &trace.Exchange{Request: req}) },
		"Refusals": func(ctx context.Context) {
			for range rulebook.Refusals(ctx, p, req) {
			}
		},
	} {
		whole := &endsAfter{Context: t.Context(), left: 1 << 30}
		judge(whole)
		stopped := &endsAfter{Context: t.Context(), left: 5}
		judge(stopped)
		if whole.asked < 20 || stopped.asked != 6 {
			t.Errorf("%s asks %d rules, and %d after the context ended with the sixth; want more than 20, and none", name, whole.asked, stopped.asked-6)
		}
	}
}

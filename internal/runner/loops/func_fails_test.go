package loops

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

type unprintable struct{}

func (unprintable) Error() string { panic("no text") }

// A function can fail in more ways than by an error. None of them hangs, or takes the words with
// it.
func TestFunctionsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		fails func() error
		how   trace.How
		says  string
	}{
		"an error":                {func() error { return errors.New("odd") }, trace.Reported, "odd"},
		"an error without a text": {func() error { return errors.New("") }, trace.Reported, "an error of the type *errors.errorString without a text"},
		"an unprintable error":    {func() error { return unprintable{} }, trace.Reported, "no text"},
		"a panic":                 {func() error { panic("odd") }, trace.Crashed, "panic: odd"},
		"a panic with nil":        {func() error { panic(nil) }, trace.Crashed, "panic called with nil argument"},
		"an unprintable panic":    {func() error { panic(unprintable{}) }, trace.Crashed, "no text"},
		"the end of a test":       {func() error { runtime.Goexit(); return nil }, trace.Crashed, "runtime.Goexit"},
	} {
		t.Run(name, func(t *testing.T) {
			session, err := Func(func(context.Context, protocol.Task) (protocol.Outcome, error) {
				return protocol.Outcome{}, c.fails()
			}).Open(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			e := session.RunTask(t.Context(), protocol.Task{ID: "t1"})
			if e.How == trace.Reported && e.Outcome.Status == protocol.Failed {
				e.Note, e.Outcome = e.Outcome.Error, nil
			}
			wantEnding(t, e, c.how, c.says)
		})
	}
}

package failures_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// unprintable is an error whose text cannot be had.
type unprintable struct{}

func (unprintable) Error() string { panic("no text") }

// pointer is an error of which a nil pointer has no text.
type pointer struct{ text string }

func (p *pointer) Error() string { return p.text }

func serveFailing() { adapter.Serve(protocol.Hello{Name: "failing"}, fail) }

// approval asks the user about two calls, and tells what came of it.
func approval(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	decisions, err := task.Decide(ctx,
		protocol.PendingCall{ID: "call-1", Name: "delete_file", Arguments: json.RawMessage(`{"path":"a"}`)},
		protocol.PendingCall{Name: "delete_file", Arguments: json.RawMessage(`"{\"path\":\"c\"}"`)})
	if err != nil {
		return protocol.Outcome{}, err
	}
	var said []string
	for _, d := range decisions {
		if d.Approve {
			d.Reason = "runs " + gjson.GetBytes(d.Arguments, "path").String()
		}
		said = append(said, d.Reason)
	}
	return protocol.Outcome{Text: strings.Join(said, "; ")}, nil
}

// fail fails in the way that the prompt names.
func fail(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	var none *protocol.Usage
	words := nothing()
	switch task.Prompts[0] {
	case "approval":
		return approval(ctx, task)
	case "steering":
		return protocol.Outcome{Text: <-task.Steered}, nil
	case "error":
		return protocol.Outcome{}, errors.New("429 try again")
	case "error without a text":
		return protocol.Outcome{}, errors.New("")
	case "unprintable":
		return protocol.Outcome{}, unprintable{}
	case "nil pointer as an error":
		return protocol.Outcome{}, (*pointer)(nil)
	case "panic":
		panic("odd")
	case "panic with an error":
		panic(errors.New("odd"))
	case "panic with an unprintable error":
		panic(unprintable{})
	case "panic with nil":
		panic(nil)
	case "nil pointer":
		return protocol.Outcome{Text: fmt.Sprint(none.InputTokens)}, nil
	case "nil map":
		words["x"] = 1
	case "index":
		return protocol.Outcome{Text: task.Prompts[len(task.Prompts)]}, nil
	case "panic while it panics":
		defer func() { panic("again") }()
		panic("odd")
	case "goexit":
		runtime.Goexit()
	case "odd status":
		return protocol.Outcome{Status: "done"}, nil
	case "no JSON":
		return protocol.Outcome{Status: protocol.Completed, Transcript: json.RawMessage("{")}, nil
	}
	return protocol.Outcome{Status: protocol.Completed, Text: "fine"}, nil
}

func TestGo(t *testing.T) {
	table := failures{
		"error":                           {"429 try again"},
		"error without a text":            {"an error of the type *errors.errorString without a text"},
		"unprintable":                     {"no text"},
		"nil pointer as an error":         {"nil"},
		"panic":                           {"panic: odd (go_test.go:"},
		"panic with an error":             {"panic: odd (go_test.go:"},
		"panic with an unprintable error": {"no text", "(go_test.go:"},
		"panic with nil":                  {"panic called with nil argument", "(go_test.go:"},
		"nil pointer":                     {"panic: runtime error: invalid memory address or nil pointer dereference (go_test.go:"},
		"nil map":                         {"panic: assignment to entry in nil map (go_test.go:"},
		"index":                           {"index out of range", "(go_test.go:"},
		"panic while it panics":           {"panic: again (go_test.go:"},
		"goexit":                          {"runtime.Goexit"},
		"odd status":                      {`the loop returned the status "done"`},
		"no JSON":                         {"the outcome cannot be written as JSON"},
	}
	for name, env := range map[string][]string{"as it is": nil, "where panic(nil) is none": {"GODEBUG=panicnil=1"}} {
		t.Run(name, func(t *testing.T) {
			p := program{command: []string{os.Args[0]}, env: append(env, "FAILING=go")}
			table := table
			if env != nil {
				table = table.with(failures{"panic with nil": {"runtime.Goexit"}})
			}
			p.test(t, table)
			p.testTogether(t, table)
			p.testApproval(t)
			p.testSteering(t)
		})
	}
}

// nothing returns a map that cannot be written to.
func nothing() map[string]int { return nil }

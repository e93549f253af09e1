package loops

import (
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
)

// Whatever an adapter prints first, it is a hello or it is said what is wrong.
func FuzzHello(f *testing.F) {
	f.Add([]byte(exampleHello()))
	f.Add([]byte(`{"type":"hello","protocol":1,"name":"x","dialects":["chat"],"features":["retries@json","x@@"],"profiles":["**","["],"concurrency":-1}`))
	f.Add([]byte(`{"type":"hello","protocol":"1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if h, problem := readHello(line{1, text}, profiles.Known{}); problem == "" && h.Name == "" {
			t.Errorf("a hello without a name is taken: %q", text)
		}
	})
}

// Whatever an adapter prints later, the task has one ending at most, and what breaks the protocol
// is noted.
func FuzzLines(f *testing.F) {
	for _, text := range []string{
		`{"type":"outcome","id":"t1","status":"completed","text":"Hi","usage":{"prompt_tokens":1},"transcript":[{}],"transcript_format":"x","events":[],"executions":null}`,
		`{"type":"outcome","id":"t1","status":"done"}`, `{"type":"outcome","id":"t2"}`, `{"type":"hello"}`, `[]`, `{"type":7}`, "\xff",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		task := &pendingTask{ended: make(chan Ending, 1)}
		c := &connection{process: &process{stderr: &tail{}}, protocolErrors: &protocolErrors{}, pending: map[string]*pendingTask{"t1": task}, answered: map[string]bool{}}
		c.take(line{1, text})
		c.take(line{2, text}) // a second one never has a place to go
		if ended, known := len(task.ended) == 1, len(c.pending) == 0; ended != known {
			t.Errorf("the task has ended: %v, and is answered: %v", ended, known)
		}
		if len(c.protocolErrors.violations) == 0 {
			t.Error("the same line twice is no violation")
		}
	})
}

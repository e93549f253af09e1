package loops

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/linear"
	"github.com/loopproof/loopproof/internal/profiles"
)

// What an adapter prints is read in linear time: many lines, and long ones.
func TestLinesAreReadInLinearTime(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"many lines":       func(n int) string { return strings.Repeat("x\n", n) },
		"outcomes of none": func(n int) string { return strings.Repeat(`{"type":"outcome","id":"t2"}`+"\n", n) },
		"a long text": func(n int) string {
			return `{"type":"outcome","id":"t1","status":"completed","text":"` + strings.Repeat("x ", n) + `"}`
		},
		"a long transcript": func(n int) string {
			return `{"type":"outcome","id":"t1","status":"completed","transcript":[` + strings.Repeat(`{"role":"user"},`, n) + `{}],"transcript_format":"chat"}`
		},
		"many keys": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `"k%d":1,`, i)
			}
			return `{"type":"outcome",` + b.String() + `"id":"t1","status":"completed"}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				lines := strings.Split(text(n), "\n")
				return func() {
					task := &pendingTask{ended: make(chan Ending, 1)}
					c := &connection{process: &process{stderr: &tail{}}, protocolErrors: &protocolErrors{}, pending: map[string]*pendingTask{"t1": task}, answered: map[string]bool{}}
					for i, text := range lines {
						c.take(line{i + 1, []byte(text)})
					}
				}
			})
		})
	}
}

// A hello is read in linear time.
func TestHellosAreReadInLinearTime(t *testing.T) {
	for name, list := range map[string]string{"features": `"retries@json%d",`, "dialects": `"d%d",`, "profiles": `"p%d/**",`} {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, list, i)
				}
				text := []byte(`{"type":"hello","protocol":1,"name":"x","` + name + `":[` + strings.TrimSuffix(b.String(), ",") + `]}`)
				return func() { readHello(line{1, text}, profiles.Known{}) }
			})
		})
	}
}

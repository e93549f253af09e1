package agents_test

import (
	"slices"
	"strings"
	"testing"

	embedded "github.com/loopproof/loopproof/agents"
	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/protocol"
)

// Whatever is in a file, it is a description or an error that names the file. Whatever the agent of
// one prints, it is an outcome or it is said why not.
func FuzzParse(f *testing.F) {
	for _, name := range agents.Names() {
		data, err := embedded.Files.ReadFile(name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, `{"result":"Hi","type":"result"}`+"\n"+`{"error":{"message":"no"}}`)
	}
	f.Add([]byte(right), "\x1b[31mHi\x1b[0m")
	f.Add([]byte(strings.Replace(right, "format: text", "format: jsonl, at: /a/0, join: true, where: {/b: c}, failed: {/d: 'true'}, stopped: {/e: x}", 1)), "{\"a\":[1],\"b\":\"c\"}\n{\"d\":true,\"a\":{}}\n{")
	req, err := chat.Read([]byte(`{"model":"m","messages":[{"role":"system","content":"Be terse."},{"role":"user","content":"Hi"}]}`))
	if err != nil {
		f.Fatal(err)
	}
	statuses := []protocol.Status{protocol.Completed, protocol.Failed, protocol.Stopped}
	f.Fuzz(func(t *testing.T, data []byte, output string) {
		d, err := agents.Parse("mine.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "mine.yaml:") {
				t.Errorf("the error does not begin with the name of the file: %v", err)
			}
			return
		}
		d.SideAnswer(req)
		outcome, err := d.Answer.Read(output)
		if err == nil && !slices.Contains(statuses, outcome.Status) {
			t.Errorf("the outcome of %q is %+v", output, outcome)
		}
	})
}

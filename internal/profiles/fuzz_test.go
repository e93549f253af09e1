package profiles_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Whatever is in a file, it is a profile that writes answers and errors, or an error that names the
// file.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"openai", "anthropic-4.5", "openai-responses", "gemini-3", "deepseek"} {
		data, err := fs.ReadFile(loopproof.Files(), "profiles/"+name+".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("like: openai\ntitle: t\nabout: a\nstatus: {400: 422}\nalso-refuses: [{rule: pairing/ids-present, status: 400, message: '{x}'}]\n"))
	answer := &wire.Answer{Text: "Hi", Calls: []wire.AnswerCall{{ID: "a", Name: "f", Arguments: "{}"}}, Finish: wire.FinishCalls}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := profiles.Parse("mine.yaml", data)
		if err != nil {
			if !strings.Contains(err.Error(), "mine.yaml") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		p.Shape.Write(answer, wire.Reply{ID: "id", Model: "m"})
		p.Shape.Stream(answer, wire.Reply{ID: "id", Model: "m"})
		p.Error(400, p.WordsFor(400))
	})
}

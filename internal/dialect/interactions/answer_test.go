package interactions_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/interactions"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestStreamsAreRead: as Google's pages show them, with the beginning of a text in the start of its step
// and without, and with events about the status.
func TestStreamsAreRead(t *testing.T) {
	for _, first := range []string{
		`{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}` + "\n" + `{"index":0,"delta":{"text":"It is","type":"text"},"event_type":"step.delta"}`,
		`{"index":0,"step":{"type":"model_output","content":[{"text":"It is","type":"text"}]},"event_type":"step.start"}`,
		`{"interaction_id":"v1_a","status":"in_progress","event_type":"interaction.status_update"}` + "\n" + `{"index":0,"step":{"type":"model_output","content":[{"text":"It is","type":"text"}]},"event_type":"step.start"}`,
	} {
		stream := strings.Join([]string{
			`{"interaction":{"id":"v1_a"},"event_type":"interaction.created"}`, first,
			`{"index":0,"delta":{"text":" 4 C.","type":"text"},"event_type":"step.delta"}`,
			`{"index":0,"event_type":"step.stop"}`,
			`{"interaction":{"id":"v1_a","status":"completed"},"event_type":"interaction.completed"}`, "[DONE]",
		}, "\n")
		stream = "data: " + strings.ReplaceAll(stream, "\n", "\n\ndata: ") + "\n\n"
		if a, err := interactions.API.ReadAnswer([]byte(stream), true); err != nil || a.Text != "It is 4 C." {
			t.Errorf("%s is read as %+v, %v", stream, a, err)
		}
	}
}

// TestTextsInStarts: the quirk moves the beginning of a text, and a reader finds the whole of it.
func TestTextsInStarts(t *testing.T) {
	p, err := profiles.Find(profiles.All(), "gemini-interactions")
	if err != nil {
		t.Fatal(err)
	}
	quirk, _ := interactions.API.Quirk("text-in-the-start")
	const said = "It is 4 C in Oslo, and it snows."
	events := quirk.Events(p.Shape.Stream(&wire.Answer{Text: said, Chunk: 8}, wire.Reply{ID: "v1_a", Model: "m"}))
	var stream strings.Builder
	for _, e := range events {
		stream.WriteString("data: " + string(e.Data) + "\n\n")
	}
	if !strings.Contains(stream.String(), `"content":[{"text":"It is`) {
		t.Errorf("no start of a step has a text:\n%s", &stream)
	}
	if a, err := interactions.API.ReadAnswer([]byte(stream.String()), true); err != nil || a.Text != said {
		t.Errorf("it is read as %+v, %v", a, err)
	}
}

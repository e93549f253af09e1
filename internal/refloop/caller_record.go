package refloop

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// callerRecord is what the loop keeps of a conversation for its caller. Nothing is sent from it:
// the history of a request holds what the provider has to see, and the caller record also what it
// must not, such as turns that failed.
type callerRecord struct {
	entries []entry
	events  []event

	mu   sync.Mutex // tools run at the same time
	last time.Time
	ids  map[string]int // number of events for an id
}

// entry is one thing that was said: a prompt, a turn of the model, or the results of its calls.
type entry struct {
	at      time.Time
	prompt  *string
	turn    *neutral.Turn
	failed  bool // the turn broke off, or said nothing
	results []*neutral.Result
}

// now returns the time in milliseconds, and never the same time twice.
func (d *callerRecord) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := time.Now().UTC().Truncate(time.Millisecond)
	if !at.After(d.last) {
		at = d.last.Add(time.Millisecond)
	}
	d.last = at
	return at
}

func (d *callerRecord) keepPrompt(prompt string) {
	d.entries = append(d.entries, entry{at: d.now(), prompt: &prompt})
}

// keepTurn keeps a turn of the model, or what had arrived of one that broke off.
func (d *callerRecord) keepTurn(t *neutral.Turn, err error) {
	failed := err != nil
	if failure := (*failure)(nil); errors.As(err, &failure) {
		t = failure.part
	}
	if t == nil {
		return // there was no turn
	}
	d.entries = append(d.entries, entry{at: d.now(), turn: t, failed: failed || t.Blank()})
}

func (d *callerRecord) keepResults(results []*neutral.Result) {
	d.entries = append(d.entries, entry{at: d.now(), results: results})
}

// transcripts are the formats in which a transcript can be handed over. own says that the format is
// that of the wire API.
var transcripts = map[string]func(system string, entries []entry, own bool) any{
	"open-agent-loops": openAgentLoops,
	"anthropic":        anthropicMessages,
	"art-messages":     artMessages,
	"openai":           openAIMessages,
	"ag-ui":            aguiEvents,
	"otel-genai":       otelSpans,
}

// handOver adds the caller record to the outcome, in the format that the task wishes for.
func (c *conversation) handOver(o *protocol.Outcome) {
	for _, name := range []string{c.task.TranscriptFormat, c.loop.Transcript, c.dialect.Transcript()} {
		if write, known := transcripts[name]; known {
			o.TranscriptFormat, o.Transcript = name, written(write(c.task.System, c.callerRecord.entries, name == c.dialect.Transcript()))
			break
		}
	}
	o.EventsFormat, o.Events = "adk-turn-events", written(append([]event{}, c.callerRecord.events...))
}

// written returns JSON. What the loop keeps can always be written.
func written(value any) json.RawMessage {
	text, err := neutral.JSON(value)
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(text)
}

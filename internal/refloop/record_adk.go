package refloop

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The events of @nhtio/adk (https://github.com/NHTIO/ADK, src/lib/types/turn_runner.ts): each call
// is announced, then reported again under the same id when it is done; in between its tool starts
// and ends.

type event struct {
	Event string `json:"event"`
	Data  any    `json:"data"`
}

type callEvent struct {
	ID          string          `json:"id"`
	Tool        string          `json:"tool"`
	Args        json.RawMessage `json:"args"`
	Checksum    string          `json:"checksum"`
	CreatedAt   time.Time       `json:"createdAt"`
	UpdatedAt   time.Time       `json:"updatedAt"`
	Results     *string         `json:"results,omitempty"`
	IsComplete  bool            `json:"isComplete"`
	IsError     bool            `json:"isError"`
	CompletedAt *time.Time      `json:"completedAt,omitempty"`
}

type executionEvent struct {
	ToolName   string          `json:"toolName"`
	TurnID     string          `json:"turnId"`
	CallID     string          `json:"callId"`
	Args       json.RawMessage `json:"args,omitempty"` // only where it starts
	StartedAt  time.Time       `json:"startedAt"`
	EndedAt    *time.Time      `json:"endedAt,omitempty"`
	DurationMS *int64          `json:"durationMs,omitempty"`
	IsError    *bool           `json:"isError,omitempty"`
}

func (d *callerRecord) emit(name string, data any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, event{name, data})
}

// announce tells of the calls of a turn before any of them is run.
func (d *callerRecord) announce(calls []*neutral.Call) []callEvent {
	announced := make([]callEvent, len(calls))
	for i, c := range calls {
		at := d.now()
		announced[i] = callEvent{
			ID: d.freshID(c.ID), Tool: c.Name, Args: objectOf(c.Arguments), Checksum: checksum(c),
			CreatedAt: at, UpdatedAt: at,
		}
		d.emit("toolCall", announced[i])
	}
	return announced
}

// freshID returns the id of a call, with a number after it if a provider repeats an id, since the
// events of the first call are final.
func (d *callerRecord) freshID(id string) string {
	if d.ids == nil {
		d.ids = map[string]int{}
	}
	d.ids[id]++
	if n := d.ids[id]; n > 1 {
		return fmt.Sprintf("%s#%d", id, n)
	}
	return id
}

// complete tells what came of a call.
func (d *callerRecord) complete(c callEvent, text string, err error) {
	at := d.now()
	c.UpdatedAt, c.CompletedAt, c.IsComplete, c.Results, c.IsError = at, &at, true, &text, err != nil
	d.emit("toolCall", c)
}

// execute tells that a tool starts, and returns how to tell that it has ended.
func (d *callerRecord) execute(c *neutral.Call, arguments string) (ended func(error)) {
	e := executionEvent{ToolName: c.Name, TurnID: "turn", CallID: checksum(c), StartedAt: d.now()}
	started := e
	started.Args = objectOf(arguments)
	d.emit("toolExecutionStart", started)
	return func(err error) {
		at, failed := d.now(), err != nil
		took := at.Sub(e.StartedAt).Milliseconds()
		e.EndedAt, e.DurationMS, e.IsError = &at, &took, &failed
		d.emit("toolExecutionEnd", e)
	}
}

// checksum is SHA-256 over {tool, args}, with keys sorted and scalars as JavaScript writes them.
func checksum(c *neutral.Call) string {
	var args any
	if json.Unmarshal(objectOf(c.Arguments), &args) != nil {
		args = map[string]any{}
	}
	var b strings.Builder
	canonical(&b, map[string]any{"tool": c.Name, "args": args})
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

func canonical(b *strings.Builder, value any) {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.SortFunc(keys, func(x, y string) int { return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y))) })
		b.WriteByte('{')
		for i, key := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			canonical(b, key)
			b.WriteByte(':')
			canonical(b, v[key])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			canonical(b, item)
		}
		b.WriteByte(']')
	case float64:
		b.WriteString(javaScriptNumber(v))
	case string:
		b.WriteString(javaScriptString(v))
	default:
		b.Write(written(v))
	}
}

// javaScriptString writes a string as JavaScript does, which unlike Go leaves the two line
// separators of Unicode alone.
func javaScriptString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for {
		plain, size := s, 0
		if i := strings.IndexAny(s, "\u2028\u2029"); i >= 0 {
			plain, size = s[:i], len("\u2028")
		}
		quoted := written(plain)
		b.Write(quoted[1 : len(quoted)-1])
		b.WriteString(s[len(plain) : len(plain)+size])
		if s = s[len(plain)+size:]; s == "" {
			b.WriteByte('"')
			return b.String()
		}
	}
}

// javaScriptNumber writes a number as JavaScript does: with an exponent from 1e21 on and below
// 1e-6.
func javaScriptNumber(f float64) string {
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		text := strconv.FormatFloat(f, 'e', -1, 64)
		return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(text)
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64) // +0: there is no -0
}

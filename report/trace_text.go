package report

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// WriteText writes the exchange for people to read. In a body that was sent in several writes, ¦
// marks the end of each.
func (t *Trace) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, t.String())
	return err
}

// String returns what [Trace.WriteText] writes, or "" for a nil exchange.
func (t *Trace) String() string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	restart := t.Restart
	for i := range t.Requests {
		restart = restart.writeBefore(&b, t.Requests[i].AtMS)
		t.Requests[i].write(&b)
		for _, event := range t.eventsBehind(i) {
			restart = restart.writeBefore(&b, event.at)
			event.write(&b)
		}
	}
	restart.writeBefore(&b, math.Inf(1))
	t.writeEnding(&b)
	return b.String()
}

// writeBefore writes a restart before something that began after it, and returns what is still to be
// written.
func (r *TracedRestart) writeBefore(b *strings.Builder, at float64) *TracedRestart {
	if r == nil || at < r.KilledMS {
		return r
	}
	fmt.Fprintf(b, "the process is killed  at %s\n", milliseconds(r.KilledMS))
	if r.StartedMS > 0 {
		fmt.Fprintf(b, "and started again with the session  at %s\n", milliseconds(r.StartedMS))
	}
	b.WriteByte('\n')
	return nil
}

// tracedEvent is something that happened between requests.
type tracedEvent struct {
	at    float64 // in milliseconds since the start of the case
	write func(*strings.Builder)
}

// eventsBehind returns the tools that were started after a request and before the next one, and what
// the user was asked then, in order.
func (t *Trace) eventsBehind(i int) (events []tracedEvent) {
	for k := range t.Asked {
		events = append(events, tracedEvent{t.Asked[k].AtMS, t.Asked[k].write})
	}
	for k := range t.Tools {
		events = append(events, tracedEvent{t.Tools[k].AtMS, t.Tools[k].write})
	}
	events = slices.DeleteFunc(events, func(e tracedEvent) bool {
		early := i > 0 && e.at < t.Requests[i].AtMS
		late := i+1 < len(t.Requests) && e.at >= t.Requests[i+1].AtMS
		return early || late
	})
	slices.SortStableFunc(events, func(a, b tracedEvent) int { return cmp.Compare(a.at, b.at) })
	return events
}

func (q *TracedQuestion) write(b *strings.Builder) {
	fmt.Fprintf(b, "the user is asked whether to run  %s %s", q.Tool, q.Arguments)
	if q.CallID != "" {
		fmt.Fprintf(b, " as %s", q.CallID)
	}
	fmt.Fprintf(b, "  at %s\n  %s", milliseconds(q.AtMS), q.Decision)
	switch {
	case q.Reason != "":
		fmt.Fprintf(b, ": %q", q.Reason)
	case q.With != "":
		fmt.Fprintf(b, " with %s", q.With)
	}
	if q.EndMS > 0 {
		fmt.Fprintf(b, "  at %s", milliseconds(q.EndMS))
	}
	b.WriteString("\n\n")
}

func (r *TracedRequest) write(b *strings.Builder) {
	fmt.Fprintf(b, "request %d  %s %s  at %s\n", r.Number, r.Method, r.Target, milliseconds(r.AtMS))
	writeHeaders(b, r.Headers)
	writeLines(b, r.Body.lines(nil))
	if r.Problem != "" {
		fmt.Fprintf(b, "  (%s)\n", r.Problem)
	}
	b.WriteByte('\n')
	r.Answer.write(b, r.Number)
}

func (a *TracedAnswer) write(b *strings.Builder, number int) {
	if a.Status == 0 {
		fmt.Fprintf(b, "answer %d  none\n", number)
	} else {
		fmt.Fprintf(b, "answer %d  %d, %s%s\n", number, a.Status, textlayout.Count(a.Body.Bytes, "byte"), a.cuts())
	}
	if a.Said != "" {
		fmt.Fprintf(b, "  # %s\n", a.Said)
	}
	writeHeaders(b, a.Headers)
	writeLines(b, a.Body.lines(a.markedSizes()))
	if a.Ending != "" {
		fmt.Fprintf(b, "  (the connection is %s here)\n", a.Ending)
	}
	b.WriteByte('\n')
}

// manySingles is how many writes of one byte at the beginning show that an answer was cut into
// bytes, though in its middle more bytes share a write.
const manySingles = 4096

// singles returns a remark about an answer of which each byte was a write of its own, at least at
// its beginning; for any other it is "".
func (a *TracedAnswer) singles() string {
	first, _, more := strings.Cut(a.Writes, " ")
	times, size, _ := strings.Cut(first, "x")
	switch n, _ := strconv.Atoi(times); {
	case size != "1" || more && n < manySingles || !more && n != a.Body.Bytes:
		return ""
	case more:
		return "one byte per write, and more in the middle"
	default:
		return "one byte per write"
	}
}

// markedSizes returns the sizes of the writes whose ends are marked where the body is shown: none
// if there are too many.
func (a *TracedAnswer) markedSizes() []int {
	sizes, err := a.WriteSizes()
	if err != nil || a.singles() != "" {
		return nil
	}
	return sizes
}

// cuts says in how many writes the body was sent.
func (a *TracedAnswer) cuts() string {
	sizes, err := a.WriteSizes()
	switch {
	case err != nil || len(sizes) == 0:
		return ""
	case a.singles() != "":
		return ", " + a.singles()
	case len(sizes) == 1:
		return " in 1 write"
	default:
		return fmt.Sprintf(" in %d writes; ¦ marks the end of each", len(sizes))
	}
}

func writeHeaders(b *strings.Builder, headers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Fprintf(b, "  %s: %s\n", strings.ToLower(name), headers[name])
	}
}

func writeLines(b *strings.Builder, lines []string) {
	if len(lines) > 0 {
		b.WriteByte('\n')
	}
	for _, line := range lines {
		fmt.Fprintf(b, "  %s\n", line)
	}
}

// bytes returns the body, which may be truncated.
func (t TracedBody) bytes() []byte {
	if t.Base64 != "" {
		data, _ := base64.StdEncoding.DecodeString(t.Base64)
		return data
	}
	return []byte(t.Text)
}

// lines returns the body line by line, with what cannot be seen escaped and a mark where each write
// ends.
func (t TracedBody) lines(writes []int) []string {
	data := t.bytes()
	ends := map[int]bool{}
	at := 0
	for _, size := range writes {
		at += size
		ends[at] = len(writes) > 1
	}
	var lines []string
	var line strings.Builder
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		for k := 1; k < size; k++ { // a rune in two writes is shown as its bytes
			if ends[i+k] {
				r, size = utf8.RuneError, 1
			}
		}
		visible(&line, r, data[i:i+size])
		i += size
		if ends[i] {
			line.WriteRune('¦')
		}
		if ends[i] && t.Base64 != "" { // no text, which has no lines of its own
			r, size = '\n', 0
		}
		if r == '\n' && (i == len(data) || data[i] != '\n' && data[i] != '\r') { // blank lines belong to the event that they end
			lines = append(lines, line.String())
			line.Reset()
		}
	}
	if line.Len() > 0 {
		lines = append(lines, line.String())
	}
	if t.Cut {
		lines = append(lines, fmt.Sprintf("… %d of %d bytes", len(data), t.Bytes))
	}
	return lines
}

// visible writes a character so that it can be seen: line ends, control characters and invalid
// bytes are escaped.
func visible(b *strings.Builder, r rune, raw []byte) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case r == '¦' || r != ' ' && !strconv.IsPrint(r):
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	default:
		b.WriteRune(r)
	}
}

func (t *TracedTool) write(b *strings.Builder) {
	fmt.Fprintf(b, "tool  %s %s", t.Tool, t.Arguments)
	if t.CallID != "" {
		fmt.Fprintf(b, " as %s", t.CallID)
	}
	fmt.Fprintf(b, "  at %s", milliseconds(t.AtMS))
	if t.EndMS > 0 {
		fmt.Fprintf(b, " to %s", milliseconds(t.EndMS))
	}
	word := "gives"
	if t.Failed {
		word = "fails with"
	}
	fmt.Fprintf(b, "\n  %s %q\n", word, t.Result)
	if t.Dropped {
		b.WriteString("  (the loop did not wait for it)\n")
	}
	b.WriteByte('\n')
}

func (t *Trace) writeEnding(b *strings.Builder) {
	if t.LeftOut > 0 {
		fmt.Fprintf(b, "(%d requests, tools and questions are left out)\n\n", t.LeftOut)
	}
	if o := t.Outcome; o != nil {
		fmt.Fprintf(b, "outcome  %s\n", o.Status)
		for _, field := range []struct{ name, value string }{{"text", o.Text}, {"reason", o.Reason}, {"finish_reason", o.FinishReason}, {"error", o.Error}} {
			if field.value != "" {
				fmt.Fprintf(b, "  %s %q\n", field.name, field.value)
			}
		}
		return
	}
	fmt.Fprintf(b, "outcome  none: the loop %s\n", t.Ending)
	writeLines(b, strings.Split(strings.TrimSpace(t.Note), "\n"))
}

// How many lines of a long answer are shown, at its beginning and at its end.
const (
	firstLines = 3
	lastLines  = 5
	maxLine    = 240
)

// Brief returns the body of a streamed answer in a few lines, with ¦ where a write ends. What the
// lines have in common is left out.
func (a *TracedAnswer) Brief() string {
	lines := a.Body.lines(a.markedSizes())
	short := make([]string, len(lines))
	for i, line := range lines {
		other := lines[0]
		if i == 0 && len(lines) > 1 {
			other = lines[1]
		}
		short[i] = textlayout.Shorten(withoutCommon(line, other), maxLine)
	}
	if left := len(short) - firstLines - lastLines; left > 1 {
		short = slices.Concat(short[:firstLines], []string{fmt.Sprintf("… %d more", left)}, short[len(short)-lastLines:])
	}
	if remark := a.singles(); remark != "" {
		short = append(short, "("+remark+")")
	}
	return strings.Join(short, "\n")
}

// How many bytes are shown of what a line has in common with another one.
const (
	keptFirst  = 7
	keptBefore = 20
	keptBehind = 6
)

// withoutCommon leaves out of a line what it has in common with another at its beginning and at its
// end.
func withoutCommon(line, other string) string {
	from, to := 0, 0
	for from < min(len(line), len(other)) && line[from] == other[from] {
		from++
	}
	for to < min(len(line), len(other))-from && line[len(line)-1-to] == other[len(other)-1-to] {
		to++
	}
	start, end := from-keptBefore, len(line)-to+keptBehind
	tail := len(line) - len(lineEnd(line))
	if end < tail-keptBefore {
		line = strings.ToValidUTF8(line[:end], "") + "…" + line[tail:]
	}
	if start > keptFirst+keptBefore {
		line = line[:keptFirst] + "…" + strings.ToValidUTF8(line[start:], "")
	}
	return line
}

// lineEnd returns the escapes and marks with which a line ends.
func lineEnd(line string) string {
	text := strings.TrimRight(line, `\rn¦`)
	return line[len(text):]
}

func milliseconds(ms float64) string { return strconv.FormatFloat(ms, 'f', 1, 64) + " ms" }

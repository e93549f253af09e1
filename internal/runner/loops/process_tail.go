package loops

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// maxTail is how much of a process's standard error is kept, in bytes, and maxTailLines how much of
// that is shown.
const (
	maxTail      = 8 << 10
	maxTailLines = 15
)

// tail is a writer that keeps the end of what is written to it. It is safe for use by many
// goroutines.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fresh := p[max(0, len(p)-maxTail):]
	old := t.kept[max(0, min(len(t.kept), len(t.kept)+len(fresh)-maxTail)):]
	t.kept = append(append(t.kept[:0], old...), fresh...)
	return len(p), nil
}

// escapes are the colours and cursor movements that programs write even where there is no terminal.
var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]") })

// String returns the last lines as plain text.
func (t *tail) String() string {
	t.mu.Lock()
	text := strings.ToValidUTF8(string(t.kept), "")
	t.mu.Unlock()
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, escapes().ReplaceAllString(text, ""))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-maxTailLines):], "\n")
}

// note puts what is known about an end and the last lines of standard error into one text.
func (t *tail) note(what string) string {
	last := t.String()
	switch {
	case last == "" && what == "":
		return ""
	case last == "":
		return what + "; it printed nothing on standard error"
	case what != "":
		what += "\n"
	}
	return what + "the last lines of its standard error:\n" + indent(last)
}

package casereport

import (
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// maxReported is how much of the error of a loop is shown, in characters.
const maxReported = 300

// reported returns what the loop said when it ended otherwise than with an answer, for a finding
// that may follow from it: one about the last answer that it got, or about the run as a whole. It
// is "" for others.
func (p Played) reported(f trace.Finding) string {
	last := 0
	if n := len(p.Exchanges); n > 0 {
		last = p.Exchanges[n-1].Number
	}
	if f.Pointer != "" || f.Answer < last && (f.Answer != 0 || f.Request != 0) {
		return ""
	}
	switch o := p.Outcome; {
	case o == nil && p.Ending.How == trace.Crashed:
		return saying("the loop crashed", lastLine(p.Ending.Note))
	case o == nil || o.Status == protocol.Completed:
		return ""
	case o.Status == protocol.Failed:
		return saying("the loop failed", o.Error)
	default:
		return saying("the loop stopped", o.Reason)
	}
}

// saying ends a sentence with what the loop said, in one line and shortened.
func saying(what, said string) string {
	if said = textlayout.OneLine(said); said == "" {
		return what + " without a word"
	}
	return what + ": " + textlayout.Shorten(said, maxReported)
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

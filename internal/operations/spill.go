package operations

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
)

// Spill writes the journal into a file, one JSON object a line, so that nothing is lost that memory
// has no room for.
type Spill struct {
	name string
	told func(string)

	mu     sync.Mutex
	out    io.WriteCloser
	torn   bool // the last line has no end
	missed int  // requests that could not be written since the last one that was
}

// NewSpill opens a file to append to. told is called with a sentence when it cannot be written, and
// when it can be again.
func NewSpill(name string, told func(string)) (*Spill, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600) // it holds what people said
	if err != nil {
		return nil, err
	}
	s := &Spill{name: name, told: told, out: f}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		var last [1]byte
		_, err := f.ReadAt(last[:], info.Size()-1)
		s.torn = err == nil && last[0] != '\n' // of a server that was killed, or a disk that was full
	}
	return s, nil
}

// spilled is a line of the file: what the API tells of a request, and the bytes of it and of its
// answer.
type spilled struct {
	trace.Summary
	Headers http.Header     `json:"headers"`
	Request json.RawMessage `json:"request,omitempty"`
	Unread  string          `json:"unreadable_request,omitempty"` // instead of the request, when it is not JSON
	Status  int             `json:"status"`
	Answer  string          `json:"answer"`
}

// ExchangeDone writes a request that was answered.
func (s *Spill) ExchangeDone(e engine.Entry) {
	line := spilled{Summary: e.Summary(), Headers: e.Header, Status: e.Answer.Status, Answer: string(e.Answer.Body())}
	line.At = line.At.UTC()
	if body := e.Body(); json.Valid(body) {
		line.Request = body
	} else {
		line.Unread = string(body)
	}
	data, err := json.Marshal(line)
	s.write([]byte(e.Clean(string(data))+"\n"), err)
}

// write writes a line. One that breaks off in the middle, on a disk that is full, gets its end
// before the next one.
func (s *Spill) write(line []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.torn {
		line = append([]byte("\n"), line...)
	}
	n := 0
	if err == nil {
		n, err = s.out.Write(line)
	}
	if n > 0 {
		s.torn = line[n-1] != '\n'
	}
	switch {
	case err == nil && s.missed > 0:
		s.told(fmt.Sprintf("the journal is written to %s again; it lacks %s", s.name, textlayout.Count(s.missed, "request")))
		s.missed = 0
	case err != nil:
		if s.missed++; s.missed == 1 {
			s.told(fmt.Sprintf("the journal is not written to %s: %v", s.name, err))
		}
	}
}

// Close closes the file.
func (s *Spill) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Close()
}

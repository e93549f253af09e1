package operations

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"sync"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/trace"
)

// Spill writes the journal into a file, one JSON object a line, so that nothing is lost that memory has no room for.
type Spill struct {
	failed func(error)

	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	err  error
}

// NewSpill opens a file to append to. failed is called once when it cannot be written any more.
func NewSpill(name string, failed func(error)) (*Spill, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) // it holds what people said
	if err != nil {
		return nil, err
	}
	return &Spill{failed: failed, file: f, out: bufio.NewWriter(f)}, nil
}

// spilled is a line of the file: what the API tells of a request, and the bytes of it and of its answer.
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

func (s *Spill) write(line []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if err == nil {
		_, err = s.out.Write(line)
	}
	if err == nil {
		err = s.out.Flush()
	}
	if s.err = err; err != nil {
		s.failed(err)
	}
}

// Close closes the file.
func (s *Spill) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Close()
}

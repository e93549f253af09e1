package operations

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/mockprovider"
)

// Spill writes the journal into a file, one JSON object a line, so that nothing is lost that memory has no room for.
type Spill struct {
	failed func(error)

	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	err  error
}

// NewSpill opens a file, behind what it holds already. failed is called once when it cannot be written any more.
func NewSpill(name string, failed func(error)) (*Spill, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) // it holds what people said
	if err != nil {
		return nil, err
	}
	return &Spill{failed: failed, file: f, out: bufio.NewWriter(f)}, nil
}

// spilled is a line of the file.
type spilled struct {
	At       time.Time       `json:"at"`
	Run      string          `json:"run"`
	Method   string          `json:"method"`
	Target   string          `json:"target"`
	Header   http.Header     `json:"header"`
	Outcome  string          `json:"outcome"`
	Scenario string          `json:"scenario,omitempty"`
	Turn     int             `json:"turn,omitempty"` // from 1
	Problem  string          `json:"problem,omitempty"`
	Fault    string          `json:"fault,omitempty"`
	Refusal  *trace.Refusal  `json:"refusal,omitempty"`
	Findings []trace.Finding `json:"findings,omitempty"`
	TookMS   float64         `json:"took_ms"`
	Request  json.RawMessage `json:"request,omitempty"`
	Unread   string          `json:"unreadable_request,omitempty"` // instead of the request, when it is no JSON
	Status   int             `json:"status"`
	Answer   string          `json:"answer"`
}

// ExchangeDone writes a request that was answered.
func (s *Spill) ExchangeDone(e mockprovider.Entry) {
	line := spilled{
		At: e.At.UTC(), Run: e.Run, Method: e.Method, Target: e.Target, Header: e.Header, Outcome: outcome(e), Scenario: e.Scenario, Problem: e.Exchange.Problem,
		Fault: e.Fault, Refusal: e.Exchange.Refusal, Findings: e.Findings, TookMS: float64(e.Took().Microseconds()) / 1000, Status: e.Answer.Status, Answer: string(e.Answer.Body()),
	}
	if body := e.Body(); json.Valid(body) {
		line.Request = body
	} else {
		line.Unread = string(body)
	}
	if e.Exchange.Turn != nil {
		line.Turn = e.Exchange.Turn.Number + 1
	}
	data, err := json.Marshal(line)
	s.write(append(data, '\n'), err)
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

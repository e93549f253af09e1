package faults

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// witness keeps what loops ask the model, so that what a finding points at can be looked up. It is
// safe for use by many loops.
type witness struct {
	mu     sync.Mutex
	runs   map[string]string   // by the id of the case, the run in which it was played last
	bodies map[string][][]byte // by run
}

func newWitness() *witness { return &witness{runs: map[string]string{}, bodies: map[string][][]byte{}} }

// begins notes in which run a case is played.
func (w *witness) begins(c trace.Case, task protocol.Task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs[c.ID()] = runOf(task.BaseURL)
}

func runOf(url string) string {
	_, path, _ := strings.Cut(url, "/run/")
	run, _, _ := strings.Cut(path, "/")
	return run
}

// alongside returns a way to the world on which all requests for the model are noted.
func (w *witness) beside(world http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		asks := strings.HasSuffix(req.URL.Path, "/messages") || strings.HasSuffix(req.URL.Path, "/chat/completions")
		if req.Method == http.MethodPost && req.Body != nil && asks {
			body, _ := io.ReadAll(req.Body) // it is in memory
			req.Body = io.NopCloser(bytes.NewReader(body))
			w.mu.Lock()
			w.bodies[runOf(req.URL.Path)] = append(w.bodies[runOf(req.URL.Path)], body)
			w.mu.Unlock()
		} else if strings.HasSuffix(req.URL.Path, "/responses") || strings.Contains(req.URL.Path, "enerateContent") { // it is counted, where two wire APIs are spoken
			w.mu.Lock()
			w.bodies[runOf(req.URL.Path)] = append(w.bodies[runOf(req.URL.Path)], nil)
			w.mu.Unlock()
		}
		return world.RoundTrip(req)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// misplaced returns what is wrong with the places that the findings of a report name: each is
// there, or is a key that is missing, in the request of which the finding speaks, and what is shown
// of the request has in it what the finding quotes.
func (w *witness) misplaced(r *report.Report) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var problems []string
	for _, c := range r.Cases {
		bodies := w.bodies[w.runs[c.ID]]
		for _, f := range c.Findings {
			if f.Request == 0 || f.Pointer == "" || f.Request > len(bodies) {
				continue
			}
			if problem := misplacedIn(bodies[f.Request-1], f); problem != "" && len(problems) < 5 {
				problems = append(problems, fmt.Sprintf("%s %s: %s; the finding is %+v", c.ID, f.Rule, problem, f))
			}
		}
	}
	return problems
}

func misplacedIn(body []byte, f report.Finding) string {
	root, err := wire.ParseNode(body)
	if err != nil {
		return "" // there are no places in what cannot be read
	}
	around := root.At(f.Pointer[:strings.LastIndexByte(f.Pointer, '/')])
	if root.At(f.Pointer) == nil && !around.Is(wire.Object) { // a key that is missing is named where it should be
		return fmt.Sprintf("there is no %s in request %d: %.300s", f.Pointer, f.Request, body)
	}
	quotes := strings.HasPrefix(f.Actual, "{") || strings.HasPrefix(f.Actual, "[") || strings.HasPrefix(f.Actual, `"`)
	if whole := f.Exhibit != "" && !strings.Contains(f.Exhibit, "…"); whole && quotes && bytes.Contains(body, []byte(f.Actual)) && !strings.Contains(f.Exhibit, f.Actual) {
		return fmt.Sprintf("what is quoted is not in what is shown: %s", f.Exhibit)
	}
	return ""
}

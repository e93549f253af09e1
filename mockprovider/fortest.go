package mockprovider

import (
	"crypto/rand"
	"fmt"
	"regexp"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/scenarios"
)

// TB is what a test run needs of a *testing.T, or of what stands for it in another framework.
type TB interface {
	Helper()
	Name() string
	Cleanup(func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// TestRun is a [Run] that ends with a test.
type TestRun struct {
	*Run

	// BaseURL is what the official SDK of the provider takes as its base URL, and APIKey a key that it may be given.
	BaseURL string
	APIKey  string
}

// ForTest makes a run for one test, which sees nothing of what others do to the server:
//
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts})
//	...
//	run := srv.ForTest(t)
//	client := openai.NewClient(option.WithBaseURL(run.BaseURL), option.WithAPIKey(run.APIKey))
//
// The scripts are texts as they stand in files; without any the run plays those of the server. When the test ends, the
// run does, and a request that broke a must fails the test; in a lenient server it is only told.
func (s *Server) ForTest(t TB, scripts ...string) *TestRun {
	t.Helper()
	c := RunConfig{ID: testName(t.Name()) + "-" + rand.Text()[:6]}
	for i, text := range scripts {
		script, err := scenarios.Parse(fmt.Sprintf("script-%d.yaml", i+1), text)
		if err != nil {
			t.Fatalf("loopproof: %v", err)
			return nil
		}
		c.Scenarios = append(c.Scenarios, script)
	}
	run, err := s.StartRun(c)
	if err != nil {
		t.Fatalf("loopproof: %v", err)
		return nil
	}
	t.Cleanup(func() {
		t.Helper()
		s.EndRun(run)
		run.tell(t)
	})
	return &TestRun{Run: run, BaseURL: run.BaseURL(s.URL), APIKey: run.APIKey()}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// testName returns the name of a test as a part of the name of a run.
func testName(name string) string {
	name = notInName.ReplaceAllString(name, "-")
	return name[:min(len(name), 50)]
}

// tell tells a test what was wrong with its requests, each rule once.
func (r *Run) tell(t TB) {
	t.Helper()
	told := map[string]bool{}
	for _, e := range r.Journal().Entries() {
		for _, f := range e.Findings {
			if told[f.Rule] {
				continue
			}
			told[f.Rule] = true
			say := t.Logf
			if f.Level == trace.Must && !r.run.Lenient() {
				say = t.Errorf
			}
			say("loopproof: request %d breaks %s (%s) at %s: %s", e.Number, f.Rule, f.Level, f.Pointer, f.Message)
		}
	}
}

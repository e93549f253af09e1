package mockprovider

import (
	"crypto/rand"
	"fmt"
	"regexp"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/scenarios"
)

// TB is the part of *testing.T that [Server.ForTest] needs. Other test frameworks can implement it.
type TB interface {
	Helper()
	Name() string
	Cleanup(func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// ForTest starts a run for one test, separate from the requests of other tests:
//
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts})
//	...
//	run := srv.ForTest(t)
//	client := openai.NewClient(option.WithBaseURL(run.BaseURL), option.WithAPIKey(run.APIKey))
//
// The scripts are the contents of script files; without any, the run plays the scripts of the
// server. The run ends with the test. A request that breaks a must fails the test, and so does one
// that no script answers; if the server is lenient, they are only logged.
func (s *Server) ForTest(t TB, scripts ...string) *Run {
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
	return run
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// testName returns the name of a test in a form that the name of a run may contain.
func testName(name string) string {
	name = notInName.ReplaceAllString(name, "-")
	return name[:min(len(name), 50)]
}

// tell reports what is wrong with the requests of a run to its test.
func (r *Run) tell(t TB) {
	t.Helper()
	v, err := r.run.Journal().Verdict(loopproof.Version)
	switch {
	case err != nil:
		t.Errorf("loopproof: %v", err)
	case v.Failure != "" && !r.run.Lenient():
		t.Errorf("loopproof: %s\n\n%s", v.Failure, v.Message)
	case v.Message != "":
		t.Logf("loopproof: what was found fails no test\n\n%s", v.Message)
	}
}

package mockprovider

import (
	"fmt"
	"io/fs"
	"regexp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
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

// TestRun is an [OpenRun] that ends with a test.
type TestRun struct {
	*OpenRun

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
	c := OpenRunConfig{ID: testName(t.Name()) + "-" + token(3)}
	for i, text := range scripts {
		script, err := ParseScript(fmt.Sprintf("script-%d.yaml", i+1), text)
		if err != nil {
			t.Fatalf("loopproof: %v", err)
			return nil
		}
		c.Scenarios = append(c.Scenarios, script)
	}
	open, err := s.StartOpenRun(c)
	if err != nil {
		t.Fatalf("loopproof: %v", err)
		return nil
	}
	t.Cleanup(func() {
		t.Helper()
		s.EndOpenRun(open)
		open.tell(t)
	})
	return &TestRun{OpenRun: open, BaseURL: open.BaseURL(s.URL), APIKey: open.APIKey()}
}

// BaseURL returns what the official SDK of the provider takes as its base URL, given the URL of the server.
func (r *OpenRun) BaseURL(server string) string {
	return server + "/run/" + r.ID + r.profile().Speaks.Endpoint.BasePath
}

// APIKey returns a key by which requests belong to the run, whatever their path.
func (r *OpenRun) APIKey() string { return keyPrefix + r.ID }

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// testName returns the name of a test as a part of the name of a run.
func testName(name string) string {
	name = notInName.ReplaceAllString(name, "-")
	return name[:min(len(name), 50)]
}

// tell tells a test what was wrong with its requests, each rule once.
func (r *OpenRun) tell(t TB) {
	t.Helper()
	told := map[string]bool{}
	for _, e := range r.log.Entries() {
		for _, f := range e.Findings {
			if told[f.Rule] {
				continue
			}
			told[f.Rule] = true
			say := t.Logf
			if f.Level == trace.Must && !r.config.Lenient {
				say = t.Errorf
			}
			say("loopproof: request %d breaks %s (%s) at %s: %s", e.Number, f.Rule, f.Level, f.Pointer, f.Message)
		}
	}
}

// ParseScript reads a script as it stands in a file of this name.
func ParseScript(file, text string) (*scenarios.Scenario, error) {
	return scenarios.Parse(file, []byte(text), vocabulary())
}

// LoadScripts reads the scripts of a folder, such as os.DirFS("testdata/scripts").
func LoadScripts(folder fs.FS) ([]*scenarios.Scenario, error) {
	return scenarios.Load(folder, vocabulary())
}

func vocabulary() scenarios.Vocabulary {
	return rules.Vocabulary(profiles.All())
}

package mockprovider_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/mockprovider"
)

// A client that wants its conversation kept is told to send all of it, and its request counts for nothing.
func TestThreadsAreTurnedDown(t *testing.T) {
	for name, thread := range map[string]string{
		"a new one":                         `{"type":"create"}`,
		"one that we are said to have kept": `{"type":"continue","previous_message_id":"msg_1"}`,
	} {
		t.Run(name, func(t *testing.T) {
			srv := start(t, mockprovider.Config{Profile: profile(t, "anthropic"), Scenarios: lookAndTell(t)})
			whole := asked(user)
			got := askMessages(t, srv.URL, strings.Replace(whole, `{"model"`, `{"thread":`+thread+`,"model"`, 1))
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"details":{"error_code":"thread_unsupported_request"}`) {
				t.Errorf("answered %d %s", got.status, got.body)
			}
			if count := srv.Journal().Count(); count != 0 {
				t.Errorf("%d requests are in the journal, want none", count)
			}
			for _, none := range []string{whole, strings.Replace(whole, `{"model"`, `{"thread":null,"model"`, 1)} {
				if got := askMessages(t, srv.URL, none); got.status != http.StatusOK {
					t.Errorf("without a thread answered %d %s", got.status, got.body)
				}
			}
		})
	}
}

// In a run, too: what is turned down is no exchange, and nothing of it is left open.
func TestThreadsAreTurnedDownInARun(t *testing.T) {
	srv := start(t, mockprovider.Config{})
	run := srv.StartRun(mockprovider.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "anthropic")})
	base := srv.URL + "/run/" + run.ID
	wanting := strings.Replace(asked(user), `{"model"`, `{"thread":{"type":"create"},"model"`, 1)
	if got := askMessages(t, base, wanting); got.status != http.StatusBadRequest {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if got := askMessages(t, base, asked(user)); got.status != http.StatusOK || !got.says(`"type":"tool_use"`) {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if got, _ := run.Record(); len(got) != 1 || got[0].Refusal != nil {
		t.Errorf("the run has %d exchanges, want the second request alone", len(got))
	}
}

package recording_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/protocol"
)

const items = `
prompt: Book a room for 25 users.
needs: [custom-tools, approvals]
tools:
  run_sql:
    free-text: true
    results:
      - {when: {input: SELECT 25}, text: "25"}
model:
  - text: I count them.
    phase: commentary
    provider-items: [{type: web_search_call, query: rooms}]
    calls: [{as: query, tool: run_sql, arguments: SELECT 25}]
  - provider-items: [{type: mcp_approval_request, as: book, server: hotels, tool: book_room, arguments: '{}'}]
  - text: It is booked.
`

// Custom tools, and questions to the user, are recorded as what they are, and the provider keeps
// what the requests refer to.
func TestItemsAreRecorded(t *testing.T) {
	for _, profile := range []string{"openai-responses", "openai-responses-stored"} {
		for _, stream := range []bool{true, false} {
			rec := record(t, items, profile, stream, recording.Config{})
			if rec.outcome.Status != protocol.Completed || len(rec.seen) != 3 {
				t.Fatalf("%s: the loop ended with %+v after %d requests, want an answer after 3", profile, rec.outcome, len(rec.seen))
			}
			for _, told := range rec.told {
				if len(told.Findings) > 0 {
					t.Errorf("%s: a request is found wrong: %+v", profile, told.Findings)
				}
			}
			all := rec.load(t)
			if len(all) != 1 {
				t.Fatalf("%s: there are %d recordings, want one", profile, len(all))
			}
			tool := all[0].Tool("run_sql")
			if !tool.FreeText || len(tool.Results) != 1 || string(tool.Results[0].When.JSON()) != `{"input":"SELECT 25"}` || !slices.Contains(all[0].Needs, protocol.Approvals) {
				t.Errorf("%s: the scenario needs %q and has the tool %+v", profile, all[0].Needs, tool)
			}
			compare(t, rec.seen, rec.replay(t, profile))
		}
	}
}

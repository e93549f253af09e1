package controlapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestProviderItemsAreShown(t *testing.T) {
	said := &wire.Answer{
		Commentary: "I look it up.",
		Items: []wire.ProviderItem{
			{Type: "web_search_call", ID: "ws_1", Query: "snow in Oslo"},
			{Type: wire.ApprovalRequest, ID: "mcpr_1", Server: "weather", Name: "forecast", Arguments: `{"city":"Oslo"}`},
		},
		Blocks: []wire.Raw{
			wire.Raw(`{"type":"file_search_call","id":"fs_1","queries":["a"]}`),
			wire.Raw(`{"executableCode":{"code":"1+1"}}`),
			wire.Raw(`{"type":"x","text":"` + strings.Repeat("a", maxListedText) + `"}`),
		},
	}
	want := []itemView{
		{"commentary", "", "I look it up."},
		{"web_search_call", "ws_1", "snow in Oslo"},
		{wire.ApprovalRequest, "mcpr_1", `weather forecast {"city":"Oslo"}`},
		{"file_search_call", "fs_1", `{"type":"file_search_call","id":"fs_1","queries":["a"]}`},
		{"executableCode", "", `{"executableCode":{"code":"1+1"}}`},
		{"x", "", string(said.Blocks[2])},
	}
	answer := journal.Answer{Status: 200, Said: said}
	if diff := cmp.Diff(want, viewAnswer(answer, true).Items); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := viewAnswer(answer, false).Items[5].Text; len(got) >= len(want[5].Text)+20 || !strings.HasSuffix(got, "characters)") {
		t.Errorf("a list shows %d letters of an item: ...%s", len(got), got[len(got)-30:])
	}
	shown := (&api{}).answer(journal.Entry{Answer: answer})
	if len(shown.Items) != len(want) || shown.Items[1].Type != "web_search_call" || shown.Items[1].Text.Short != "snow in Oslo" {
		t.Errorf("the page shows %+v", shown.Items)
	}
}

// TestEachMessageHasARole: where an API has no word for whose a message is, the neutral one is
// shown.
func TestEachMessageHasARole(t *testing.T) {
	for want, m := range map[string]wire.Message{
		"developer": {Role: wire.System, RoleWord: "developer"},
		"tool":      {Role: wire.Tool, Results: []wire.Result{{CallID: "call_1"}}},
	} {
		if got := viewMessage(m).Role; got != want {
			t.Errorf("the role of %+v is shown as %q", m, got)
		}
	}
}

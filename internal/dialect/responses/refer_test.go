package responses

import (
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestReferencesAreReadAsTheirItems(t *testing.T) {
	answers := func() []*wire.Node {
		return []*wire.Node{wire.Parsed([]byte(`{"output":[
			{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},
			{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look it up."}]}]}`))}
	}
	req, err := Read([]byte(`{"store":true,"input":[
		{"role":"user","content":"Oslo?"},
		{"type":"item_reference","id":"rs_1"},{"type":"item_reference","id":"msg_1"},
		{"type":"function_call","call_id":"c1","name":"get_weather","arguments":"{}"},
		{"type":"item_reference","id":"msg_of_another"}],"model":"m"}`))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := refer(req, answers)
	if err != nil {
		t.Fatal(err)
	}
	turn := whole.Messages[1]
	if turn.Content.Text != "I look it up." || len(turn.Reasoning.Details) != 1 || len(turn.Calls) != 1 {
		t.Errorf("the turn has the text %q, %d items of reasoning and %d calls", turn.Content.Text, len(turn.Reasoning.Details), len(turn.Calls))
	}
	if got := turn.Calls[0].Node.Pointer(); got != "/input/3" {
		t.Errorf("the call is at %s, and was at /input/3", got)
	}
	if got := TypeOf(whole.Body.Get("input").Items[4]); got != referenceItem {
		t.Errorf("what is referred to in vain is read as %s", got)
	}
}

func TestRequestsWithoutReferencesStayAsTheyAre(t *testing.T) {
	for _, input := range []string{`"Oslo?"`, `[{"role":"user","content":"Oslo?"}]`} {
		req, err := Read([]byte(`{"input":` + input + `}`))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := refer(req, func() []*wire.Node { t.Error("the answers were asked for"); return nil })
		if whole != nil || err != nil {
			t.Errorf("%s: %v, %v", input, whole, err)
		}
	}
}

package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestAnswersTo(t *testing.T) {
	req, err := chat.Read([]byte(`{"messages":[
		{"role":"user"},
		{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"}]},
		{"role":"tool","tool_call_id":"b"},
		{"role":"tool","tool_call_id":"x"},
		{"role":"user"},
		{"role":"tool","tool_call_id":"a"},
		{"role":"assistant","tool_calls":[{"id":"c"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		message int
		want    []string
		next    int
	}{
		{0, nil, 1},
		{1, []string{"b", "x"}, 4},
		{4, []string{"a"}, 6},
		{6, nil, 7},
	} {
		results, next := req.AnswersTo(c.message)
		var got []string
		for _, r := range results {
			got = append(got, r.CallID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || next != c.next {
			t.Errorf("message %d is answered up to %d, want %d (-want +got):\n%s", c.message, next, c.next, diff)
		}
	}
}

func TestBlankContent(t *testing.T) {
	for _, c := range []struct {
		content wire.Content
		want    bool
	}{
		{wire.Content{}, true},
		{wire.Content{Text: " \n\t"}, true},
		{wire.Content{Text: "a"}, false},
		{wire.Content{Parts: []wire.Part{{Type: "text"}}}, true},
		{wire.Content{Parts: []wire.Part{{Type: "text"}, {Type: "image_url"}}}, false},
	} {
		if got := c.content.Blank(); got != c.want {
			t.Errorf("%+v is blank: %v", c.content, got)
		}
	}
}

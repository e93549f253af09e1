package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// TestCallsFromPieces puts calls together from the pieces in which providers were seen to send
// them.
func TestCallsFromPieces(t *testing.T) {
	const whole = `a look {"at":1}`
	for _, c := range []struct {
		name   string
		pieces string // one a line
		want   string
	}{
		{"by index", `
			{"index":0,"id":"a","function":{"name":"look","arguments":""}}
			{"index":1,"id":"b","function":{"name":"look","arguments":""}}
			{"index":0,"function":{"arguments":"{\"at\""}}
			{"index":1,"function":{"arguments":"{}"}}
			{"index":0,"function":{"arguments":":1}"}}`, whole + "\nb look {}"},
		{"without an index, whole", `
			{"id":"a","function":{"name":"look","arguments":"{\"at\":1}"}}
			{"id":"b","function":{"name":"look","arguments":"{}"}}`, whole + "\nb look {}"},
		{"without an index, in pieces", `
			{"id":"a","function":{"name":"look","arguments":""}}
			{"function":{"arguments":"{\"at\""}}
			{"function":{"arguments":":1}"}}`, whole},
		{"all with the index 0", `
			{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\":1}"}}
			{"index":0,"id":"b","function":{"name":"look","arguments":"{}"}}`, whole + "\nb look {}"},
		{"with an absurd index, and with none below", `
			{"index":1000000,"id":"a","function":{"name":"look","arguments":"{\"at\":1}"}}
			{"index":-1,"id":"b","function":{"name":"look","arguments":"{}"}}`, whole + "\nb look {}"},
		{"id and name again, whole, empty and null", `
			{"index":0,"id":"a","function":{"name":"look","arguments":""}}
			{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\""}}
			{"index":0,"id":"","function":{"name":"","arguments":":"}}
			{"index":0,"id":null,"function":{"name":null,"arguments":"1}"}}`, whole},
		{"name in pieces", `
			{"index":0,"id":"a","function":{"name":"lo","arguments":""}}
			{"index":0,"function":{"name":"ok"}}
			{"index":0,"function":{"arguments":"{\"at\":1}"}}`, whole},
		{"name late", `
			{"index":0,"id":"a","function":{"arguments":"{\"at\""}}
			{"index":0,"function":{"name":"look","arguments":":1}"}}`, whole},
		{"arguments null and missing first", `
			{"index":0,"id":"a","function":{"name":"look","arguments":null}}
			{"index":0,"function":{}}
			{"index":0,"function":{"arguments":"{\"at\":1}"}}`, whole},
		{"arguments as an object", `{"index":0,"id":"a","function":{"name":"look","arguments":{ "at": 1 }}}`, whole},
		{"braces before the arguments", `
			{"index":0,"id":"a","function":{"name":"look","arguments":"{}"}}
			{"index":0,"function":{"arguments":"{\"at\":1}"}}`, whole},
		{"an empty piece after all", `
			{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\":1}"}}
			{"index":0,"id":"","function":{"arguments":""}}`, whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			var list callList
			a := neutral.Answer{}
			for line := range strings.Lines(strings.TrimSpace(c.pieces)) {
				var piece callDelta
				if err := json.Unmarshal([]byte(line), &piece); err != nil {
					t.Fatal(err)
				}
				a.Pieces = append(a.Pieces, list.add(piece))
			}
			var got []string
			for _, call := range a.Turn().Calls() {
				got = append(got, call.ID+" "+call.Name+" "+call.Arguments)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("the calls (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCallsWithoutIDs: each gets one of its own.
func TestCallsWithoutIDs(t *testing.T) {
	var list callList
	a := neutral.Answer{Pieces: []neutral.Piece{list.open(callDelta{}), list.open(callDelta{})}}
	a.Pieces = append(a.Pieces, list.missingIDs()...)
	calls := a.Turn().Calls()
	if calls[0].ID == "" || calls[0].ID == calls[1].ID {
		t.Errorf("the ids are %q and %q", calls[0].ID, calls[1].ID)
	}
}

// TestPlacesOfErrors: what a provider may say of a failure after the status 200, and what is none.
func TestPlacesOfErrors(t *testing.T) {
	for _, c := range []struct {
		data string
		want bool
	}{
		{`{"error":{"message":"it fell over"}}`, true},
		{`{"error":"it fell over"}`, true},
		{`{"code":"internal","error":"it fell over"}`, true},
		{`{"error":{"message":"it fell over"},"choices":[]}`, true},
		{`{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}`, true},
		{`{"choices":[{"index":0,"message":{"content":"It"},"error":{"message":"it fell over"}}]}`, true},
		{`{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, true},
		{`{"error":null,"choices":[{"index":0,"delta":{"content":"It"}}]}`, false},
		{`{"error":"","choices":[{"index":0,"delta":{"content":"It"}}]}`, false},
		{`{"choices":[{"index":0,"delta":{"content":"It"},"error":null}],"base_resp":{"status_code":0}}`, false},
		{`null`, false},
	} {
		var r reader
		if _, err := r.add([]byte(c.data)); (err != nil) != c.want {
			t.Errorf("%s: the error is %v, want one: %v", c.data, err, c.want)
		}
	}
}

// TestContent: a text, or a list with thinking in it, which goes back as such.
func TestContent(t *testing.T) {
	for _, c := range []struct{ data, back string }{
		{`"Hello"`, `"Hello"`},
		{`[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]`, `"Hello"`},
		{`[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}],"closed":true},{"type":"text","text":"Hello"}]`,
			`[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]},{"type":"text","text":"Hello"}]`},
		{`[{"type":"thinking","thinking":[{"type":"text","text":"<Hm>"}]}]`, `[{"type":"thinking","thinking":[{"type":"text","text":"<Hm>"}]}]`},
	} {
		pieces, err := Dialect{}.Read([]byte(`{"choices":[{"message":{"content":` + c.data + `},"finish_reason":"stop"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		answer := neutral.Answer{Pieces: pieces}
		echo := Dialect{}.Echo(protocol.Task{Profile: "mistral-reasoning"}, answer.Turn())
		body, err := Dialect{}.Write(&neutral.Request{Messages: echo})
		if want := `"content":` + c.back + `}]}`; err != nil || !strings.HasSuffix(strings.TrimSpace(string(body)), want) {
			t.Errorf("%s goes back in %s, %v, want %s", c.data, body, err, want)
		}
	}
}

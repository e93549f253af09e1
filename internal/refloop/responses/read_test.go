package responses

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// The items of an answer, as the API was seen to write them.
const (
	thinking = `{"id":"rs_1","type":"reasoning","content":[],"encrypted_content":"gAAAwhole","summary":[{"type":"summary_text","text":"Look "},{"type":"summary_text","text":"first."}]}`
	saying1  = `{"id":"msg_1","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hm."},{"type":"refusal","refusal":"No."}],"phase":"commentary","role":"assistant"}`
	looking  = `{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"at\": 9007199254740993}","call_id":"call_1","name":"look"}`
	searched = `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"x"}}`
)

// streamed are the events of an answer with these items.
var streamed = []string{
	`{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[]},"sequence_number":0}`,
	`{"type":"response.in_progress","response":{"id":"resp_1","status":"in_progress","output":[]},"sequence_number":1}`,
	`{"type":"response.output_item.added","item":{"id":"rs_1","type":"reasoning","content":[],"encrypted_content":"gAAA","summary":[]},"output_index":0,"sequence_number":2}`,
	`{"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"part":{"type":"summary_text","text":""},"summary_index":0}`,
	`{"type":"response.reasoning_summary_text.delta","delta":"Look ","item_id":"rs_1","obfuscation":"x","output_index":0,"summary_index":0}`,
	`{"type":"response.reasoning_summary_text.delta","delta":"first.","item_id":"rs_1","output_index":0,"summary_index":1}`,
	`{"type":"response.output_item.done","item":` + thinking + `,"output_index":0}`,
	`{"type":"response.output_item.added","item":{"id":"msg_x","type":"message","status":"in_progress","content":[],"phase":"commentary","role":"assistant"},"output_index":1}`,
	`{"type":"response.content_part.added","content_index":0,"item_id":"msg_y","output_index":1,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}}`,
	`{"type":"response.output_item.added","item":{"id":"fc_1","type":"function_call","status":"in_progress","arguments":"","call_id":"call_1","name":"look"},"output_index":2}`,
	`{"type":"response.output_text.delta","content_index":0,"delta":"Hm.","item_id":"msg_z","logprobs":[],"output_index":1}`,
	`{"type":"response.function_call_arguments.delta","delta":"{\"at\": 9007","item_id":"fc_1","output_index":2}`,
	`{"type":"response.output_text.done","content_index":0,"text":"Hm.","output_index":1}`,
	`{"type":"response.content_part.added","content_index":1,"output_index":1,"part":{"type":"refusal","refusal":""}}`,
	`{"type":"response.refusal.delta","content_index":1,"delta":"No.","output_index":1}`,
	`{"type":"response.output_item.done","item":` + saying1 + `,"output_index":1}`,
	`{"type":"acme:something","delta":{"at":1},"output_index":"x"}`,
	`null`,
	`{"type":"response.function_call_arguments.delta","delta":"199254740993}","item_id":"fc_1","output_index":2}`,
	`{"type":"response.function_call_arguments.done","arguments":"{\"at\": 9007199254740993}","item_id":"fc_1","output_index":2}`,
	`{"type":"response.output_item.done","item":` + looking + `,"output_index":2}`,
	`{"type":"response.output_item.done","item":` + looking + `,"output_index":2}`,
	`{"type":"response.output_item.added","item":{"id":"ws_1","type":"web_search_call","status":"in_progress"},"output_index":3}`,
	`{"type":"response.web_search_call.searching","item_id":"ws_1","output_index":3}`,
	`{"type":"response.output_item.done","item":` + searched + `,"output_index":3}`,
}

var completed = `{"id":"resp_1","status":"completed","error":null,"incomplete_details":null,"output":[` +
	strings.Join([]string{thinking, saying1, looking, searched}, ",") + `],"usage":{"input_tokens":10,"output_tokens":7}}`

// read reads the events of a stream.
func read(events ...string) (*neutral.Turn, error) {
	stream := Dialect{}.Stream()
	var all []neutral.Piece
	for _, e := range events {
		pieces, done, err := stream.Event("", []byte(e))
		all = append(all, pieces...)
		if done || err != nil {
			return (&neutral.Answer{Pieces: all}).Turn(), err
		}
	}
	pieces, err := stream.End()
	return (&neutral.Answer{Pieces: append(all, pieces...)}).Turn(), err
}

// back returns the input of a request after a turn.
func back(t *testing.T, turn *neutral.Turn) string {
	t.Helper()
	body, err := Dialect{}.Write(&neutral.Request{Messages: Dialect{}.Echo(protocol.Task{}, turn)})
	if err != nil {
		t.Fatal(err)
	}
	_, input, _ := strings.Cut(string(body), `"input":`)
	input, _, _ = strings.Cut(input, `,"store"`)
	return input
}

func TestItemsComeBack(t *testing.T) {
	whole, err := Dialect{}.Read([]byte(completed))
	if err != nil {
		t.Fatal(err)
	}
	inPieces, err := read(append(streamed, `{"type":"response.completed","response":`+completed+`}`)...)
	if err != nil {
		t.Fatal(err)
	}
	emptyEnd, err := read(append(streamed, `{"type":"response.completed","response":{"status":"completed","output":[]}}`)...)
	if err != nil {
		t.Fatal(err)
	}
	onlyEnd, err := read(`{"type":"response.completed","response":` + completed + `}`)
	if err != nil {
		t.Fatal(err)
	}
	var unannounced []string
	for _, e := range streamed {
		if !strings.Contains(e, ".added") {
			unannounced = append(unannounced, e)
		}
	}
	noAdded, err := read(append(unannounced, `{"type":"response.completed","response":`+completed+`}`)...)
	if err != nil {
		t.Fatal(err)
	}
	want := `[` + strings.Join([]string{thinking, saying1, looking, searched}, ",") + `]`
	for name, turn := range map[string]*neutral.Turn{
		"whole": (&neutral.Answer{Pieces: whole}).Turn(), "streamed": inPieces, "with an empty end": emptyEnd, "at the end alone": onlyEnd, "without added": noAdded,
	} {
		t.Run(name, func(t *testing.T) {
			if calls := turn.Calls(); len(calls) != 1 || calls[0].ID != "call_1" || calls[0].Name != "look" || calls[0].Arguments != `{"at": 9007199254740993}` {
				t.Fatalf("the calls are %+v", calls)
			}
			if turn.Text() != "Hm.No." || turn.Finish != neutral.Calls || turn.Word != "completed" {
				t.Errorf("the turn is %+v", turn)
			}
			if diff := cmp.Diff(sorted(want), sorted(back(t, turn))); diff != "" {
				t.Errorf("what goes back (-want +got):\n%s", diff)
			}
		})
	}
	if inPieces.ID != "resp_1" || inPieces.InputTokens != 10 || inPieces.OutputTokens != 7 {
		t.Errorf("the turn is %+v", inPieces)
	}
}

// sorted returns JSON with its keys in order.
func sorted(raw string) any {
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return err.Error()
	}
	return value
}

// TestChangesOfParts: what is changed of a part is changed in its item, and nothing else.
func TestChangesOfParts(t *testing.T) {
	turn, err := read(append(streamed, `{"type":"response.completed","response":`+completed+`}`)...)
	if err != nil {
		t.Fatal(err)
	}
	thought, said, call := turn.Parts[0].(*neutral.Reasoning), turn.Parts[1].(*neutral.Text), turn.Calls()[0]
	thought.Text, thought.Data, said.Text, call.ID, call.Arguments = "Hm.", "", "Aha.", "call_2", "{}"
	want := strings.NewReplacer(
		`[{"type":"summary_text","text":"Look "},{"type":"summary_text","text":"first."}]`, `[{"type":"summary_text","text":"Hm."}]`,
		`"encrypted_content":"gAAAwhole",`, ``, `"text":"Hm."`, `"text":"Aha."`, "call_1", "call_2", `{\"at\": 9007199254740993}`, "{}",
	).Replace(`[` + strings.Join([]string{thinking, saying1, looking, searched}, ",") + `]`)
	if diff := cmp.Diff(sorted(want), sorted(back(t, turn))); diff != "" {
		t.Errorf("what goes back (-want +got):\n%s", diff)
	}
}

// TestEnds: how answers end, and how a loop handles it.
func TestEnds(t *testing.T) {
	const text = `{"type":"response.output_text.delta","content_index":0,"delta":"Do","output_index":0}`
	for _, c := range []struct {
		name   string
		events []string
		finish neutral.Finish
		word   string
		err    error
		says   string
	}{
		{"completed", []string{text, `{"type":"response.completed","response":{"status":"completed"}}`, "[DONE]"}, neutral.Stop, "completed", nil, ""},
		{"too long", []string{text, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`}, neutral.Length, "max_output_tokens", nil, ""},
		{"filtered", []string{text, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}`}, neutral.Filter, "content_filter", nil, ""},
		{"for a new reason", []string{text, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"tired"}}}`}, neutral.Length, "tired", nil, ""},
		{"failed", []string{text, `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"It fell over."}}}`}, 0, "", neutral.ErrReported, "It fell over."},
		{"failed without a word", []string{`{"type":"response.failed","response":{"status":"failed","error":null}}`}, 0, "", neutral.ErrReported, "failed"},
		{"cancelled", []string{`{"type":"response.cancelled","response":{"status":"cancelled"}}`}, 0, "", neutral.ErrReported, "cancelled"},
		{"an error inside", []string{`{"type":"error","error":{"code":"x","message":"It fell over."},"sequence_number":2}`}, 0, "", neutral.ErrReported, "It fell over."},
		{"a flat error", []string{`{"type":"error","code":"x","message":"It fell over.","param":null}`}, 0, "", neutral.ErrReported, "It fell over."},
		{"an error of a gateway", []string{`{"error":{"message":"It fell over."}}`}, 0, "", neutral.ErrReported, "It fell over."},
		{"no end", []string{text}, 0, "", neutral.ErrBroken, ""},
		{"an end mark alone", []string{text, "[DONE]"}, 0, "", neutral.ErrBroken, ""},
		{"half a call", []string{`{"type":"response.output_item.done","item":{"type":"function_call","call_id":"a","name":"look","arguments":"{","status":"incomplete"},"output_index":0}`,
			`{"type":"response.completed","response":{"status":"completed"}}`}, 0, "", neutral.ErrBroken, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn, err := read(c.events...)
			if !errors.Is(err, c.err) || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error is %v, want %v with %q", err, c.err, c.says)
			}
			if err == nil && (turn.Finish != c.finish || turn.Word != c.word || turn.Said() != "Do") {
				t.Errorf("the turn is %+v", turn)
			}
		})
	}
}

// TestWholeEnds: a document says the same.
func TestWholeEnds(t *testing.T) {
	for document, want := range map[string]error{
		`{"status":"failed","error":{"code":"server_error","message":"It fell over."},"output":[]}`: neutral.ErrReported,
		`{"error":{"message":"It fell over."}}`:                                                     neutral.ErrReported,
		`{"status":"cancelled","output":[]}`:                                                        neutral.ErrReported,
		`{"status":"in_progress","output":[]}`:                                                      neutral.ErrBroken,
		`{"output":[{"type":"message"}]}`:                                                           nil,
		`{"output":[]}`:                                                                             neutral.ErrBroken,
		`{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`:   nil,
	} {
		if _, err := (Dialect{}).Read([]byte(document)); !errors.Is(err, want) {
			t.Errorf("%s: the error is %v, want %v", document, err, want)
		}
	}
}

func TestCallsWithoutIDs(t *testing.T) {
	call := `{"type":"function_call","call_id":"","name":"look","arguments":"{}"}`
	pieces, err := Dialect{}.Read([]byte(`{"status":"completed","output":[` + call + `,` + call + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	turn := (&neutral.Answer{Pieces: pieces}).Turn()
	calls := turn.Calls()
	if len(calls) != 2 || calls[0].ID == "" || calls[0].ID == calls[1].ID || !strings.Contains(back(t, turn), `"call_id":"`+calls[0].ID+`"`) {
		t.Errorf("the calls are %+v", calls)
	}
}

func TestInput(t *testing.T) {
	strict := map[string]bool{"look": true}
	body, err := Dialect{}.Write(&neutral.Request{
		Model: "m", System: "Be brief.", Stream: true, Settings: neutral.Settings{Strict: strict, Effort: "low"},
		Tools: []protocol.Tool{{Name: "look", Description: "Looks.", Parameters: []byte(`{"type":"object"}`)}, {Name: "see"}},
		Messages: []neutral.Message{
			neutral.Says(neutral.User, "Go <on>."),
			{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Text{Text: "Hm."}, &neutral.Text{Text: "No.", Refusal: true}, &neutral.Call{ID: "a", Name: "look", Arguments: "{"}}},
			{Role: neutral.Tool, Parts: []neutral.Part{
				&neutral.Result{CallID: "a", Text: ""}, &neutral.Result{CallID: "b", Image: &neutral.Image{MediaType: "image/png", Data: []byte("x")}}, &neutral.Text{Text: "Look!"},
			}},
			{Role: neutral.User, Parts: []neutral.Part{&neutral.Text{Text: "Here:"}, &neutral.Image{MediaType: "image/png", Data: []byte("x")}}},
			{Role: neutral.User},
		},
	})
	want := `{"model":"m","instructions":"Be brief.","input":[{"type":"message","role":"user","content":"Go <on>."},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hm."},{"type":"refusal","refusal":"No."}]},` +
		`{"arguments":"{","call_id":"a","name":"look","type":"function_call"},` +
		`{"type":"function_call_output","call_id":"a","output":""},` +
		`{"type":"function_call_output","call_id":"b","output":[{"type":"input_image","image_url":"data:image/png;base64,eA=="}]},` +
		`{"type":"message","role":"user","content":"Look!"},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Here:"},{"type":"input_image","image_url":"data:image/png;base64,eA=="}]},` +
		`{"type":"message","role":"user","content":""}],` +
		`"tools":[{"type":"function","name":"look","description":"Looks.","parameters":{"type":"object"},"strict":true},{"type":"function","name":"see","strict":false}],` +
		`"stream":true,"store":false,"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"}}` + "\n"
	if err != nil || string(body) != want {
		t.Errorf("the request (-want +got), %v:\n%s", err, cmp.Diff(want, string(body)))
	}
}

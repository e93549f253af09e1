package selfcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"google.golang.org/genai"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestEveryAnswerIsReadByGenAI: Google's Go SDK reads in every answer, whole and streamed, what it
// says, odd ones too.
func TestEveryAnswerIsReadByGenAI(t *testing.T) {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, s := range library {
		for _, p := range profiles.Of(gemini.Dialect, profiles.All()) {
			if !s.Plays(p) {
				continue
			}
			for n, turn := range scenarios.Compile(s, p, "selfcheck").Turns {
				if turn.Fails() || turn.Breaks() || turn.Step.InBandError != nil || slices.ContainsFunc(turn.Step.Quirks, isUnreadByGenAI) {
					continue
				}
				asked++
				want := said{text: turn.Answer.Text + turn.Answer.Refusal}
				for _, c := range turn.Answer.Calls {
					want.calls = append(want.calls, called{c.ID, c.Name, sorted(c.Arguments), c.Signature})
				}
				for kind, read := range map[string]func(*scenarios.Turn, *profiles.Profile) (said, error){"whole": readWhole, "streamed": readStream} {
					got, err := read(turn, p)
					if err != nil || got.text != want.text || !reflect.DeepEqual(got.calls, want.calls) {
						t.Errorf("%s@%s, answer %d, %s: %v\ngot  %+v\nwant %+v", s.ID, p.Name, n+1, kind, err, got, want)
					}
				}
			}
		}
	}
	if asked == 0 {
		t.Error("no answer was read")
	}
	t.Logf("%d answers, each whole and streamed", asked)
}

// isUnreadByGenAI reports whether a quirk is one that the SDK does not read: of those that the
// standard of event streams allows it looks for the line of an event by its first letters, and it
// takes every payload for an answer. White text is read, and is more than the answer says. No
// profile makes one of them a must in Gemini.
func isUnreadByGenAI(quirk string) bool {
	return slices.Contains([]string{
		"byte-order-mark", "data-empty", "data-lines", "named-events", "events-without-data", "line-ends-cr", "comments",
		"unknown-events", "payloads-no-object", "done-after-stop", "white-text-block",
	}, quirk)
}

// TestEveryAnswerHasKeysOfGenAI: regular answers of Gemini have no key that Google's Go SDK does
// not know.
func TestEveryAnswerHasKeysOfGenAI(t *testing.T) {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range library {
		for _, p := range profiles.Of(gemini.Dialect, profiles.All()) {
			if !s.Plays(p) {
				continue
			}
			for _, turn := range scenarios.Compile(s, p, "selfcheck").Turns {
				if turn.Fails() || len(turn.Step.Quirks) > 0 {
					continue
				}
				bodies := [][]byte{p.Shape.Write(turn.Answer, reply)}
				for _, e := range p.Shape.Stream(turn.Answer, reply) {
					bodies = append(bodies, e.Data)
				}
				for _, body := range bodies {
					d := json.NewDecoder(bytes.NewReader(body))
					d.DisallowUnknownFields()
					if err := d.Decode(new(response)); err != nil {
						t.Fatalf("%s@%s: %v in %s", s.ID, p.Name, err, body)
					}
				}
			}
		}
	}
}

// response is the SDK's type of that name, whose own way of decoding takes any keys.
type response struct {
	Candidates    []*genai.Candidate
	ModelVersion  string
	ResponseID    string
	CreateTime    time.Time
	UsageMetadata *genai.GenerateContentResponseUsageMetadata
}

// said is what the SDK reads in an answer.
type said struct {
	text  string
	calls []called
}

type called struct{ id, name, args, signature string }

func (s *said) add(r *genai.GenerateContentResponse) {
	if len(r.Candidates) == 0 || r.Candidates[0].Content == nil {
		return
	}
	for _, part := range r.Candidates[0].Content.Parts {
		if part.FunctionCall != nil {
			args, _ := json.Marshal(part.FunctionCall.Args)
			s.calls = append(s.calls, called{part.FunctionCall.ID, part.FunctionCall.Name, sorted(string(args)), wire.StandardBase64(base64Of(part.ThoughtSignature))})
		} else if !part.Thought {
			s.text += part.Text
		}
	}
}

// sorted writes JSON with its keys in order; no arguments are an object without any.
func sorted(text string) string {
	var v map[string]any
	if json.Unmarshal([]byte(text), &v) != nil || v == nil {
		return "{}"
	}
	data, _ := json.Marshal(v)
	return string(data)
}

func base64Of(data []byte) string {
	text, _ := json.Marshal(data)
	var s string
	json.Unmarshal(text, &s)
	return s
}

var reply = wire.Reply{ID: "selfcheck", Model: "loopproof", Created: created, Usage: true}

func readWhole(turn *scenarios.Turn, p *profiles.Profile) (got said, err error) {
	body := p.Shape.Write(turn.Answer, reply)
	for _, q := range turn.Quirks {
		if q.Whole != nil {
			body = q.Whole(body)
		}
	}
	client, err := clientOf(p, "application/json", body)
	if err != nil {
		return got, err
	}
	r, err := client.Models.GenerateContent(context.Background(), "m", genai.Text("Go."), nil)
	if err == nil {
		got.add(r)
	}
	return got, err
}

func readStream(turn *scenarios.Turn, p *profiles.Profile) (got said, err error) {
	events := append(p.Shape.Stream(turn.Answer, reply), p.Shape.End()...)
	framing := wire.Framing{}
	for _, q := range turn.Quirks {
		if q.Events != nil {
			events = q.Events(events)
		}
		if q.Framing != nil {
			q.Framing(&framing)
		}
	}
	body := bytes.Join(wire.Delivery("sse").FramedWrites(slices.Clone(events), framing), nil)
	client, err := clientOf(p, "text/event-stream", body)
	if err != nil {
		return got, err
	}
	for r, err := range client.Models.GenerateContentStream(context.Background(), "m", genai.Text("Go."), nil) {
		if err != nil {
			return got, err
		}
		got.add(r)
	}
	return got, nil
}

// clientOf returns a client of the API of a profile, which is always given one answer.
func clientOf(p *profiles.Profile, kind string, body []byte) (*genai.Client, error) {
	backend := genai.BackendGeminiAPI
	if p.Name == "vertex" {
		backend = genai.BackendVertexAI
	}
	return genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey: "any", Backend: backend, HTTPClient: &http.Client{Transport: answers{kind, body}},
		HTTPOptions: genai.HTTPOptions{BaseURL: "http://mock"},
	})
}

type answers struct {
	kind string
	body []byte
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {a.kind}}, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r,
	}, nil
}

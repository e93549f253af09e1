// Package raw is what faults and variations that are about the bytes of one dialect are made of:
// the JSON of a request on its way out, and that of an answer on its way in.
//
//	raw.Fault{
//		Name:   "egress/asks-for-two-answers",
//		Does:   "Two answers are asked for, and one is looked at.",
//		Breaks: []string{"egress/one-candidate"},
//		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("n", 2) }),
//	}
package raw

import (
	"bytes"
	"io"
	"net/http"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// Fault is one thing that loops do wrong with the bytes of a dialect. Its fields are those of a
// fault in package faults.
type Fault struct {
	Name, Does      string
	Reports, Breaks []string
	Profiles        []string
	Make            func() Mutation
}

// Variation is something that a correct loop does otherwise with the bytes of a dialect. Its fields
// are those of a variation in package faults.
type Variation struct {
	Name, Does        string
	Sources, Profiles []string
	Shoulds           []string
	Why               string
	With, Without     []protocol.Feature
	Make              func() Mutation
}

// Mutation holds the hooks by which it changes a loop. All may be nil.
type Mutation struct {
	Loop    func(*refloop.Loop)
	Request func(*Request)
	Answer  func(*Answer)
	Bytes   func([]byte) []byte // of a stream, before it is decoded
	Send    func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error)
	Around  func(protocol.Task, func(protocol.Task) protocol.Outcome) protocol.Outcome
}

// OnRequest changes the JSON of requests.
func OnRequest(change func(*Request)) func() Mutation {
	return func() Mutation { return Mutation{Request: change} }
}

// OnAnswer changes the JSON of answers.
func OnAnswer(change func(*Answer)) func() Mutation {
	return func() Mutation { return Mutation{Answer: change} }
}

// OnPrompts changes what the user said in a request: messages of the user in words, without images
// or results.
func OnPrompts(change func(r *Request, path, said string)) func() Mutation {
	return OnRequest(func(r *Request) {
		r.Each("user", func(path string, m gjson.Result) {
			switch said := m.Get("content"); {
			case said.Type == gjson.String:
				change(r, path, said.String())
			case len(said.Array()) == 1 && said.Get("0.type").String() == "text":
				change(r, path, said.Get("0.text").String())
			}
		})
	})
}

// OnStream changes the payloads of streamed answers.
func OnStream(change func(*Answer)) func() Mutation {
	return OnAnswer(func(a *Answer) {
		if a.Streamed {
			change(a)
		}
	})
}

// Chokes makes a loop that cannot read a stream with a payload of some kind; n is the number of the
// payload.
func Chokes(on func(n int, payload string) bool) func() Mutation {
	return OnStream(func(a *Answer) {
		for n, p := range a.Payloads {
			if on(n, p) {
				a.Payloads = []string{"undefined is not an object"}
				return
			}
		}
	})
}

// OnBytes changes the bytes of streams.
func OnBytes(change func([]byte) []byte) func() Mutation {
	return func() Mutation { return Mutation{Bytes: change} }
}

// OnSend changes how a request for the model is sent.
func OnSend(change func(*http.Request)) func() Mutation {
	return func() Mutation {
		return Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			change(req)
			return send(req)
		}}
	}
}

// ChangeBody changes the body of a request on its way out.
func ChangeBody(req *http.Request, change func(body string) string) {
	data, err := io.ReadAll(req.Body)
	changed := []byte(change(string(data)))
	req.Body, req.ContentLength, req.GetBody = Body(changed, err), int64(len(changed)), nil
}

// Headers returns a change that sets headers, of names and values in turn.
func Headers(pairs ...string) func(*http.Request) {
	return func(req *http.Request) {
		for i := 0; i < len(pairs); i += 2 {
			req.Header.Set(pairs[i], pairs[i+1])
		}
	}
}

// AsksFirst makes a loop that sends a request of its own before it asks the model.
func AsksFirst(what func(task protocol.Task) (*http.Request, error)) func() Mutation {
	return func() Mutation {
		var task protocol.Task
		asked := false
		return Mutation{
			Request: func(r *Request) { task = r.Task },
			Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				if first, err := what(task); err == nil && !asked {
					asked = true
					if resp, err := send(first.WithContext(req.Context())); err == nil {
						resp.Body.Close()
					}
				}
				return send(req)
			},
		}
	}
}

// Body is a body that was read already, with the error that its reading ended with.
func Body(data []byte, err error) io.ReadCloser {
	if err == nil {
		return io.NopCloser(bytes.NewReader(data))
	}
	return io.NopCloser(io.MultiReader(bytes.NewReader(data), failing{err}))
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

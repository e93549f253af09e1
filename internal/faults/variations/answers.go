package variations

import (
	"compress/gzip"
	"io"
	"net/http"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var answers = []hooks.Variation{
	{
		Name:    "answers/never-streamed",
		Does:    "Nothing is streamed, and it is not claimed.",
		Sources: []string{openaiAPI + " (stream is optional)", messagesAPI + " (stream is optional)"},
		Without: []protocol.Feature{protocol.Streaming},
		Make:    func() hooks.Mutation { return hooks.Mutation{} },
	},
	{
		Name:    "answers/read-to-the-end",
		Does:    "A stream is read until its connection ends, before any of it is looked at.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/provider-utils/src/parse-json-event-stream.ts (ignore the 'DONE' event that e.g. OpenAI sends)"},
		Unless:  neutral.WholeCalls, Elsewhere: "nothing but the end of the connection ends a stream.",
		Shoulds: []string{"stream/ends-at-done"},
		Why:     "Nearly every server closes a connection that it has no more to say on; where one does not, the answer comes when it does.",
		Make:    func() hooks.Mutation { return hooks.Mutation{Waits: true} },
	},
	{
		Name:     "answers/always-streamed",
		Does:     "Every answer is asked for as a stream, whatever the caller wants.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/anthropic.ts (stream: true)", "https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (\"stream\": True)"},
		Profiles: []string{"[!b]*", "bedrock-[!l]*"}, // but where no calls are streamed
		Make:     hooks.OnRequest(func(r *hooks.Request) { r.Stream = true }),
	},
	{
		Name:    "answers/asked-for-again-whole",
		Does:    "When a stream breaks off, the request is sent again, and not for a stream.",
		Sources: []string{"https://github.com/anthropics/claude-agent-sdk-typescript/issues/193", "https://github.com/anthropics/claude-code/issues/38569"},
		Make: func() hooks.Mutation {
			whole := false
			return hooks.Mutation{
				Request: func(r *hooks.Request) { r.Stream = r.Stream && !whole },
				Answer:  func(a *hooks.Answer) { whole = a.Streamed && a.BrokeOff() },
			}
		},
	},
	{
		Name:    "answers/unpacked-by-the-loop",
		Does:    "A request says which kinds of compression it takes, and the loop unpacks the answer itself.",
		Sources: []string{"https://www.python-httpx.org/quickstart/#binary-response-content (gzip and deflate)"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				req.Header.Set("Accept-Encoding", "gzip")
				resp, err := send(req)
				if err != nil || resp.Header.Get("Content-Encoding") != "gzip" {
					return resp, err
				}
				resp.Header.Del("Content-Encoding")
				packed := resp.Body
				unpacked, err := gzip.NewReader(packed)
				if err != nil {
					resp.Body = raw.Body(nil, err)
					return resp, nil
				}
				resp.Body = struct {
					io.Reader
					io.Closer
				}{unpacked, packed}
				return resp, nil
			}}
		},
	},
	{
		Name:      "answers/refusals-not-read",
		Does:      "The key refusal is not read, so that the answer counts as blank.",
		Sources:   []string{"https://github.com/0xPlaygrounds/rig/issues/2332 (a client that does not know the key)"},
		Shoulds:   []string{"outcome/refusal-told"},
		Why:       "The key is OpenAI's; most compatible servers refuse in the text.",
		Only:      neutral.Refusals,
		Elsewhere: "a refusal is a text, or a reason to stop.",
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			refusals := map[string]bool{}
			a.EachPiece(func(p *neutral.Piece) bool {
				if said, is := p.Part.(*neutral.Text); is && said.Refusal {
					refusals[p.At] = true
				}
				return p.At == "" || !refusals[p.At]
			})
		}),
	},
}

package engine

import (
	"bytes"
	"net/http"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// requestIDForm is how providers form the ids of requests: the part that is drawn stands in profiles
// as an example, so that files made of a profile are always the same.
type requestIDForm struct {
	header, example string
	drawn           profiles.Pattern
}

var requestIDForms = sync.OnceValue(func() []requestIDForm {
	const noUUID = "00000000-0000-0000-0000-000000000000"
	uuid := profiles.MustPattern("{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}")
	return []requestIDForm{
		{"x-request-id", "loopproof", profiles.MustPattern("{hex:32}")},
		{"request-id", "loopproof", profiles.MustPattern("{alnum:21}")},
		{"apim-request-id", noUUID, uuid},
		{"x-amzn-requestid", noUUID, uuid},
	}
})

// processingTime is the header in which OpenAI says how many milliseconds a request took it. Here
// they are drawn, so that the same requests get the same ones.
const processingTime = "openai-processing-ms"

var processingForm = sync.OnceValue(func() profiles.Pattern { return profiles.MustPattern("2{digits:2}") })

// withRequestID returns the response with an id of its own instead of the example of the profile: in
// the header and, where it is an error or its turn ends by one, in the bytes that repeat it. The n-th
// request of a run has the same id on every server with the same secret.
func (r *response) withRequestID(s *settings, t *scenarios.Turn) *response {
	for _, form := range requestIDForms() {
		example, has := r.headers[form.header]
		if !has || !strings.Contains(example, form.example) {
			continue
		}
		number := s.journal.NumberRequest()
		id := strings.Replace(example, form.example, form.drawn.Expand(s.chance("request", number), "", 0), 1)
		headers := map[string]string{form.header: id}
		if _, has := r.headers[processingTime]; has {
			headers[processingTime] = processingForm().Expand(s.chance("processing", number), "", 0)
		}
		own := r.with(headers)
		if t != nil && t.Step.InBandError != nil || r.status >= http.StatusBadRequest {
			own.body = bytes.ReplaceAll(r.body, []byte(example), []byte(id))
			if r.writes != nil {
				own.writes = wire.NewPieces(replaceAcross(r.writes.Split(), []byte(example), []byte(id))...)
			}
		}
		own.head = own.header() // for the journal and for the client
		return &own
	}
	return r
}

// replaceAcross replaces a text in pieces, also where it goes from one to the next. The last piece
// has what is more or less.
func replaceAcross(pieces [][]byte, text, by []byte) [][]byte {
	whole := bytes.Join(pieces, nil)
	if !bytes.Contains(whole, text) {
		return pieces
	}
	whole = bytes.ReplaceAll(whole, text, by)
	all := make([][]byte, len(pieces))
	for i, piece := range pieces {
		n := min(len(piece), len(whole))
		if i == len(pieces)-1 {
			n = len(whole)
		}
		all[i], whole = whole[:n], whole[n:]
	}
	return all
}

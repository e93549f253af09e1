package dialect

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/wire"
)

// OfResponse returns the dialect of a response, which is one of those that are known; if none is
// given, of the built-in ones.
func OfResponse(r *fixtures.Response, known ...*wire.Dialect) (*wire.Dialect, error) {
	if len(known) == 0 {
		known = Known()
	}
	for _, d := range known {
		if d.Name == r.Dialect {
			return d, nil
		}
	}
	return nil, fmt.Errorf("Loopproof-Dialect is %q, expected one of %s", r.Dialect, strings.Join(Names(known), ", "))
}

// AnswerOf returns what the model said in a response. The error says why it is not an answer of a
// model. The dialects are those of [OfResponse].
func AnswerOf(r *fixtures.Response, known ...*wire.Dialect) (*wire.Answer, error) {
	if r.Status != http.StatusOK {
		return nil, fmt.Errorf("its status is %d", r.Status)
	}
	d, err := OfResponse(r, known...)
	if err != nil {
		return nil, err
	}
	return d.ReadAnswer(r.Body(), r.Streamed())
}

package dialect_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
)

func TestAnswerOf(t *testing.T) {
	r := &fixtures.Response{Dialect: dialect.All()[0].Name, Status: 200, Headers: http.Header{"Content-Type": {"text/event-stream"}}, Writes: [][]byte{
		[]byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"con"),
		[]byte("tent\":\"Grüße\"}}]}\r\n\r\n"),
	}}
	a, err := dialect.AnswerOf(r)
	if err != nil || a.Text != "Grüße" {
		t.Errorf("the answer is %+v (%v), want the text Grüße", a, err)
	}
	r.Status = 503
	if _, err := dialect.AnswerOf(r); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("an answer with the status 503 is taken: %v", err)
	}
	r.Status, r.Dialect = 200, "nothing"
	if _, err := dialect.AnswerOf(r); err == nil || !strings.Contains(err.Error(), `Loopproof-Dialect is "nothing", expected one of`) {
		t.Errorf("an answer in no dialect is taken: %v", err)
	}
}

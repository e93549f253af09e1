package engine_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// A client that puts its key into the path is told that there is no such path, and the key is in no
// journal.
func TestAKeyInThePathIsNotTold(t *testing.T) {
	const key = "sk-proj-0123456789abcdef0"
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	do(t, http.MethodPost, srv.URL+"/v1/"+key, "{}")
	do(t, http.MethodGet, srv.URL+"/v1/embeddings?a="+key, "")
	do(t, http.MethodPost, srv.URL+"/v1/chat/completions?a="+key, hello)
	for _, e := range srv.Journal().Entries() {
		told, err := json.Marshal(e.Summary())
		if err != nil || bytes.Contains(told, []byte(key)) || strings.Contains(string(e.Answer.Body()), key) {
			t.Errorf("it is told in %s, or in the answer %s: %v", told, e.Answer.Body(), err)
		}
	}
	if n := srv.Journal().Count(); n != 3 {
		t.Errorf("%d requests are in the journal", n)
	}
}

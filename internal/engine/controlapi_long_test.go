package engine_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// A body that is too long is called that, and not JSON that breaks off.
func TestALongBodyForTheControlAPIIsCalledLong(t *testing.T) {
	p := engine.New(engine.Config{})
	for size, want := range map[int]string{4<<20 + 1: "the body has more than 4 MB", 4 << 20: "breaks off"} {
		w := httptest.NewRecorder()
		body := `{"scripts":["` + strings.Repeat("x", size)
		p.ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/loopproof/runs", strings.NewReader(body[:size])))
		if w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d bytes are answered by %d %.200s, want %q", size, w.Code, w.Body, want)
		}
	}
}

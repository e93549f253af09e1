package engine_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

// TestUnroutedInTheFormOfTheirAPI: a path that leads nowhere is answered in the form of the API to
// which it belongs.
func TestUnroutedInTheFormOfTheirAPI(t *testing.T) {
	var played []*profiles.Profile
	for _, name := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		p, err := profiles.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		played = append(played, p)
	}
	srv := start(t, engine.Config{Profile: played[0], ExtraProfiles: played[1:]})
	for path, want := range map[string]string{
		"/v1/messages":                     `{"type":"error","error":{`,
		"/v1/responses":                    `"param":null,"code":null}}`,
		"/v1beta/models/gemini-3-pro:fool": `"status":"NOT_FOUND"`,
		"/v1/nothing":                      `"param":null,"code":null}}`,
		"/nothing":                         `"param":null,"code":null}}`,
	} {
		response, err := http.Get(srv.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if !strings.Contains(string(body), want) {
			t.Errorf("%s is answered by %s, want %s in it", path, body, want)
		}
	}
}

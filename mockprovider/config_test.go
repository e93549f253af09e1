package mockprovider

import (
	"net/http"
	"testing"

	"github.com/loopproof/loopproof/internal/copytest"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// TestConfigIsCopied: each field of Config reaches the engine.
func TestConfigIsCopied(t *testing.T) {
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	slow, err := ParseBehaviour("slow.yaml", "first-token: 1s")
	if err != nil {
		t.Fatal(err)
	}
	c := Config{
		Profile: openai, ExtraProfiles: []*profiles.Profile{openai}, Scenarios: scenarios.All()[:1],
		Behaviour: slow, Fallback: http.NewServeMux(),
	}
	copytest.Fill(t, &c)
	copytest.Check(t, c, c.engine())
}

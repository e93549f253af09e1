package mockprovider

import (
	"net/http"
	"testing"

	"github.com/loopproof/loopproof/internal/copytest"
)

// TestConfigIsCopied: each field of Config reaches the engine.
func TestConfigIsCopied(t *testing.T) {
	c := Config{Fallback: http.NewServeMux()}
	copytest.Fill(t, &c)
	copytest.Check(t, c, c.engine())
}

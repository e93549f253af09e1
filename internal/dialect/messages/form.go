package messages

import (
	_ "embed"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed request.yaml
var requestFile []byte

// Form returns what a request looks like.
var Form = form.Lazy("internal/dialect/messages/request.yaml", requestFile, map[string]func(*wire.Node) string{"outcome": outcome})

// outcome says whether a tool failed, by its result.
func outcome(result *wire.Node) string {
	if result.Get("is_error").True() {
		return "failed"
	}
	return ""
}

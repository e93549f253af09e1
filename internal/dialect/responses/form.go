package responses

import (
	_ "embed"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed request.yaml
var requestFile []byte

// Form returns what a request looks like.
var Form = form.Lazy("internal/dialect/responses/request.yaml", requestFile, map[string]func(*wire.Node) string{"item": TypeOf})

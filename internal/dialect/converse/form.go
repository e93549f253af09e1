package converse

import (
	_ "embed"

	"github.com/loopproof/loopproof/internal/form"
)

//go:embed request.yaml
var requestFile []byte

// Form returns what a request looks like.
var Form = form.Lazy("internal/dialect/converse/request.yaml", requestFile, nil)

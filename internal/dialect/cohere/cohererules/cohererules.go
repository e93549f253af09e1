// Package cohererules holds the rules that are about the dialect cohere-chat alone.
package cohererules

import (
	"github.com/loopproof/loopproof/internal/dialect/cohere"
	"github.com/loopproof/loopproof/internal/rules"
)

// Rules are the rules of this dialect.
var Rules = rules.Only(cohere.API, rules.FromForm(cohere.Form, nil))

// Package geminirules holds the rules that are about the dialect gemini alone, in files named after
// their areas.
package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Rules returns the rules of this dialect, area by area.
func Rules() []rules.Rule {
	return rules.Only(gemini.API, slices.Concat(geminiPairing, formRules(), geminiContents, geminiRequest, geminiSchemas, geminiConfig, geminiModel, geminiSigned, geminiAnswers, geminiEndings, geminiRetries))
}

// at returns a finding at a key of a node.
func at(n *wire.Node, key, message, expected string, vars map[string]string) trace.Finding {
	found, pointer := n, n.Pointer()
	if key != "" {
		found, pointer = n.Get(key), pointer+"/"+key
	}
	return trace.Finding{Pointer: pointer, Message: message, Expected: expected, Actual: rules.Show(found), Vars: vars}
}

func isGiven(n *wire.Node) bool { return n != nil && !n.Is(wire.Null) }

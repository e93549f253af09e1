package stream_test

import (
	"testing"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/rules/stream"
)

func TestRules(t *testing.T) {
	CheckRules(t, stream.Rules, byteCases, callCases, coreCases)
}

package mcp_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/mcp"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, mcp.Rules, fileCases, linkCases, listCases)
}

package responsesrules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/responses/responsesrules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, responsesrules.Rules, responsesItemsCases, responsesRequestCases, responsesOptionsCases, responsesModelCases, responsesFailedCases, historyKeptCases, historyItemsCases, commentaryCases, approvalsCases, customCases, reasoningPartsCases, egressDeferredCases)
}

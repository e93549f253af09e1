package responsesrules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/dialect/responses/responsesrules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, WithoutForm(responsesrules.Rules(), responses.Form()), responsesItemsCases, responsesRequestCases, responsesModelCases, responsesIncompleteCases, responsesFailedCases, historyKeptCases, historyItemsCases, commentaryCases, approvalsCases, customCases, reasoningPartsCases, egressDeferredCases)
}

package chatrules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/chat/chatrules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, WithoutForm(chatrules.Rules(), chat.Form()), egressMessageCases, egressDoorCases, egressModelCases, egressToolCases, reasoningCases)
}

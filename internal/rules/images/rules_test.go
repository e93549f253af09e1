package images_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/images"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, images.Rules, coreCases)
}

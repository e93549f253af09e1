package messagesrules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/wire"
)

// formRules returns the rules about the form of a request, which request.yaml of package messages
// describes.
func formRules() []rules.Rule {
	all := rules.FromForm(messages.Form(), takes)
	for i := range all {
		if strings.HasPrefix(all[i].ID, "reasoning/") {
			all[i].Needs = reasoning.Reasons
		}
	}
	return all
}

// takes reports whether a breach is a signature that is missing where the provider signs nothing.
func takes(p *profiles.Profile, b *wire.Breach) bool {
	return b.Rule == "reasoning/signature-present" && b.Key == "signature" && p.Traits.UnsignedBlocks
}

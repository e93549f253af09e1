package responsesrules

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/wire"
)

// formRules returns the rules of the area egress about the form of a request, which request.yaml of
// package responses describes.
func formRules() []rules.Rule {
	return rules.FromForm(responses.Form(), takes)
}

// takes reports whether a breach is a key of an item that the provider itself writes: an item goes
// back as it came. Only a message may leave its type out.
func takes(p *profiles.Profile, b *wire.Breach) bool {
	shape, is := p.Shape.(*responses.Shape)
	return is && b.Rule == "egress/item-keys" && slices.Contains(shape.ItemKeys(cmp.Or(b.Word, "message")), b.Key)
}

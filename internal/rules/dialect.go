package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/wire"
)

// The dialects of rules that are about one alone.
var (
	onlyChat      = chat.API
	onlyMessages  = messages.API
	onlyResponses = responses.API
	onlyGemini    = gemini.API
)

// What dialects of some rules have in common.
var (
	textArguments     = func(d *wire.Dialect) bool { return d.Request.Arguments == wire.String }
	flaglessResults   = func(d *wire.Dialect) bool { return !d.Request.FailureFlag }
	withBlocks        = func(d *wire.Dialect) bool { return d.Speech.Blocks }
	withoutBlocks     = func(d *wire.Dialect) bool { return !d.Speech.Blocks }
	plainReasoning    = func(d *wire.Dialect) bool { return !d.Speech.ReasonsInBlocks }
	resultsFollow     = func(d *wire.Dialect) bool { return !d.Request.ResultsAnywhere }
	reasoningGoesBack = func(d *wire.Dialect) bool { return !d.Speech.ThoughtsAlone }
	signsCalls        = func(d *wire.Dialect) bool { return d.Speech.SignedCalls }
	keepsHistory      = func(d *wire.Dialect) bool { return d.KeptHistory != nil }
	indexedBlocks     = func(d *wire.Dialect) bool { return d.VisibleBlocks == nil }
	imagesInResults   = func(d *wire.Dialect) bool { return d.Request.ImagesInResults }
	noImagesInResults = func(d *wire.Dialect) bool { return !d.Request.ImagesInResults }
	imageTypes        = func(d *wire.Dialect) bool { return len(d.Request.ImageTypes) > 0 }
)

// In reports whether the rule is about a dialect. One about quirks is about the dialects whose answers can have them.
func (r *Rule) In(d *wire.Dialect) bool {
	switch {
	case r.Dialect != nil:
		return r.Dialect == d
	case r.Where != nil:
		return r.Where(d)
	case len(r.Quirks) > 0 && r.Run == nil:
		return slices.ContainsFunc(r.Quirks, func(name string) bool { _, known := d.Quirk(name); return known })
	default:
		return true
	}
}

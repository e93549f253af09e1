package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Traits of dialects, for Rule.Where.
var (
	TextArguments     = func(d *wire.Dialect) bool { return d.Request.Arguments == wire.String }
	OfOpenAI          = func(d *wire.Dialect) bool { return d.Endpoint.Env == "OPENAI" }   // the SDKs that speak it are OpenAI's
	HeaderWaits       = func(d *wire.Dialect) bool { return d.Errors.RetryDetails == nil } // else the details of an error say how long to wait
	FlaglessResults   = func(d *wire.Dialect) bool { return !d.Request.FailureFlag }
	WithBlocks        = func(d *wire.Dialect) bool { return d.Abilities&wire.OwnBlocks != 0 }
	WithoutBlocks     = func(d *wire.Dialect) bool { return d.Abilities&wire.OwnBlocks == 0 }
	WithCallIDs       = func(d *wire.Dialect) bool { return !d.Request.CallsByName }
	PlainReasoning    = func(d *wire.Dialect) bool { return !d.Reasoning.InBlocks }
	ResultsFollow     = func(d *wire.Dialect) bool { return !d.Request.ResultsAnywhere }
	SignsCalls        = func(d *wire.Dialect) bool { return d.Abilities&wire.SignedCalls != 0 }
	Seals             = func(d *wire.Dialect) bool { return d.Abilities&(wire.SealedReasoning|wire.SignedCalls) != 0 }
	ReasoningGoesBack = func(d *wire.Dialect) bool { return !d.Reasoning.ThoughtsAlone }
	EncryptsReasoning = func(d *wire.Dialect) bool { return ReasoningGoesBack(d) && !d.Reasoning.SignedAlone }
	BindsReasoning    = func(d *wire.Dialect) bool { return OfOpenAI(d) && ReasoningGoesBack(d) } // a provider was seen to refuse encrypted reasoning of another model
	KeepsHistory      = func(d *wire.Dialect) bool { return d.KeptHistory != nil }
	IndexedBlocks     = func(d *wire.Dialect) bool { return d.Reasoning.Visible == nil }
	ImagesInResults   = func(d *wire.Dialect) bool { return d.Images.InResults }
	NoImagesInResults = func(d *wire.Dialect) bool { return !d.Images.InResults }
	NoEmptyToolList   = func(d *wire.Dialect) bool { return !d.Request.ToolsMayBeEmpty }
	ContentNeeded     = func(d *wire.Dialect) bool { return !d.Request.ContentOptional }
	ModelInBody       = func(d *wire.Dialect) bool { return !d.Request.ModelInURL }
	JSONSchemas       = func(d *wire.Dialect) bool { return !d.Request.OpenAPISchemas }
	ImageTypes        = func(d *wire.Dialect) bool { return len(d.Images.Types) > 0 }
)

// In reports whether the rule is about a dialect. One about quirks is about the dialects whose
// answers can have them.
func (r *Rule) In(d *wire.Dialect) bool {
	switch {
	case r.Dialect != nil:
		return r.Dialect == d || slices.Contains(r.Also, d)
	case r.Where != nil:
		return r.Where(d)
	case r.ComparesQuirks():
		return slices.ContainsFunc(r.Quirks, func(q Quirk) bool { _, known := d.Quirk(q.Name); return known })
	default:
		return true
	}
}

// Only returns rules as rules about one dialect alone.
func Only(d *wire.Dialect, all []Rule) []Rule {
	for i := range all {
		all[i].Dialect = d
	}
	return all
}

package profiles

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// Profile is one provider's flavour of a dialect. The yaml tags are the keys of its file; its name
// is the name of the file. It has more than twenty fields because the file has as many keys at its
// top, which is easier to write than groups.
type Profile struct {
	Format int    `yaml:"loopproof"` // version of the file format: 1
	Name   string `yaml:"-"`
	Title  string `yaml:"title"` // the provider's name, as people write it

	// Like is the profile that this one is built upon: all that this file does not say is as it is
	// there. Mappings are read into each other; lists and templates, and the words of a status,
	// take the place of those of the other.
	Like string `yaml:"like"`

	// Draft says that the profile is served and played where it is named, and not yet proved to be
	// complete. Those of a dialect that is a draft are drafts.
	Draft bool `yaml:"draft"`

	Dialect string `yaml:"dialect"` // the wire API that the provider speaks

	// Door is the cloud's door to the wire API behind which the provider is, such as vertex; "": it
	// has the API in its own form.
	Door string `yaml:"door"`

	About string `yaml:"about"` // what distinguishes the provider, in a sentence or two

	// Provider is the name of the provider in traces: the value of gen_ai.provider.name in the
	// conventions of OpenTelemetry, where they list one. "" is the name of the profile.
	Provider string `yaml:"provider"`

	// Executed is the provider's own code that was run: its name and version. Claims that are known
	// by executed rest on it where they name no other version.
	Executed string `yaml:"executed"`

	// Docs are the pages that describe the provider's API.
	Docs []string `yaml:"docs"`

	// Seen is the day on which the sources of this file were last looked up, such as 2026-11-28,
	// but for claims that have a day of their own.
	Seen string `yaml:"seen"`

	CompletionID Pattern `yaml:"completion-id"` // the form of the ids of answers
	CallID       Pattern `yaml:"call-id"`       // the form of the ids of tool calls

	// Forms say how it is known in which form the provider writes.
	Forms Forms `yaml:"forms"`

	// Headers go with every response, answers and errors.
	Headers map[string]string `yaml:"headers"`

	// Sockets says that clients may ask over a WebSocket, where the dialect has one.
	Sockets bool `yaml:"sockets"`

	// WholeAnswers says that no calls are streamed, so that nothing is played in streams.
	WholeAnswers bool `yaml:"whole-answers"`

	// SealedBy is who makes the models, where what they seal is read at other providers of the same
	// models, too.
	SealedBy string `yaml:"sealed-by"`

	// NotBoundBy are keys of a request to which no answer is held, n and tool_choice, with how that
	// is known: the provider ignores them, does part of what they ask for, or names them nowhere in
	// its reference.
	NotBoundBy map[string]Proof `yaml:"not-bound-by"`

	// ModelName is what the provider calls the model that answered, when that differs from the one
	// asked for.
	ModelName string `yaml:"model-name"`

	Shape     wire.Shape `yaml:"shape"`     // how the provider writes answers of its dialect
	Reasoning Reasoning  `yaml:"reasoning"` // what the provider wants back of the model's reasoning
	Accepts   Accepts    `yaml:"accepts"`   // the keys and words that the provider takes in requests
	Images    Images     `yaml:"images"`    // where the provider takes images
	Errors    Errors     `yaml:"errors"`    // how the provider words its errors

	// ContradictsOthers are rules by which the provider requires the opposite of what others
	// require. They are musts only for loops that name this profile in their claims: a loop that
	// does not know its provider cannot obey both.
	ContradictsOthers []string `yaml:"contradicts-others"`

	// Quirks are the ways in which the provider was seen to depart from the shape above, sometimes
	// or by some models.
	Quirks []Shown `yaml:"quirks"`

	// QuirksOnly says that the profile is only played in scenarios that ask for one of its quirks:
	// it stands for whatever is between a loop and a provider, and is like that provider in all
	// else.
	QuirksOnly bool `yaml:"quirks-only"`

	// ByNameOnly says that the profile is only played in scenarios that name it: it is like another
	// one but for what those are about.
	ByNameOnly bool `yaml:"by-name-only"`

	// Models are the beginnings of the names of those models that the profile is about, where it is
	// like another one but for them: a saved request to such a model is judged under this profile
	// in place of that one.
	Models []string `yaml:"models"`

	// Refuses lists what the provider answers with an error, in the order in which it looks.
	Refuses []Refusal `yaml:"refuses"`

	// AlsoRefuses are put after what the profile that this one is built upon refuses, or instead of
	// an entry of the same rule.
	AlsoRefuses []Refusal `yaml:"also-refuses"`

	// Status gives what the profile that this one is built upon refuses other statuses, as in {400:
	// 422}.
	Status map[int]int `yaml:"status"`

	// Takes are rules whose violation the provider takes, although the profile that this one is
	// built upon may refuse it. A must is a should here. Violations that it refuses all the same
	// stand under refuses or also-refuses, with only.
	Takes []string `yaml:"takes"`

	// Through is the door, or nil.
	Through *wire.Door `yaml:"-"`

	// Speaks is the dialect, Traits are what answers in the shape can show, and Abilities are what of
	// those of the dialect the provider has.
	Speaks    *wire.Dialect  `yaml:"-"`
	Traits    wire.Traits    `yaml:"-"`
	Abilities wire.Abilities `yaml:"-"`

	doc *strictyaml.Document
}

// OfTheSameMaker reports whether two providers have the models of one maker, so that each reads what
// these have sealed at the other.
func (p *Profile) OfTheSameMaker(other *Profile) bool {
	return p.SealedBy != "" && p.SealedBy == other.SealedBy
}

// DoorOf returns the door at which a request came, by its path or else since the provider has only
// that one; nil: none.
func (p *Profile) DoorOf(req *wire.Request) *wire.Door { return cmp.Or(req.Door, p.Through) }

// Frames returns how streams of the provider are framed.
func (p *Profile) Frames() *wire.Framer { return p.Speaks.FramesAt(p.Through) }

// Deliveries returns the deliveries of the provider's answers.
func (p *Profile) Deliveries() []wire.Delivery {
	return slices.DeleteFunc(p.Speaks.DeliveriesAt(p.Through), func(d wire.Delivery) bool {
		return d == wire.DeliverSocket && !p.Sockets || d.Streams() && p.WholeAnswers
	})
}

// abilities returns what can be said in the dialect, the shape and the images of the profile.
func (p *Profile) abilities() wire.Abilities {
	can := p.Traits.Abilities(p.Speaks.Abilities)
	if !p.QuirksOnly {
		can &^= p.Speaks.OfGateways
	}
	if len(p.Images.In) == 0 {
		can &^= wire.ImageResults
	}
	return can
}

// Accepted returns what the provider takes in place of the words or keys of the dialect's
// reference, by the name that forms of requests have for them; none: those of the reference.
func (p *Profile) Accepted(list string) []string {
	switch list {
	case "assistant":
		return p.Accepts.Assistant
	case "tool":
		return p.Accepts.Tool
	case "call":
		return p.Accepts.Call
	case "parts":
		return p.Accepts.Parts
	case "tool-choices":
		return p.Accepts.ToolChoices
	case "formats":
		return p.Accepts.Formats
	case "reasoning":
		return p.reasoningKeys()
	default:
		return nil
	}
}

// reasoningKeys are the keys of reasoning in a message that are left to the rules about reasoning:
// none where the provider has no reasoning, and only its own where it refuses the others.
func (p *Profile) reasoningKeys() []string {
	switch {
	case p.Reasoning.Resend == ResendNone:
		return nil
	case len(p.Reasoning.Takes) > 0:
		return p.Reasoning.Takes
	default:
		return []string{"reasoning_content", "reasoning", "reasoning_details"}
	}
}

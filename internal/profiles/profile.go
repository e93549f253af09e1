package profiles

import (
	"cmp"
	"slices"
	"time"

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
	About   string `yaml:"about"`   // what distinguishes the provider, in a sentence or two

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

	// Speaks is the dialect, Traits are what answers in the shape can show, and Abilities are what of
	// those of the dialect the provider has.
	Speaks    *wire.Dialect  `yaml:"-"`
	Traits    wire.Traits    `yaml:"-"`
	Abilities wire.Abilities `yaml:"-"`

	doc *strictyaml.Document
}

// Forms say how it is known in which form a provider writes: its answers, with their ids and as
// streams, and its errors, with the headers that go with them.
type Forms struct {
	Answers Proof `yaml:"answers"`
	Errors  Proof `yaml:"errors"`
}

// Proof says how something about a provider is known, and where it is.
type Proof struct {
	KnownBy KnownBy  `yaml:"known-by"` // how it is known
	Version string   `yaml:"version"`  // of the code that was executed
	Sources []string `yaml:"sources"`  // where that can be looked up: URLs, repositories or files
	Seen    string   `yaml:"seen"`     // the day on which the sources were last looked up; "": that of the file
}

// Stale reports whether the sources were last looked up more than a year before a day, or nobody
// noted when.
func (p Proof) Stale(today time.Time) bool {
	seen, err := time.Parse(time.DateOnly, p.Seen)
	return err != nil || seen.Before(today.AddDate(-1, 0, 0))
}

// How returns how it is known, with the version of the code that was executed: "executed: vLLM
// 0.33.0".
func (p Proof) How() string {
	if p.KnownBy == Executed && p.Version != "" {
		return "executed: " + p.Version
	}
	return string(p.KnownBy)
}

// Reasoning is what a provider wants a loop to do with the model's reasoning.
type Reasoning struct {
	// Resend says on which turns the reasoning has to come back.
	Resend Resend `yaml:"resend"`

	// Always is what the model reasons where a scenario does not say so, for providers whose models
	// always think.
	Always string `yaml:"always"`

	// Takes are the keys under which the provider takes reasoning back, where it does not take it
	// under all of them.
	Takes []string `yaml:"takes"`

	// Reads are the keys under which the provider reads reasoning that comes back, where it reads
	// it under fewer than it takes: reasoning under others is silently lost.
	Reads []string `yaml:"reads"`

	// CurrentPromptOnly says that only the turns after the last prompt have to bring their
	// reasoning back.
	CurrentPromptOnly bool `yaml:"current-prompt-only"`

	// EvenIfEmpty says that the field has to come back on those turns although the model reasoned
	// with "".
	EvenIfEmpty bool `yaml:"even-if-empty"`

	Proof `yaml:",inline"`
}

// Resend is a policy for the model's reasoning in later requests. Providers demand opposite things.
type Resend string

// The policies. Optional is for providers that take reasoning back and accept its absence; None for
// those that never show any. ToolTurns wants back that of the turns that called tools, AllTurns
// that of answers too.
const (
	ResendNone      Resend = "none"
	ResendNever     Resend = "never"
	ResendOptional  Resend = "optional"
	ResendToolTurns Resend = "tool-turns"
	ResendAllTurns  Resend = "all-turns"
)

// OnToolTurns reports whether the reasoning of turns with tool calls has to come back.
func (r Resend) OnToolTurns() bool { return r == ResendToolTurns || r == ResendAllTurns }

// Accepts lists the keys that a provider takes in the messages of a request. Without a list those
// of OpenAI's reference are taken.
type Accepts struct {
	Assistant []string `yaml:"assistant"`
	Tool      []string `yaml:"tool"`
	Call      []string `yaml:"call"`

	// Roles are the roles that the provider knows.
	Roles []string `yaml:"roles"`

	// Request are the keys of a request, Parts the types of parts in a content, and ToolChoices the
	// words of tool_choice, where "an object" stands for a named tool.
	Request     []string `yaml:"request"`
	RequestAlso []string `yaml:"request-also"` // keys of a request besides those of the reference
	Parts       []string `yaml:"parts"`
	ToolChoices []string `yaml:"tool-choices"`

	// Formats are the types of the format that an answer may have.
	Formats []string `yaml:"formats"`

	// UntypedTools says that a tool of a request may lack its type, which is function.
	UntypedTools bool `yaml:"untyped-tools"`

	// ImageTexts says that image_url may be the URL itself, and not only an object with a url.
	ImageTexts bool `yaml:"image-texts"`

	// ImageSchemes are the schemes, besides http and https, of URLs of images that the provider
	// keeps, such as ms.
	ImageSchemes []string `yaml:"image-schemes"`

	// Names are those that the provider itself gives to the messages of its model, where they are
	// not of the usual form.
	Names []string `yaml:"names"`

	// Thinking are the types of thinking that a request may ask for, where the provider does not
	// take all of them.
	Thinking []string `yaml:"thinking"`

	// SystemMessages says that in the dialect messages, where the system prompt is separate,
	// messages of the role system may be in the middle of a conversation.
	SystemMessages bool `yaml:"system-messages"`

	// CallID is the form of the ids that the provider takes, as a regular expression. None means
	// any.
	CallID Form `yaml:"call-id"`

	// CallIDEnd is by how many characters at its end the provider tells an id from others; 0: by
	// all of it.
	CallIDEnd int `yaml:"call-id-end"`

	// Prefill are the keys of a request or of its last message by which an answer may be begun for
	// the model. Without a list those are prefix and partial.
	Prefill []string `yaml:"prefill"`
}

// Errors is how a provider words its errors.
type Errors struct {
	// Envelope is the body of an error response. Its places are message, type, param, code, status
	// and details.
	Envelope wire.Template `yaml:"envelope"`

	// Envelopes are the bodies of errors of some statuses, where they have a form of their own.
	Envelopes map[int]wire.Template `yaml:"envelopes"`

	// Headers go with every error response.
	Headers map[string]string `yaml:"headers"`

	// InBand is the payload of an error that comes after the status 200, in a stream or as a whole
	// body.
	InBand wire.Template `yaml:"in-band"`

	// NotJSON is what the provider answers to a body that is not JSON.
	NotJSON NotJSON `yaml:"not-json"`

	// Words are the provider's words for each status that a scenario may ask for.
	Words map[int]Words `yaml:"words"`

	// Form are the provider's words for what breaks the form of requests, by the keyword of the
	// dialect's request.yaml that is broken and perhaps by what else is known of it: the first that
	// fits. They are those of refusals that have no words of their own.
	Form []Otherwise `yaml:"form"`
}

// NotJSON is the error about a body that is not JSON. Its words may name the {problem}, as the
// provider does, the {line}, the {column} and the {offset} in characters, from 0.
type NotJSON struct {
	Status int `yaml:"status"`
	Words  `yaml:",inline"`

	// Problems are the provider's words for what is wrong, by its kind: trailing-comma,
	// single-quotes, comment and so on. Other is the word for all that are not listed.
	Problems map[string]string `yaml:"problems"`

	// Takes are kinds of what is not JSON that the provider reads all the same.
	Takes []string `yaml:"takes"`

	// OurWords says that the provider refuses it, but that its words for it were not found out:
	// these are ours.
	OurWords bool `yaml:"our-words"`

	Proof `yaml:",inline"`
}

// Refusal says that a provider answers a violation of a rule with an error.
type Refusal struct {
	Rule   string `yaml:"rule"`
	Status int    `yaml:"status"`
	Words  `yaml:",inline"`

	// Only limits the refusal to some violations. The provider takes the others.
	Only Violations `yaml:"only"`

	// Instead are other words, and perhaps another status, for some of the violations.
	Instead []Otherwise `yaml:"instead"`

	// InSequence says that the provider looks at what it was sent before, too: the violation shows
	// in no request alone, so that the rule judges it, and the mock does not refuse it.
	InSequence bool `yaml:"in-sequence"`

	// Until is the version up to which the provider refused it. Such an entry is documented, and
	// has no effect.
	Until string `yaml:"until"`

	// OurWords says that the provider refuses it, but that its words for it were not found out:
	// these are ours.
	OurWords bool `yaml:"our-words"`

	Proof `yaml:",inline"`

	// Place is where the entry is in its file, for errors about it.
	Place string `yaml:"-"`

	usual []Otherwise // the words about forms, if it has none of its own
}

// Otherwise are the words for violations that are described by these values, such as an index or
// what was found.
type Otherwise struct {
	When   map[string]string `yaml:"when"`
	Status int               `yaml:"status"` // 0: that of the refusal
	Words  `yaml:",inline"`
}

// Refuses reports whether the provider refuses a violation that is described by some values.
func (r *Refusal) Refuses(violation map[string]string) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(r.Only, func(of violations) bool { return of.hold(violation) })
}

// StatusOf returns the status of the error for a violation that is described by some values.
func (r *Refusal) StatusOf(violation map[string]string) int {
	if other := r.otherwise(violation); other != nil && other.Status != 0 {
		return other.Status
	}
	return r.Status
}

// WordsOf returns the provider's words for a violation that is described by some values.
func (r *Refusal) WordsOf(violation map[string]string) Words {
	if other := r.otherwise(violation); other != nil {
		return other.Words.Fill(violation)
	}
	return r.Words.Fill(violation)
}

// Usual returns the entries of the provider's words about forms that the refusal may have, if it
// has no words of its own: those for some keywords.
func (r *Refusal) Usual(keywords []string) (all []Otherwise) {
	for _, other := range r.usual {
		if slices.Contains(keywords, other.When["breaks"]) {
			all = append(all, other)
		}
	}
	return all
}

// Answers returns the words that a violation may get with their status, each once: those of the
// refusal, and those about forms for the keywords that its rule is about.
func (r *Refusal) Answers(keywords []string) (all []Otherwise) {
	given := slices.Concat([]Otherwise{{Words: r.Words}}, r.Instead, r.Usual(keywords))
	for _, answer := range given {
		answer.Status = cmp.Or(answer.Status, r.Status)
		isSame := func(o Otherwise) bool { return o.Status == answer.Status && o.Message == answer.Message }
		if answer.Message != "" && !slices.ContainsFunc(all, isSame) {
			all = append(all, answer)
		}
	}
	return all
}

// otherwise returns the other words for a violation: of the refusal or, if it has none of its own,
// of its provider for what breaks a form. It returns nil if there are none.
func (r *Refusal) otherwise(violation map[string]string) *Otherwise {
	for _, list := range [][]Otherwise{r.Instead, r.usual} {
		for i := range list {
			if list[i].fits(violation) {
				return &list[i]
			}
		}
	}
	return nil
}

func (o *Otherwise) fits(violation map[string]string) bool {
	for name, value := range o.When {
		if violation[name] != value {
			return false
		}
	}
	return true
}

// Shown says that a provider was seen to show a quirk.
type Shown struct {
	Name string `yaml:"~key"`

	// Always says that the shape of the profile has it already: there is nothing to add where a
	// scenario asks for it, and nothing to leave out.
	Always bool `yaml:"always"`

	// Until is the version or the time up to which the provider was seen to show the quirk, where
	// it no longer does: such an entry makes no rule a must.
	Until string `yaml:"until"`

	// Unseen says that the provider's reference allows the quirk, and that none of its answers was
	// seen to show it. Such an entry makes no rule a must either.
	Unseen bool `yaml:"unseen"`

	Proof `yaml:",inline"`
}

// KnownBy says how a claim about a provider is known.
type KnownBy string

// How claims are known, the strongest first. Unnamed is text found in public code whose repository
// is not known: it never makes a rule a must.
const (
	Executed   KnownBy = "executed"   // the provider's own code was run, in a version that is named
	Documented KnownBy = "documented" // by the provider, or its server's source
	Recorded   KnownBy = "recorded"   // real traffic in a public repository
	Measured   KnownBy = "measured"   // a published, dated test of the live service
	Reported   KnownBy = "reported"   // the error text is in a public issue or pull request
	Unnamed    KnownBy = "unnamed"
)

// Strong reports whether the claim has a source that can be named.
func (k KnownBy) Strong() bool { return k != Unnamed && k != "" }

// Sure reports whether the provider is known to show the quirk today, and not only from reports of
// its users.
func (s Shown) Sure() bool {
	return s.Until == "" && !s.Unseen && slices.Contains([]KnownBy{Executed, Documented, Recorded, Measured}, s.KnownBy)
}

// Quirk returns the entry of a quirk, and false when the provider was not seen to show it.
func (p *Profile) Quirk(name string) (Shown, bool) {
	i := slices.IndexFunc(p.Quirks, func(s Shown) bool { return s.Name == name })
	if i < 0 {
		return Shown{}, false
	}
	return p.Quirks[i], true
}

// abilities returns what can be said in the dialect, the shape and the images of the profile.
func (p *Profile) abilities() wire.Abilities {
	can := p.Traits.Abilities(p.Speaks.Abilities)
	if len(p.Images.In) == 0 {
		can &^= wire.ImageResults
	}
	return can
}

// AlwaysShows reports whether the provider cannot do without one of some quirks.
func (p *Profile) AlwaysShows(quirks []string) bool {
	return slices.ContainsFunc(p.Quirks, func(s Shown) bool { return s.Always && slices.Contains(quirks, s.Name) })
}

// Refusal returns the entry by which the provider refuses a violation of the rule, and false when
// it does not.
func (p *Profile) Refusal(rule string) (Refusal, bool) {
	for i := range p.Refuses { // by index: an entry is large, and each rule asks for its own in each run
		if r := &p.Refuses[i]; r.Rule == rule && r.Until == "" {
			return *r, true
		}
	}
	return Refusal{}, false
}

// RefusesViolation reports whether the provider refuses a violation of the rule that is described
// by some values.
func (p *Profile) RefusesViolation(rule string, violation map[string]string) bool {
	r, ok := p.Refusal(rule)
	return ok && r.Refuses(violation)
}

// Error returns the body of an error response.
func (p *Profile) Error(status int, w Words) []byte {
	w = p.coded(status, w)
	if envelope, ok := p.Errors.Envelopes[status]; ok {
		return envelope.JSON(w.values(status))
	}
	return p.Errors.Envelope.JSON(w.values(status))
}

// InBandError returns the payload of an error that comes after the status 200.
func (p *Profile) InBandError(status int, w Words) []byte {
	return p.Errors.InBand.JSON(p.coded(status, w).values(status))
}

// coded returns words with the code that the dialect has for a status, where they have none
// themselves.
func (p *Profile) coded(status int, w Words) Words {
	if w.Code == nil && p.Speaks.Errors.Code != nil {
		code := p.Speaks.Errors.Code(status)
		w.Code = &code
	}
	return w
}

// WordsFor returns the provider's words for a status, or plain ones when the profile has none.
func (p *Profile) WordsFor(status int) Words {
	if w, ok := p.Errors.Words[status]; ok {
		return w
	}
	kind := "server_error"
	if status < 500 {
		kind = "invalid_request_error"
	}
	return Words{Message: "The request failed.", Type: &kind}
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

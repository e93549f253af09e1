package profiles

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// checker collects what is wrong in a profile beyond its shape.
type checker struct {
	p    *Profile
	errs []error
}

func (p *Profile) check() error {
	c := &checker{p: p}
	c.expect(p.Format == 1, "/loopproof", "this is not a file of format 1: it needs the line `loopproof: 1`")
	c.expect(p.Title != "", "/title", "a profile needs a title")
	c.expect(!p.CompletionID.Empty(), "", "a profile needs completion-id, the pattern of the ids of its answers")
	c.expect(!p.CallID.Empty(), "", "a profile needs call-id, the pattern of the ids of its tool calls")
	if p.Door != "" && p.Through == nil {
		var doors []string
		for _, d := range p.Speaks.Doors {
			doors = append(doors, d.Name)
		}
		c.word("/door", "door of the dialect "+p.Dialect, p.Door, doors)
	}
	p.Shape.Check(shapeChecker{c})
	c.reasoning()
	c.images()
	c.errors()
	c.headers("/headers", p.Headers)
	c.headers("/errors/headers", p.Errors.Headers)
	c.proof("/forms/answers", c.p.Forms.Answers)
	c.proof("/forms/errors", c.p.Forms.Errors)
	for _, shown := range p.Quirks {
		c.quirk("/quirks/"+shown.Name, shown)
	}
	c.expect(len(p.AlsoRefuses) == 0 || p.Like != "", "/also-refuses", "also-refuses is for a profile that is `like` another one: write refuses")
	for _, key := range slices.Sorted(maps.Keys(p.NotBoundBy)) {
		at, proof := "/not-bound-by/"+key, p.NotBoundBy[key]
		c.word(at, "key of a request", key, []string{"n", "tool_choice"})
		c.known(at, proof)
		c.expect(len(proof.Sources) > 0, at, "that no answer is held to %s needs a source", key)
	}
	c.sources()
	c.alsoRefuses()
	rules := map[string]bool{}
	for _, r := range p.Refuses {
		c.refusal(r.Place, r)
		c.expect(!rules[r.Rule], r.Place, "the rule %s is refused twice", r.Rule)
		rules[r.Rule] = true
	}
	return errors.Join(c.errs...)
}

// alsoRefuses reports refusals of which another one takes the place, and those of what the profile
// takes. One with `only` is of some violations, and the profile may take the others.
func (c *checker) alsoRefuses() {
	seen := map[string]bool{}
	for i, r := range c.p.AlsoRefuses {
		at := fmt.Sprintf("/also-refuses/%d", i)
		c.expect(!seen[r.Rule], at, "the rule %s is refused twice", r.Rule)
		c.expect(len(r.Only) > 0 || !slices.Contains(c.p.Takes, r.Rule), at, "%s is under takes, too: a profile takes it or refuses it, or with `only` refuses some of it", r.Rule)
		seen[r.Rule] = true
	}
}

// checkStatuses reports other statuses for refusals that the profile did not inherit.
func (p *Profile) checkStatuses(refusedWith []int) error {
	c := &checker{p: p}
	for _, status := range slices.Sorted(maps.Keys(p.Status)) {
		at, to := fmt.Sprintf("/status/%d", status), p.Status[status]
		c.expect(isRefusal(to), at, "a refusal has a status from 400 to 599, not %d", to)
		c.expect(len(refusedWith) > 0, at, "status is for a profile that is `like` another one, which refuses something")
		c.expect(len(refusedWith) == 0 || slices.Contains(refusedWith, status), at, "%s refuses nothing with %d; it refuses with %s", p.Like, status, numbers(refusedWith))
	}
	return errors.Join(c.errs...)
}

func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

func (c *checker) expect(ok bool, at, format string, args ...any) {
	if !ok {
		c.errs = append(c.errs, c.p.doc.Errorf(at, format, args...))
	}
}

// word reports a word that is not one of the known ones.
func (c *checker) word(at, kind, word string, known []string) {
	c.expect(slices.Contains(known, word), at, "unknown %s %q%s; it is one of %s", kind, word, suggest.Hint(word, known), strings.Join(known, ", "))
}

// template reports a template that is not there although it is needed, and places that nothing
// fills.
func (c *checker) template(at string, t wire.Template, needed bool, known []string) {
	if t.Empty() {
		parent, key := at[:strings.LastIndexByte(at, '/')], at[strings.LastIndexByte(at, '/')+1:]
		c.expect(!needed, parent, "a profile needs the template %s", key)
		return
	}
	for _, place := range t.Places() {
		c.expect(slices.Contains(known, place), at, "unknown place $%s%s; the places here are $%s", place, suggest.Hint(place, known), strings.Join(known, ", $"))
	}
}

// shapeChecker is the checker for what is within the key shape.
type shapeChecker struct{ *checker }

func (c shapeChecker) Expect(ok bool, at, format string, args ...any) {
	c.expect(ok, "/shape"+at, format, args...)
}

func (c shapeChecker) Word(at, kind, word string, known []string) {
	c.word("/shape"+at, kind, word, known)
}

func (c shapeChecker) Template(at string, t wire.Template, needed bool, known []string) {
	c.template("/shape"+at, t, needed, known)
}

func (c *checker) reasoning() {
	r := c.p.Reasoning
	c.word("/reasoning/resend", "policy", string(r.Resend), wire.Words(policies))
	if r.Resend == ResendNone || !slices.Contains(policies, r.Resend) {
		return
	}
	c.knownBy("/reasoning", r.KnownBy)
	c.expect(len(r.Sources) > 0, "/reasoning", "what a provider wants of reasoning needs a source")
	c.expect(c.p.Traits.Reasoning, "/reasoning/resend", "a provider that shows no reasoning cannot want it back: its shape says nothing of reasoning")
}

func (c *checker) errors() {
	c.template("/errors/envelope", c.p.Errors.Envelope, true, errorPlaces)
	c.template("/errors/in-band", c.p.Errors.InBand, true, errorPlaces)
	for _, status := range slices.Sorted(maps.Keys(c.p.Errors.Envelopes)) {
		at := fmt.Sprintf("/errors/envelopes/%d", status)
		c.expect(status >= 300 && status <= 599, at, "an error has a status from 300 to 599, not %d", status)
		c.template(at, c.p.Errors.Envelopes[status], false, errorPlaces)
	}
	if n := c.p.Errors.NotJSON; n.Status != 0 {
		c.expect(n.Status >= 400 && n.Status <= 499, "/errors/not-json/status", "a body that is not JSON is refused with a status from 400 to 499, not %d", n.Status)
		c.expect(n.Message != "", "/errors/not-json", "an error needs a message")
		c.knownBy("/errors/not-json", n.KnownBy)
		c.proof("/errors/not-json", n.Proof)
	}
	if said := c.p.Errors.TooLong; said.Status != 0 || said.Message != "" {
		c.expect(said.Status == 0 || said.Status >= 400 && said.Status <= 499, "/errors/too-long/status", "a request that is too long is refused with a status from 400 to 499, not %d", said.Status)
		c.expect(said.Message != "", "/errors/too-long", "an error needs a message")
		for _, name := range said.Variables() {
			c.word("/errors/too-long/message", "variable", name, []string{"limit", "tokens"})
		}
		c.proof("/errors/too-long", said.Proof)
	}
	for i, words := range c.p.Errors.Form {
		at := fmt.Sprintf("/errors/form/%d", i)
		c.expect(words.When["breaks"] != "", at, "words about forms need the keyword that is broken, as in `when: {breaks: required}`")
		c.expect(words.Message != "", at, "an error needs a message")
		c.expect(words.Status == 0, at+"/status", "words about forms have the status of the refusal")
	}
	for _, status := range slices.Sorted(maps.Keys(c.p.Errors.Words)) {
		words, at := c.p.Errors.Words[status], fmt.Sprintf("/errors/words/%d", status)
		c.expect(status >= 300 && status <= 599, at, "an error has a status from 300 to 599, not %d", status)
		c.expect(words.Message != "", at, "an error needs a message")
	}
}

// headerName is what HTTP allows as the name of a header. Others would be left out of a response
// without a word.
var headerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") })

func (c *checker) headers(at string, headers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		c.expect(headerName().MatchString(name), at+"/"+name, "%q is no name of a header", name)
	}
}

func (c *checker) proof(at string, p Proof) {
	if p.KnownBy == "" && len(p.Sources) == 0 {
		return
	}
	c.known(at, p)
	c.expect(len(p.Sources) > 0 || !p.KnownBy.Strong(), at, "a form that is %s needs a source", p.KnownBy)
}

// knownBy reports the word for how something is known where it is missing, or is none.
func (c *checker) knownBy(at string, k KnownBy) {
	if k == "" {
		c.expect(false, at, "how it is known is missing: `known-by` is one of %s", strings.Join(wire.Words(proofs), ", "))
		return
	}
	c.word(at+"/known-by", "proof", string(k), wire.Words(proofs))
}

// known reports what is wrong with how something is known.
func (c *checker) known(at string, p Proof) {
	c.knownBy(at, p.KnownBy)
	c.expect(p.KnownBy != Executed || p.Version != "", at, "what is known by executed needs the code that was run, as in `version: vLLM 0.33.0`, here or, as `executed`, at the top of the file")
	_, err := time.Parse(time.DateOnly, p.Seen)
	c.expect(p.Seen == "" || err == nil, at+"/seen", "the day on which the sources were last looked up is written as in 2026-11-28, not %q", p.Seen)
	c.expect(p.KnownBy == Executed || p.Version == "", at+"/version", "a version is for what is known by executed, not by %s", p.KnownBy)
}

func (c *checker) quirk(at string, shown Shown) {
	_, here := c.p.Speaks.Quirk(shown.Name)
	_, anywhere := QuirkNamed([]*Profile{c.p}, shown.Name)
	switch {
	case here:
	case anywhere:
		c.expect(false, at, "answers of the dialect %s cannot have the quirk %s, which is one of another dialect; `loopproof explain %s` says what it does", c.p.Dialect, shown.Name, shown.Name)
	default:
		var known []string
		for _, q := range c.p.Speaks.AllQuirks() {
			known = append(known, q.Name)
		}
		c.expect(false, at, "unknown quirk %q%s; `loopproof list quirks` shows all", shown.Name, suggest.Hint(shown.Name, known))
	}
	c.knownBy(at, shown.KnownBy)
	c.expect(!shown.Always || shown.Until == "", at+"/until", "the quirk %s is always shown, or was until %s", shown.Name, shown.Until)
	c.expect(!shown.Unseen || !shown.Always && shown.Until == "", at+"/unseen", "the quirk %s was seen, or was not", shown.Name)
	c.expect(len(shown.Sources) > 0, at, "the quirk %s names no source", shown.Name)
}

func (c *checker) refusal(at string, r Refusal) {
	c.expect(r.Rule != "", at, "a refusal needs the rule whose violation is refused")
	c.expect(r.Message != "" || len(c.p.Errors.Form) > 0, at, "the refusal of %s needs a message; those of errors/form are for profiles that have some", r.Rule)
	c.expect(r.Status != 0, at, "the refusal of %s needs a status, as in `status: 400`", r.Rule)
	c.expect(isRefusal(r.Status) || r.Status == 0 || c.isOurs(r), at+"/status", "a refusal has a status from 400 to 599, not %d", r.Status)
	c.known(at, r.Proof)
	c.expect(len(r.Sources) > 0 || !r.KnownBy.Strong(), at, "the refusal of %s names no source", r.Rule)
	c.selectors(at, r)
	for i, other := range r.Instead {
		here := fmt.Sprintf("%s/instead/%d", at, i)
		c.expect(len(other.When) > 0, here, "other words need when: the values of the violations that they are for")
		c.expect(other.Message != "", here, "other words need a message")
		c.expect(isRefusal(other.Status) || other.Status == 0 || c.isOurs(r), here+"/status", "a refusal has a status from 400 to 599, not %d", other.Status)
	}
}

// inherited is the place of refusals that the profile has from the one that it is like.
const inherited = "/like"

func isRefusal(status int) bool { return status >= 400 && status <= 599 }

// isOurs reports whether the key status of the profile gave an inherited refusal its status: what is wrong with that is
// reported once, and not at each refusal.
func (c *checker) isOurs(r Refusal) bool { return r.Place == inherited && len(c.p.Status) > 0 }

var (
	policies = []Resend{ResendNone, ResendNever, ResendOptional, ResendToolTurns, ResendAllTurns}
	proofs   = []KnownBy{Executed, Documented, Recorded, Measured, Reported, Unnamed}
)

// Errorf returns an error at a place of the profile's file: "/refuses/2/rule".
func (p *Profile) Errorf(at, format string, args ...any) error {
	if p.doc == nil {
		return fmt.Errorf("profile %s, %s: %w", p.Name, at, fmt.Errorf(format, args...))
	}
	return p.doc.Errorf(at, format, args...)
}

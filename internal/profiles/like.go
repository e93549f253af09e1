package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// loader reads profiles, each after the one that it is like.
type loader struct {
	files map[string]*sourceFile // by the name of the profile
	names []string               // of the files, in their order
	read  map[string]*Profile    // what is finished, and what was known before

	dialects []*wire.Dialect // that a profile can be of
}

// sourceFile is a file that is parsed when it is first needed.
type sourceFile struct {
	file  string
	parse func() (*strictyaml.Document, error) // nil once the profile was read
}

func newLoader(known []*Profile, more ...*wire.Dialect) *loader {
	l := &loader{files: map[string]*sourceFile{}, read: map[string]*Profile{}, dialects: slices.Concat(dialect.Known(), more)}
	for _, p := range known {
		l.read[p.Name] = p
	}
	return l
}

// add notes a file, which is read when it is first needed. A second file of the same name is an
// error, and so is the name of a profile that is there already.
func (l *loader) add(file string, read func() ([]byte, error)) error {
	return l.note(file, func() (*strictyaml.Document, error) {
		data, err := read()
		if err != nil {
			return nil, err
		}
		return strictyaml.Parse(file, data)
	})
}

// note notes a file by what parses it.
func (l *loader) note(file string, parse func() (*strictyaml.Document, error)) error {
	name := nameOf(file)
	first, twice := l.files[name]
	switch {
	case twice:
		return &strictyaml.Error{File: file, Message: "two profiles with one name: " + name + " is also in " + first.file + "; rename one of the files"}
	case l.read[name] != nil:
		return &strictyaml.Error{File: file, Message: "two profiles with one name: " + name + " is one of Loopproof's own; rename the file"}
	}
	l.files[name] = &sourceFile{file, sync.OnceValues(parse)}
	l.names = append(l.names, name)
	return nil
}

// parseAll parses all files, several at a time.
func (l *loader) parseAll() {
	var parsing sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(l.names))
	for first := range workers {
		parsing.Go(func() {
			for i := first; i < len(l.names); i += workers {
				if f := l.files[l.names[i]]; f.parse != nil {
					f.parse()
				}
			}
		})
	}
	parsing.Wait()
}

// profile reads the profile of a name, and first the one that it is built upon.
func (l *loader) profile(name string) (*Profile, error) {
	if p := l.read[name]; p != nil {
		return p, nil
	}
	doc, err := l.files[name].parse()
	if err != nil {
		return nil, err
	}
	p := &Profile{}
	var refusedWith []int // the statuses of what the other one refuses
	if like := l.like(name); like != "" {
		base, err := l.base(name, like)
		if err != nil {
			return nil, doc.Errorf("/like", "%v", err)
		}
		p = base.forDerived()
		if cmp.Or(doc.Text("provider"), name) != cmp.Or(base.Provider, base.Name) {
			p.Errors.NotJSON = NotJSON{} // each provider has a reader of its own
			p.Errors.TooLong = TooLong{} // and counts tokens in its own words
			p.Headers = nil              // and servers with headers of their own
		}
		refusedWith = p.statuses()
	}
	if err := l.speak(p, doc); err != nil {
		return nil, err
	}
	otherDialect := p.otherDialect(doc)
	unread := doc.Into(p)
	p.Name, p.doc, p.Traits, p.Through = name, doc, p.Shape.Traits(), p.Speaks.Door(p.Door)
	p.Draft = p.Draft || p.Speaks.Draft
	p.Abilities = p.abilities()
	p.changeStatuses()
	p.addRefusals()
	p.wordRefusals()
	p.nameVersions()
	if err := doc.With(unread, p.checkStatuses(refusedWith), p.check()); err != nil {
		return nil, errors.Join(otherDialect, err)
	}
	p.showWhatStandardsAllow()
	l.read[name] = p
	l.files[name].parse = nil // what it read is no longer needed
	return p, nil
}

// speak gives a profile the dialect that its file names, or else that of the profile which it is
// built upon.
func (l *loader) speak(p *Profile, doc *strictyaml.Document) error {
	name := cmp.Or(doc.Text("dialect"), p.Dialect)
	for _, d := range l.dialects {
		if d.Name != name {
			continue
		}
		if p.Speaks != d {
			p.Speaks, p.Shape = d, d.NewShape()
		}
		return nil
	}
	if name == "" {
		if err := doc.Into(&Profile{}); err != nil {
			return err // such as a wrong key
		}
		return doc.Errorf("", "a profile is `like` another one, as in `like: openai`, or says all by itself: dialect, completion-id, call-id, errors, reasoning and shape")
	}
	known := dialect.Names(l.dialects)
	return doc.Errorf("/dialect", "unknown dialect %q%s; it is one of %s", name, suggest.Hint(name, known), strings.Join(known, ", "))
}

// otherDialect says that a profile, as it was inherited, speaks another dialect than its file says:
// then it has no shape.
func (p *Profile) otherDialect(doc *strictyaml.Document) error {
	own := doc.Text("dialect")
	if own == "" || p.Dialect == "" || own == p.Dialect {
		return nil
	}
	return doc.Errorf("/dialect", "the profile that this one is `like` speaks %s, not %s, and of its shape nothing is inherited; be like one that speaks %s, such as %s",
		p.Dialect, own, own, p.Speaks.Standard)
}

// like returns the profile that the file of a profile says that it is built upon, or "".
func (l *loader) like(name string) string {
	f := l.files[name]
	if f == nil {
		return ""
	}
	if p := l.read[name]; p != nil {
		return p.Like
	}
	doc, err := f.parse()
	if err != nil {
		return ""
	}
	return doc.Text("like")
}

// base returns the profile that another one is built upon.
func (l *loader) base(derived, name string) (*Profile, error) {
	chain := []string{derived}
	for next := name; next != ""; next = l.like(next) {
		chain = append(chain, next)
		if slices.Contains(chain[:len(chain)-1], next) {
			return nil, fmt.Errorf("a circle of profiles: %s", strings.Join(chain, " is like "))
		}
	}
	if _, mine := l.files[name]; !mine && l.read[name] == nil {
		names := slices.Concat(slices.Sorted(maps.Keys(l.read)), l.names)
		return nil, fmt.Errorf("there is no profile %q%s; the profiles are %s", name, suggest.Hint(name, names), strings.Join(names, ", "))
	}
	p, err := l.profile(name)
	if err != nil {
		return nil, fmt.Errorf("the profile %s is not right itself", name)
	}
	return p, nil
}

// forDerived returns a profile that has all of this one but what each profile says of itself.
func (p *Profile) forDerived() *Profile {
	h := *p
	h.Shape = p.Shape.Clone()
	h.Format, h.Title, h.About, h.Like, h.Provider = 0, "", "", "", ""
	h.Status = nil // the refusals have it already
	h.Models = nil
	h.AlsoRefuses, h.Takes, h.Quirks, h.QuirksOnly, h.ByNameOnly, h.Sockets, h.WholeAnswers, h.Images = nil, nil, nil, false, false, false, false, Images{} // what was seen of one provider was not seen of another
	h.Forms.Answers.Version, h.Forms.Errors.Version = "", ""                                                                                                // a derived profile may know its forms otherwise
	h.Refuses = slices.Clone(p.Refuses)
	for i := range h.Refuses {
		h.Refuses[i].Place = inherited
	}
	return &h
}

// addRefusals puts what the profile refuses besides after what it refuses anyway, without what it
// takes. One of a rule that is refused already takes that one's place.
func (p *Profile) addRefusals() {
	p.Refuses = slices.DeleteFunc(p.Refuses, func(r Refusal) bool {
		partly := r.Place != inherited && len(r.Only) > 0
		return !partly && slices.Contains(p.Takes, r.Rule)
	})
	for i := range p.Refuses {
		if p.Refuses[i].Place == "" {
			p.Refuses[i].Place = fmt.Sprintf("/refuses/%d", i)
		}
	}
	for i, r := range p.AlsoRefuses {
		r.Place = fmt.Sprintf("/also-refuses/%d", i)
		at := slices.IndexFunc(p.Refuses, func(known Refusal) bool { return known.Rule == r.Rule })
		if at < 0 {
			p.Refuses = append(p.Refuses, r)
			continue
		}
		p.Refuses[at] = r
	}
}

// wordRefusals gives the refusals that have no words of their own those about forms, for the
// keywords that their rules are about, and words that name no type that of their status.
func (p *Profile) wordRefusals() {
	for i := range p.Refuses {
		r := &p.Refuses[i]
		if r.Message == "" && p.Speaks.Form != nil {
			keywords := p.Speaks.Form().Breaks(r.Rule)
			r.usual = slices.DeleteFunc(slices.Clone(p.Errors.Form), func(o Otherwise) bool { return !slices.Contains(keywords, o.When["breaks"]) })
		}
		if r.Place == inherited {
			continue // it has the types of the profile from which it is
		}
		r.Type = cmp.Or(r.Type, p.Errors.Words[r.Status].Type)
		for k := range r.Instead {
			o := &r.Instead[k]
			o.Type = cmp.Or(o.Type, p.Errors.Words[cmp.Or(o.Status, r.Status)].Type)
		}
	}
}

// changeStatuses gives inherited refusals the statuses that the profile has for them.
func (p *Profile) changeStatuses() {
	for i := range p.Refuses {
		r := &p.Refuses[i]
		if r.Place != inherited || len(p.Status) == 0 {
			continue
		}
		r.Status = changed(p.Status, r.Status)
		r.Instead = slices.Clone(r.Instead)
		for k := range r.Instead {
			r.Instead[k].Status = changed(p.Status, r.Instead[k].Status)
		}
	}
}

func changed(to map[int]int, status int) int {
	if other, ok := to[status]; ok {
		return other
	}
	return status
}

// statuses returns those with which a profile refuses anything.
func (p *Profile) statuses() []int {
	all := map[int]bool{}
	for _, r := range p.Refuses {
		all[r.Status] = true
		for _, other := range r.Instead {
			all[other.Status] = other.Status != 0 || all[0]
		}
	}
	delete(all, 0)
	return slices.Sorted(maps.Keys(all))
}

// nameVersions writes the code that was executed into the claims that rest on it, and the day on
// which their sources were seen into those that name no other.
func (p *Profile) nameVersions() {
	claims := []*Proof{&p.Forms.Answers, &p.Forms.Errors}
	for i := range p.Refuses {
		claims = append(claims, &p.Refuses[i].Proof)
	}
	for _, claim := range claims {
		if claim.KnownBy == Executed && claim.Version == "" {
			claim.Version = p.Executed
		}
		claim.Seen = cmp.Or(claim.Seen, p.Seen)
	}
}

package wire

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ValueForm says which form the values at some places of a request have. It is a line such as
//
//	tools[type=file_search].max_num_results  integer range=1..50
//	tools[type=web_search].filters           object keys=allowed_domains
//	logit_bias.*                             number range=-100..100
//
// A place is a path of keys: [] are the items of a list, .* the members of an object, and
// [type=a|b] and (type=a|b) are those items, or the object, that have one of some texts under a
// key. After it come the types that a value may have (text, integer, number, flag, list, object;
// none: any), and what it has to be besides: required, words=a|b, keys=a|b, range=0..1, max=64 of a
// text, most=4 and min=1 of a list, needs=a|b for one of some keys, begins=resp,
// like=REGULAR-EXPRESSION, named=REGULAR-EXPRESSION of its key, with=KEY that has to be beside it,
// and without=KEY that may not. Where words are added often, wrong=c|d says that these alone are
// known to be none. (type=custom|) is an object that may leave out its type, too.
type ValueForm struct {
	path      []formStep
	types     []string
	required  bool
	words     []string
	keys      []string
	needs     []string
	low       float64
	high      float64
	ranged    bool
	max       int // of characters; 0: any
	min, most int // of items; 0: any
	begins    string
	like      *regexp.Regexp
	wrong     []string       // the only words that are refused; none: all but words
	named     *regexp.Regexp // the key of the value
	with      string         // a key beside the value, or "" if none is needed
	without   string         // a key that may not be beside it
}

type formStep struct {
	name     string
	items    bool // the items of a list
	members  bool // the members of an object
	key      string
	accepted []string // under the key; none: any
}

// FormBreach is a value that does not have its form.
type FormBreach struct {
	In  *Node  // the object that the value is in, or the list
	Key string // of the value in an object
	At  *Node  // the value; nil where it is missing

	Problem string   // missing, type, word, key, range, long, short, needs, begins, like, alone, beside, name
	Wants   []string // the types, the words or the keys that there may be, or what the problem is about
	Edge    string   // of a range: above or below
	Limit   string   // of a range or a length
	Size    int      // of what is too long or too short
}

// MustForms reads lines as [ValueForm] describes them, and panics at one that is none, as
// regexp.MustCompile does.
func MustForms(lines string) (all []ValueForm) {
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		f := ValueForm{path: formPath(words[0])}
		for _, word := range words[1:] {
			f.read(word)
		}
		all = append(all, f)
	}
	return all
}

var formTypes = []string{"text", "integer", "number", "flag", "list", "object"}

func (f *ValueForm) read(word string) {
	name, value, valued := strings.Cut(word, "=")
	list := strings.Split(value, "|")
	switch {
	case word == "required":
		f.required = true
	case name == "words":
		f.words = list
	case name == "keys":
		f.keys = list
	case name == "needs":
		f.needs = list
	case name == "wrong":
		f.wrong = list
	case name == "named":
		f.named = regexp.MustCompile(value)
	case name == "with":
		f.with = value
	case name == "without":
		f.without = value
	case name == "begins":
		f.begins = value
	case name == "like":
		f.like = regexp.MustCompile(value)
	case name == "max":
		f.max = mustInt(value)
	case name == "most":
		f.most = mustInt(value)
	case name == "min":
		f.min = mustInt(value)
	case name == "range":
		low, high, _ := strings.Cut(value, "..")
		f.ranged, f.low, f.high = true, edge(low, -1), edge(high, 1)
	case !valued && slices.ContainsFunc(formTypes, func(t string) bool { return slices.Contains(strings.Split(word, "|"), t) }):
		f.types = strings.Split(word, "|")
	default:
		panic(fmt.Sprintf("a form of a value has the word %q", word))
	}
}

func mustInt(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// edge reads the end of a range; none is infinite.
func edge(text string, sign int) float64 {
	if text == "" {
		return math.Inf(sign)
	}
	return float64(mustInt(text))
}

// formPath reads a path; dots within a guard do not part it.
func formPath(path string) (steps []formStep) {
	for part := range strings.SplitSeq(path, ".") {
		step := formStep{name: part}
		if at := strings.IndexAny(part, "[("); at >= 0 {
			step.name, step.items = part[:at], part[at] == '['
			key, accepted, guarded := strings.Cut(part[at+1:len(part)-1], "=")
			if guarded {
				step.key, step.accepted = key, strings.Split(accepted, "|")
			}
		}
		if part == "*" {
			step = formStep{members: true}
		}
		steps = append(steps, step)
	}
	return steps
}

// Breaches returns the values in a request that do not have their form. Null stands for a value
// that is not there, unless it is required.
func (f *ValueForm) Breaches(body *Node) (all []FormBreach) {
	f.walk(body, f.path, func(b FormBreach) {
		if f.judge(&b) {
			all = append(all, b)
		}
	})
	return all
}

func (f *ValueForm) walk(in *Node, path []formStep, visit func(FormBreach)) {
	step, last := path[0], len(path) == 1
	if step.members {
		for _, m := range in.Members {
			f.onward(FormBreach{In: in, Key: m.Key, At: m.Value}, step, path, visit)
		}
		return
	}
	if !in.Is(Object) {
		return
	}
	value := in.Get(step.name)
	switch {
	case step.items:
		if value.Is(Array) {
			for _, item := range value.Items {
				f.onward(FormBreach{In: value, At: item}, step, path, visit)
			}
		}
	case value != nil || last:
		f.onward(FormBreach{In: in, Key: step.name, At: value}, step, path, visit)
	}
}

// onward goes from a value that a step leads to: to the next step, or to its end.
func (f *ValueForm) onward(at FormBreach, step formStep, path []formStep, visit func(FormBreach)) {
	if step.key != "" {
		said := at.At.Get(step.key).Text()
		if !slices.Contains(step.accepted, said) {
			return
		}
	}
	if len(path) == 1 {
		visit(at)
		return
	}
	f.walk(at.At, path[1:], visit)
}

// judge reports whether a value breaks its form, and notes how.
func (f *ValueForm) judge(b *FormBreach) bool {
	n := b.At
	if n == nil {
		b.Problem = "missing"
		return f.required
	}
	if n.Is(Null) && !f.required {
		return false
	}
	if len(f.types) > 0 && !slices.ContainsFunc(f.types, func(t string) bool { return hasFormType(n, t) }) {
		b.Problem, b.Wants = "type", f.types
		return true
	}
	switch {
	case n.Is(String) && f.isNoWord(n.Text()):
		b.Problem, b.Wants = "word", f.words
	case f.named != nil && !f.named.MatchString(b.Key):
		b.Problem, b.Limit = "name", f.named.String()
	case f.with != "" && !given(b.In.Get(f.with)):
		b.Problem, b.Wants = "alone", []string{f.with}
	case f.without != "" && given(b.In.Get(f.without)):
		b.Problem, b.Wants = "beside", []string{f.without, b.Key}
	case f.like != nil && n.Is(String) && !f.like.MatchString(n.Text()):
		b.Problem, b.Limit = "like", f.like.String()
	case f.begins != "" && n.Is(String) && !strings.HasPrefix(n.Text(), f.begins):
		b.Problem, b.Limit = "begins", f.begins
	case len(f.needs) > 0 && n.Is(Object) && !slices.ContainsFunc(f.needs, n.Has):
		b.Problem, b.Wants = "needs", f.needs
	default:
		return f.wrongSize(b) || f.wrongNumber(b) || f.wrongKey(b)
	}
	return true
}

func (f *ValueForm) isNoWord(text string) bool {
	switch {
	case len(f.words) == 0 || slices.Contains(f.words, text):
		return false
	case len(f.wrong) > 0:
		return slices.Contains(f.wrong, text)
	default:
		return true
	}
}

func given(n *Node) bool { return n != nil && !n.Is(Null) }

func (f *ValueForm) wrongSize(b *FormBreach) bool {
	least, most := 0, f.max
	switch {
	case b.At.Is(String):
		b.Size = utf8.RuneCountInString(b.At.Text())
	case b.At.Is(Array):
		b.Size, least, most = len(b.At.Items), f.min, f.most
	default:
		return false
	}
	switch {
	case most > 0 && b.Size > most:
		b.Problem, b.Limit = "long", strconv.Itoa(most)
	case b.Size < least:
		b.Problem, b.Limit = "short", strconv.Itoa(least)
	default:
		return false
	}
	return true
}

func (f *ValueForm) wrongNumber(b *FormBreach) bool {
	if !f.ranged || !b.At.Is(Number) {
		return false
	}
	value, is := b.At.Float()
	switch {
	case !is || value > f.high:
		b.Edge, b.Limit = "above", fmt.Sprintf("%g", f.high)
	case value < f.low:
		b.Edge, b.Limit = "below", fmt.Sprintf("%g", f.low)
	default:
		return false
	}
	b.Problem = "range"
	return true
}

// wrongKey notes the first key that an object may not have.
func (f *ValueForm) wrongKey(b *FormBreach) bool {
	if len(f.keys) == 0 || !b.At.Is(Object) {
		return false
	}
	at := slices.IndexFunc(b.At.Members, func(m Member) bool { return !slices.Contains(f.keys, m.Key) })
	if at < 0 {
		return false
	}
	b.Problem, b.Wants = "key", f.keys
	b.In, b.Key, b.At = b.At, b.At.Members[at].Key, b.At.Members[at].Value
	return true
}

func hasFormType(n *Node, kind string) bool {
	switch kind {
	case "text":
		return n.Is(String)
	case "integer":
		value, is := n.Float()
		return n.Is(Number) && is && value == math.Trunc(value)
	case "number":
		return n.Is(Number)
	case "flag":
		return n.Is(Bool)
	case "list":
		return n.Is(Array)
	default:
		return n.Is(Object)
	}
}

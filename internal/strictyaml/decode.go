package strictyaml

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// Reader is a type that reads itself from a node. Its error becomes the message of an [Error] at
// the node, or at the node inside it that [At] names.
type Reader interface {
	ReadYAML(n *Node) error
}

// At returns an error about a node, for a [Reader] that knows more exactly than its own node what
// is wrong.
func At(n *Node, format string, args ...any) error {
	return &placed{n, fmt.Sprintf(format, args...)}
}

type placed struct {
	node    *Node
	message string
}

func (p *placed) Error() string { return p.message }

var (
	readerType   = reflect.TypeFor[Reader]()
	durationType = reflect.TypeFor[time.Duration]()
	fieldsType   = reflect.TypeFor[wire.Fields]()
	templateType = reflect.TypeFor[wire.Template]()
)

type decoder struct {
	doc    *Document
	errs   []error
	unread []unread
	within []*Node // the mappings and lists around what is being read
}

func (d *decoder) into(n *Node, v any) { d.value(n, reflect.ValueOf(v).Elem()) }

func (d *decoder) fail(n *Node, format string, args ...any) {
	d.errs = append(d.errs, d.doc.errorAt(n, format, args...))
	d.unread = append(d.unread, unread{within: d.around(), part: n})
}

// failLarge is fail for what should have been a mapping or a list.
func (d *decoder) failLarge(n *Node, format string, args ...any) {
	d.fail(n, format, args...)
	d.unread[len(d.unread)-1].large = true
}

// failWith reports an error at the place it names, or else at n.
func (d *decoder) failWith(n *Node, err error) {
	var at *placed
	if errors.As(err, &at) {
		n = at.node
	}
	d.fail(n, "%v", err)
}

func (d *decoder) value(n *Node, v reflect.Value) {
	if v.CanAddr() && v.Addr().Type().Implements(readerType) {
		if err := v.Addr().Interface().(Reader).ReadYAML(n); err != nil {
			d.failWith(n, err)
			d.lose(v)
		}
		return
	}
	switch v.Type() {
	case durationType:
		d.duration(n, v)
		return
	case fieldsType:
		d.json(n, v)
		return
	case templateType:
		d.template(n, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if n.Tag == "!!null" {
			return
		}
		p, known := reflect.New(v.Type().Elem()), len(d.errs)
		d.value(n, p.Elem())
		if p.Type().Implements(readerType) && len(d.errs) > known {
			return // half a value is none
		}
		v.Set(p)
	case reflect.Interface: // what it holds says what can be read
		if v.IsNil() {
			d.fail(n, "there is nothing to be said here")
			return
		}
		d.value(n, v.Elem().Elem())
	case reflect.Struct:
		d.fields(n, v)
	case reflect.Slice:
		d.items(n, v)
	case reflect.Map:
		d.entries(n, v)
	default:
		d.scalar(n, v)
	}
}

func (d *decoder) fields(n *Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.failLarge(n, "expected a mapping with the keys %s, found %s", strings.Join(shapeOf(v.Type()).keys, ", "), describe(n))
		return
	}
	shape := shapeOf(v.Type())
	d.pairs(n, func(key, value *Node) {
		at, known := shape.fields[key.Value]
		if !known {
			d.errs = append(d.errs, d.doc.errorAt(key, "unknown key %q%s; the keys here are %s", key.Value, suggest.Hint(key.Value, shape.keys), strings.Join(shape.keys, ", ")))
			d.guess(n, key, value, shape, v)
			return
		}
		if shape.json[key.Value] {
			value = d.written(value, v.FieldByIndex(at).Kind())
		}
		d.value(value, v.FieldByIndex(at))
	})
}

// written returns a text for a mapping or a list that stands for its JSON, in a list of texts for
// each of them, and any other value as it is.
func (d *decoder) written(n *Node, kind reflect.Kind) *Node {
	if kind == reflect.Slice && n.Kind == yaml.SequenceNode {
		list := *n
		list.Content = make([]*Node, len(n.Content))
		for i, c := range n.Content {
			list.Content[i] = d.written(c, reflect.String)
		}
		return &list
	}
	if kind == reflect.Slice || n.Kind == yaml.ScalarNode {
		return n
	}
	value, err := JSON(n)
	if err != nil {
		d.failWith(n, err)
	}
	text := *n
	text.Kind, text.Tag, text.Value, text.Content = yaml.ScalarNode, "!!str", string(wire.JSON(value)), nil
	return &text
}

func (d *decoder) entries(n *Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.failLarge(n, "expected a mapping of names, found %s", describe(n))
		return
	}
	whole, here := reflect.MakeMap(v.Type()), reflect.MakeMap(v.Type())
	for entry := v.MapRange(); entry.Next(); { // what the value held before
		whole.SetMapIndex(entry.Key(), entry.Value())
	}
	d.pairs(n, func(key, value *Node) {
		k := reflect.New(v.Type().Key()).Elem()
		d.value(key, k)
		if here.MapIndex(k).IsValid() { // 1 and 01 are written differently
			d.fail(key, "the key %q is here twice", key.Value)
		}
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(value, e)
		here.SetMapIndex(k, e)
		whole.SetMapIndex(k, e)
	})
	v.Set(whole)
}

func (d *decoder) pairs(n *Node, each func(key, value *Node)) {
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if err := checkKey(key, lines); err != nil {
			d.inside(n, func() { d.failWith(key, err) })
			continue
		}
		d.inside(n, func() { each(key, value) })
	}
}

// checkKey returns what is wrong with a key of a mapping. lines holds the keys before it and is
// given this one.
func checkKey(key *Node, lines map[string]int) error {
	if key.Kind != yaml.ScalarNode {
		return At(key, "expected a text as key, found %s", describe(key))
	}
	if line, ok := lines[key.Value]; ok {
		return At(key, "the key %q is here twice, first in line %d", key.Value, line)
	}
	lines[key.Value] = key.Line
	return nil
}

func (d *decoder) items(n *Node, v reflect.Value) {
	if shape := shapeOf(v.Type().Elem()); shape.key >= 0 {
		d.named(n, v, shape)
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.failLarge(n, "expected a list, found %s", describe(n))
		return
	}
	s := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, c := range n.Content {
		d.inside(n, func() { d.value(c, s.Index(i)) })
	}
	v.Set(s)
}

// named reads a mapping into a slice, in the order of the file: the key of each entry goes into the
// field with the tag ~key, its value into the field with the tag ~value or else into the other
// fields.
func (d *decoder) named(n *Node, v reflect.Value, of *shape) {
	if n.Kind != yaml.MappingNode {
		d.failLarge(n, "expected a mapping of names, found %s", describe(n))
		return
	}
	d.pairs(n, func(k, value *Node) {
		entry := reflect.New(v.Type().Elem()).Elem()
		d.value(k, entry.Field(of.key))
		if of.value >= 0 {
			d.value(value, entry.Field(of.value))
		} else {
			d.value(value, entry)
		}
		v.Set(reflect.Append(v, entry))
	})
}

func (d *decoder) scalar(n *Node, v reflect.Value) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		d.fail(n, "expected %s, found %s%s", wanted(v), describe(n), unquoted(n, v))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(n.Value)
	case reflect.Bool:
		if n.Tag != "!!bool" {
			d.fail(n, "expected true or false, found %s", describe(n))
			return
		}
		v.SetBool(isTrue(n))
	case reflect.Int, reflect.Int64:
		i, err := strconv.ParseInt(n.Value, 10, 64)
		if err != nil || n.Tag != "!!int" {
			d.fail(n, "expected a whole number, found %s", describe(n))
			return
		}
		v.SetInt(i)
	default:
		panic(fmt.Sprintf("strictyaml: a field of type %s cannot be read", v.Type()))
	}
}

// isTrue returns the value of a boolean, which YAML allows to be written as true, True or TRUE.
func isTrue(n *Node) bool { return strings.EqualFold(n.Value, "true") }

func (d *decoder) duration(n *Node, v reflect.Value) {
	t, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || t < 0 {
		d.fail(n, "expected a time such as 50ms or 2s, found %s", describe(n))
		return
	}
	v.SetInt(int64(t))
}

func (d *decoder) json(n *Node, v reflect.Value) {
	value, err := JSON(n)
	fields, ok := value.(wire.Fields)
	switch {
	case err != nil:
		d.failWith(n, err)
	case !ok:
		d.fail(n, "expected a mapping of JSON keys, found %s", describe(n))
	default:
		v.Set(reflect.ValueOf(fields))
	}
}

// template reads a template; null removes one that was there before.
func (d *decoder) template(n *Node, v reflect.Value) {
	if n.Tag == "!!null" {
		v.SetZero()
		return
	}
	value, err := JSON(n)
	if err != nil {
		d.failWith(n, err)
		return
	}
	d.places(n)
	if t, err := wire.NewTemplate(value); err == nil {
		v.Set(reflect.ValueOf(t))
	}
}

// places reports every text in a template that looks like a place and is none.
func (d *decoder) places(n *Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		if _, err := wire.NewTemplate(n.Value); err != nil {
			d.fail(n, "%v", err)
		}
	}
	for i, c := range n.Content {
		if isKey := n.Kind == yaml.MappingNode && i%2 == 0; !isKey {
			d.places(c)
		}
	}
}

func wanted(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	default:
		return "a text"
	}
}

// unquoted tells what to do about JSON that was meant as a text and is read as YAML.
func unquoted(n *Node, v reflect.Value) string {
	if !n.flow || v.Kind() != reflect.String {
		return ""
	}
	return "; a text that begins with a bracket is between quotes: '{}'"
}

func describe(n *Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return fmt.Sprintf("the text %q", textlayout.Shorten(n.Value, 40))
	default:
		return textlayout.Shorten(n.Value, 40)
	}
}

package strictyaml

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// shape is what the yaml tags of a struct say. Those of a type are read once, since a program may
// read some hundred files.
type shape struct {
	keys   []string         // in order
	fields map[string][]int // by key
	json   map[string]bool  // the keys of texts that may be written as what their JSON says

	key, value int // the fields with the tags ~key and ~value, -1 for none
}

var shapes sync.Map // *shape by reflect.Type

func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := &shape{fields: map[string][]int{}, json: map[string]bool{}, key: -1, value: -1}
	if t.Kind() == reflect.Struct {
		s.read(t, nil)
	}
	for key := range s.fields {
		s.keys = append(s.keys, key)
	}
	slices.Sort(s.keys)
	shapes.Store(t, s)
	return s
}

// read adds the fields of a struct that is at some place in the one that is read.
func (s *shape) read(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f, here := t.Field(i), append(slices.Clone(at), i)
		switch tag := f.Tag.Get("yaml"); {
		case tag == ",inline":
			s.read(f.Type, here)
		case tag == "~key" && len(at) == 0:
			s.key = i
		case tag == "~value" && len(at) == 0:
			s.value = i
		case isKey(tag):
			key, option, _ := strings.Cut(tag, ",")
			if _, outer := s.fields[key]; !outer {
				s.fields[key], s.json[key] = here, option == "json"
			}
		}
	}
}

func isKey(tag string) bool { return tag != "" && tag != "-" && tag[0] != '~' && tag[0] != ',' }

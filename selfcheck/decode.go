package selfcheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
)

// Decode decodes a sample as the official Go SDK does and returns how it departs from the reference, each departure
// once: "lacks choices/*/index", "adds usage/cost", "has an odd choices/*/message/content". A * stands for the items of
// a list. The error says that the SDK could not decode it at all.
func Decode(s Sample) ([]string, error) {
	var target any = &openai.ChatCompletion{}
	if s.Kind == Chunk {
		target = &openai.ChatCompletionChunk{}
	}
	if err := json.Unmarshal(s.JSON, target); err != nil {
		return nil, fmt.Errorf("the %s of %s under %s: %w", s.Kind, s.Scenario, s.Profile, err)
	}
	found := departures{}
	found.object(reflect.ValueOf(target).Elem(), "")
	return slices.Sorted(maps.Keys(found)), nil
}

// departures are sentences about how an object of the SDK differs from its reference.
type departures map[string]bool

func (d departures) note(what, path, key string) {
	d[what+" "+strings.TrimPrefix(path+"/"+key, "/")] = true
}

// object looks at a struct of the SDK, which says in its field JSON what it was decoded from.
func (d departures) object(v reflect.Value, path string) {
	if variant := v.MethodByName("AsAny"); variant.IsValid() { // a union, such as that of the kinds of tool calls
		if chosen := variant.Call(nil)[0]; !chosen.IsNil() {
			v = chosen.Elem()
		}
	}
	meta := v.FieldByName("JSON")
	if !meta.IsValid() {
		return
	}
	if extra := meta.FieldByName("ExtraFields"); extra.IsValid() {
		for _, key := range extra.MapKeys() {
			d.note("adds", path, key.String())
		}
	}
	for i := range v.NumField() {
		d.field(v, meta, v.Type().Field(i), path)
	}
}

func (d departures) field(v, meta reflect.Value, f reflect.StructField, path string) {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	told := meta.FieldByName(f.Name)
	if key == "" || key == "-" || !told.IsValid() {
		return
	}
	field := told.Interface().(respjson.Field)
	required := f.Tag.Get("api") == "required" || f.Tag.Get("default") != ""
	switch {
	case field.Raw() == respjson.Omitted:
		if required {
			d.note("lacks", path, key)
		}
	case field.Raw() == respjson.Null:
		if required && !nullable[key] {
			d.note("has null for", path, key)
		}
	case !field.Valid():
		d.note("has an odd", path, key)
	default:
		d.value(v.FieldByName(f.Name), path+"/"+key)
	}
}

// nullable are keys that the SDK calls required and that the published description allows to be null.
var nullable = map[string]bool{"content": true, "refusal": true, "logprobs": true}

func (d departures) value(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Struct:
		d.object(v, path)
	case reflect.Slice:
		for i := range v.Len() {
			d.value(v.Index(i), path+"/*")
		}
	}
}

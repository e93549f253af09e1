package selfcheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/responses"
)

// Decode decodes a sample as the official Go SDK of its dialect does and returns how it departs
// from the reference, each departure once: "lacks choices/*/index", "adds usage/cost", "has an odd
// choices/*/message/content". A * stands for the items of a list. The error says that the SDK could
// not decode it at all.
func Decode(s Sample) ([]string, error) {
	target := s.target()
	if err := json.Unmarshal(s.JSON, target); err != nil {
		return nil, fmt.Errorf("the %s of %s under %s: %w", s.Kind, s.Scenario, s.Profile, err)
	}
	found := departures{}
	found.object(reflect.ValueOf(target).Elem(), "")
	return slices.Sorted(maps.Keys(found)), nil
}

// target returns what a client of the SDK decodes the sample into.
func (s Sample) target() any {
	switch s.Kind {
	case Completion:
		return &openai.ChatCompletion{}
	case Chunk:
		return &openai.ChatCompletionChunk{}
	case Message:
		return &anthropic.Message{}
	case Response:
		return &responses.Response{}
	case ResponseEvent:
		return &responses.ResponseStreamEventUnion{}
	default:
		return &anthropic.MessageStreamEventUnion{}
	}
}

// departures are sentences about how an object of the SDK differs from its reference.
type departures map[string]bool

func (d departures) note(what, path, key string) {
	d[what+" "+strings.TrimPrefix(path+"/"+key, "/")] = true
}

// object looks at a struct of the SDK, which says in its field JSON what it was decoded from.
func (d departures) object(v reflect.Value, path string) {
	if variant := v.MethodByName("AsAny"); variant.IsValid() { // a union, such as that of the kinds of tool calls
		chosen := variant.Call(nil)[0]
		if chosen.IsNil() {
			d.note("has an unknown", path, "type")
			return
		}
		v = chosen.Elem()
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
	field := told.Interface().(toldField)
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

// toldField is what either SDK says of a field; their words for null and for nothing are the same.
type toldField interface {
	Raw() string
	Valid() bool
}

// nullable are keys that the SDKs call required and that the published descriptions allow to be
// null.
var nullable = map[string]bool{
	"content": true, "refusal": true, "logprobs": true, // of chat
	"error": true, "incomplete_details": true, "instructions": true, // of responses
	"container": true, "diagnostics": true, "stop_details": true, "stop_reason": true, "stop_sequence": true, "citations": true, // of messages
	"cache_creation": true, "cache_creation_input_tokens": true, "cache_read_input_tokens": true, "input_tokens": true,
	"inference_geo": true, "output_tokens_details": true, "server_tool_use": true, "service_tier": true,
}

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

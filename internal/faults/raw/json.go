package raw

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// Set returns a JSON text with a value changed.
func Set(raw, path string, value any) string {
	changed, err := sjson.Set(raw, path, value)
	if err != nil {
		panic(fmt.Sprintf("faults: %s: %v", path, err))
	}
	return changed
}

// Remove returns a JSON text without a value.
func Remove(raw, path string) string {
	changed, err := sjson.Delete(raw, path)
	if err != nil {
		return raw
	}
	return changed
}

// SetRaw returns a JSON text with a value changed to another JSON text.
func SetRaw(raw, path, value string) string {
	changed, err := sjson.SetRaw(raw, path, value)
	if err != nil {
		panic(fmt.Sprintf("faults: %s: %v", path, err))
	}
	return changed
}

// List returns a JSON list of JSON texts.
func List(items []string) string { return "[" + strings.Join(items, ",") + "]" }

// Each returns a JSON list with every item changed.
func Each(items gjson.Result, change func(gjson.Result) string) string {
	var changed []string
	for _, item := range items.Array() {
		changed = append(changed, change(item))
	}
	return List(changed)
}

// Items returns the JSON of values.
func Items(values []gjson.Result) []string {
	var all []string
	for _, v := range values {
		all = append(all, v.Raw)
	}
	return all
}

// Texts returns a JSON list of text parts, or of text blocks, which are the same.
func Texts(all ...string) string {
	items := "[]"
	for _, text := range all {
		items = SetRaw(items, "-1", Set(`{"type":"text"}`, "text", text))
	}
	return items
}

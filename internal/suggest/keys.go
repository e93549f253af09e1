package suggest

import (
	"reflect"
	"strings"
)

// Keys returns the keys of the JSON object that is read into a struct, or into what a pointer to
// one points to; of anything else none.
func Keys(into any) (keys []string) {
	t := reflect.TypeOf(into)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/protocol"
)

// unreadKeys returns a remark for each key of a hello that this version of the protocol does not have. They are no errors: an adapter
// may say more than an older Loopproof reads. But a claim under a misspelled key is not judged, which nobody would notice.
func unreadKeys(hello []byte) []string {
	all := unreadKeysOf(hello, "", reflect.TypeFor[protocol.Hello]())
	var parts struct {
		AnswerTool json.RawMessage `json:"answer_tool"`
	}
	if json.Unmarshal(hello, &parts) != nil {
		return all
	}
	return append(all, unreadKeysOf(parts.AnswerTool, "/answer_tool", reflect.TypeFor[protocol.AnswerTool]())...)
}

// unreadKeysOf returns a remark for each key of an object that no field of a type has. The case of letters does not count, as it does
// not when the object is read.
func unreadKeysOf(object []byte, pointer string, of reflect.Type) (remarks []string) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(object, &keys) != nil {
		return nil // it is missing, or no object, which is told where it is read
	}
	known := jsonKeys(of)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, key) }) {
			continue
		}
		hint := cmp.Or(suggest.Hint(key, known), "; known are "+strings.Join(known, ", "))
		remarks = append(remarks, fmt.Sprintf("the hello of the adapter has the unknown key %q at %s, which is ignored%s", key, pointer+"/"+pointerEscape.Replace(key), hint))
	}
	return remarks
}

// pointerEscape writes a key as a part of a JSON pointer.
var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// jsonKeys returns the keys that a struct has as JSON.
func jsonKeys(of reflect.Type) (keys []string) {
	for i := range of.NumField() {
		key, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		keys = append(keys, key)
	}
	return keys
}

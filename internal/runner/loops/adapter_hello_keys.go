package loops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// unreadKeys returns a remark for each key of a hello that this version of the protocol does not
// have. They are no errors: an adapter may say more than an older Loopproof reads. But a claim
// under a misspelled key is not judged, which nobody would notice.
func unreadKeys(hello []byte) []string {
	read, err := wire.ParseNode(hello)
	if err != nil {
		return nil // which is told where it is read
	}
	return append(unreadKeysOf(read, protocol.Hello{}), unreadKeysOf(read.Get("answer_tool"), protocol.AnswerTool{})...)
}

// unreadKeysOf returns a remark for each key of an object that no field of a struct has. The case
// of letters does not count, as it does not when the object is read.
func unreadKeysOf(object *wire.Node, into any) (remarks []string) {
	known := suggest.Keys(into)
	for _, key := range slices.Compact(slices.Sorted(slices.Values(object.Keys()))) {
		if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, key) }) {
			continue
		}
		hint := cmp.Or(suggest.Hint(key, known), "; known are "+strings.Join(known, ", "))
		remarks = append(remarks, fmt.Sprintf("the hello of the adapter has the unknown key %q at %s, which is ignored%s", key, object.Get(key).Pointer(), hint))
	}
	return remarks
}

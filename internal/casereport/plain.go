package casereport

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// quotedJSON is a text in quotes that may be an object or a list of JSON.
var quotedJSON = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[{\[](?:[^"\\]|\\.)*[}\]]"`) })

// plainJSON takes the quotes off objects and lists of JSON, which need none and are hard to read
// with each quote of theirs escaped: {"id":7} instead of "{\"id\":7}". Other texts keep theirs.
func plainJSON(text string) string {
	if !strings.Contains(text, `\"`) {
		return text
	}
	return quotedJSON().ReplaceAllStringFunc(text, func(quoted string) string {
		plain, err := strconv.Unquote(quoted)
		if err != nil || !json.Valid([]byte(plain)) || strings.Contains(plain, "\n") {
			return quoted
		}
		return plain
	})
}

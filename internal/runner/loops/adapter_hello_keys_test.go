package loops

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnreadKeys: a key that nobody reads is told with its place and the nearest known key, and is
// no error.
func TestUnreadKeys(t *testing.T) {
	for name, test := range map[string]struct {
		hello string
		want  []string
	}{
		"all are known":          {exampleHello(), nil},
		"capitals do not matter": {`{"type":"hello","Dialects":["chat"]}`, nil},
		"a misspelled one":       {`{"type":"hello","featurs":["streaming"]}`, []string{`the hello of the adapter has the unknown key "featurs" at /featurs, which is ignored (did you mean "features"?)`}},
		"in the answer tool":     {`{"answer_tool":{"name":"x","argumnt":"y"}}`, []string{`the hello of the adapter has the unknown key "argumnt" at /answer_tool/argumnt, which is ignored (did you mean "argument"?)`}},
		"like no other": {`{"answer_tool":{"x/y~z":1}}`, []string{
			`the hello of the adapter has the unknown key "x/y~z" at /answer_tool/x~1y~0z, which is ignored; known are name, argument`,
		}},
		"an answer tool that is none": {`{"answer_tool":7}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, unreadKeys([]byte(test.hello))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

package transcriptschema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestValueOf: a document is what encoding/json makes of it, so that the library which validates it
// knows its types.
func TestValueOf(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `-1.5e3`, `0`, `"a \"quoted\" é \u00e9 \ud83c\udf27 word"`, `[]`, `{}`,
		`[{"a":1,"b":[null,{"c":false}],"":"x","a":2}]`,
	} {
		doc, err := wire.ParseNode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		got, err := valueOf(doc)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func TestNumberThatIsTooLarge(t *testing.T) {
	doc, err := wire.ParseNode([]byte(`[{"timestamp":1e999}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(transcript.Formats()[0], doc); err == nil || !strings.Contains(err.Error(), "1e999") {
		t.Errorf("the error is %v", err)
	}
}

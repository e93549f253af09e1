package protocol_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/protocol"
)

// Authors of adapters read docs/adapters.md, not this package.
func TestEverythingIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/adapters.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := func(word string) bool {
		return strings.Contains(string(text), "`"+word+"`") || strings.Contains(string(text), `"`+word+`":`)
	}
	for _, line := range []any{protocol.Hello{}, protocol.Task{}, protocol.Tool{}, protocol.Outcome{}, protocol.Usage{}, protocol.CancelLine{}} {
		of := reflect.TypeOf(line)
		for i := range of.NumField() {
			if field, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); field != "-" && !explained(field) {
				t.Errorf("docs/adapters.md does not explain the field %q of %s", field, of.Name())
			}
		}
	}
	for _, f := range protocol.Features() {
		if !explained(string(f)) {
			t.Errorf("docs/adapters.md does not explain the feature %q", f)
		}
	}
	for _, d := range protocol.Designs() {
		if !explained(string(d)) {
			t.Errorf("docs/adapters.md does not explain the design %q", d)
		}
	}
	for _, s := range []protocol.Status{protocol.Completed, protocol.Failed, protocol.Stopped} {
		if !explained(string(s)) {
			t.Errorf("docs/adapters.md does not explain the status %q", s)
		}
	}
}

package lint_test

import (
	_ "embed"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/profiles"
)

//go:embed testdata/bodies.yaml
var bodies []byte

// TestBodies: each body is refused by its provider in the words of the table, or taken.
func TestBodies(t *testing.T) {
	var table []struct{ Profile, Body, Says string }
	if err := yaml.Unmarshal(bodies, &table); err != nil || len(table) == 0 {
		t.Fatal(len(table), err)
	}
	for _, row := range table {
		p, err := profiles.Get(row.Profile)
		if err != nil {
			t.Fatal(err)
		}
		found, err := savedrequests.Find([]byte(row.Body), savedrequests.Options{Dialects: dialect.All(), Literal: pythonliteral.JSON})
		if err != nil || len(found) != 1 || found[0].Dialect != p.Speaks {
			t.Errorf("%s: found %d: %v", row.Body, len(found), err)
			continue
		}
		r := lint.Check(t.Context(), found[0], []*profiles.Profile{p})
		if answer := r.Answers[0]; r.Refused() != (row.Says != "") || !strings.Contains(answer.Message, row.Says) {
			t.Errorf("%s\n\tis answered by %s: %d %s", row.Body, row.Profile, answer.Status, answer.Message)
		}
	}
}

package controlapi

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// served are the paths under the prefix that the mock itself and its command serve.
var served = []string{"GET /healthz", "GET /metrics"}

// Every path of the control API is described, and there is every path that is described.
func TestEveryRouteIsDescribed(t *testing.T) {
	data, err := asJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var described []string
	for path, operations := range doc.Paths {
		for method := range operations {
			if method != "parameters" {
				described = append(described, strings.ToUpper(method)+" "+strings.TrimPrefix(path, "/loopproof"))
			}
		}
	}
	pattern := regexp.MustCompile(`:[^}]*}`)
	there := slices.Clone(served)
	for _, r := range (&api{}).routes() {
		if !r.page {
			there = append(there, r.method+" "+pattern.ReplaceAllString(r.path, "}"))
		}
	}
	slices.Sort(described)
	slices.Sort(there)
	if diff := cmp.Diff(there, described); diff != "" {
		t.Errorf("the routes and their description differ (-routes +description):\n%s", diff)
	}
}

// Every parameter that is read is described, and the other way round.
func TestEveryParameterIsDescribed(t *testing.T) {
	data, err := asJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Ref string `json:"$ref"`
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any
			}
		}
	}
	if err := json.Unmarshal(withoutShared(data), &doc); err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	for name := range (&question{}).parameters() {
		read[name] = true
	}
	for _, path := range []string{"/loopproof/assert", "/loopproof/wait"} {
		described := map[string]bool{}
		for _, p := range doc.Paths[path]["get"].Parameters {
			described[p.Ref[strings.LastIndex(p.Ref, "/")+1:]] = true
		}
		if diff := cmp.Diff(read, described); diff != "" {
			t.Errorf("%s (-read +described):\n%s", path, diff)
		}
	}
	read["in_order"] = true
	described := map[string]bool{}
	for name := range doc.Components.Schemas["Expectation"].Properties {
		described[name] = true
	}
	if diff := cmp.Diff(read, described); diff != "" {
		t.Errorf("Expectation (-read +described):\n%s", diff)
	}
}

// withoutShared drops the parameters that all operations of a path share, which are no operation.
func withoutShared(data []byte) []byte {
	var doc map[string]any
	json.Unmarshal(data, &doc)
	for _, operations := range doc["paths"].(map[string]any) {
		delete(operations.(map[string]any), "parameters")
	}
	data, _ = json.Marshal(doc)
	return data
}

package engine

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/mux"
)

// TestFormsOfPaths: a path that is compared as a text fits what its regular expression would fit, with the same variables.
func TestFormsOfPaths(t *testing.T) {
	forms := []string{"/{a}", "/run/{run}/v1/messages", "/run/{run}/tools/{tool}", "/v1/models/{model}:count", "/run/{run}/v1/models/{model}:count", "/v1/{id}/items/{item}"}
	values := []string{"", "x", "a b", "x/y", "/", ":count", "x:count", "ä", "\xff", "line\nbreak", "tools", "%2F", "x:count:count"}
	fits := 0
	for _, path := range forms {
		form, plain := readForm(path)
		if !plain {
			t.Errorf("%s needs a regular expression", path)
		}
		route := mux.NewRouter().Path(path)
		for _, asked := range filled(path, values) {
			var match mux.RouteMatch
			want := route.Match(&http.Request{URL: &url.URL{Path: asked}}, &match)
			vars, got := form.fit(asked)
			if got != want || got && !maps.Equal(vars, match.Vars) {
				t.Errorf("%q fits %s: %v with %q, expected %v with %q", asked, path, got, vars, want, match.Vars)
			}
			if got {
				fits++
			}
		}
	}
	if fits < 100 {
		t.Errorf("%d paths fit, which is too few to tell anything", fits)
	}
	for _, path := range []string{"/{version:v1|v2}/x", "/{a}{b}", "/{a}:{method:x|y}", "/{a}-{b}/c"} {
		if _, plain := readForm(path); plain {
			t.Errorf("%s is compared as a text", path)
		}
	}
}

// filled returns a path with some values in the places of its variables, and such with more or less at the ends.
func filled(path string, values []string) []string {
	all := []string{path}
	for strings.Contains(all[0], "{") {
		var next []string
		for _, one := range all {
			start, rest, _ := strings.Cut(one, "{")
			_, end, _ := strings.Cut(rest, "}")
			for _, value := range values {
				next = append(next, start+value+end)
			}
		}
		all = next
	}
	for _, one := range slices.Clone(all) {
		all = append(all, one+"/", "/"+one, strings.TrimPrefix(one, "/"), one[:len(one)-1], one+":count")
	}
	return all
}

package profiles_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
)

// derived is a profile that says little itself.
const derived = `loopproof: 1
title: Derived
like: a-provider
`

func folder(files map[string]string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, text := range files {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fs
}

func loaded(t *testing.T, name string, files map[string]string) *profiles.Profile {
	t.Helper()
	all, err := profiles.Load(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Find(all, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What a file does not say is as in the profile that it is built upon. Mappings are read into each
// other, all else is replaced.
func TestDerived(t *testing.T) {
	p := loaded(t, "derived", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + `
shape:
  call: {id: $id, name: $name, arguments: $arguments}
errors:
  words:
    500: {message: Down.}
reasoning:
  even-if-empty: true
docs: [https://example.com/derived]
also-refuses:
  - {rule: pairing/no-orphan-result, status: 422, message: Orphan., known-by: reported, sources: [https://example.com/2]}
  - {rule: pairing/every-call-answered, status: 409, message: Open., known-by: reported, sources: [https://example.com/3]}
`})
	if p.Title != "Derived" || p.Name != "derived" || p.Traits.ReasoningField != "reasoning" || p.Reasoning.Resend != profiles.ResendToolTurns || !p.Reasoning.EvenIfEmpty {
		t.Errorf("read %+v", p)
	}
	if got := strings.Join(p.Shape.(*chat.Shape).Call.Places(), " "); got != "arguments id name" {
		t.Errorf("the places of a call are %s", got)
	}
	for status, want := range map[int]string{429: "Slow down.", 500: "Down."} {
		if got := p.WordsFor(status).Message; got != want {
			t.Errorf("the words of a %d are %q", status, got)
		}
	}
	var refused []string
	for _, r := range p.Refuses {
		refused = append(refused, r.Rule+" "+r.Message)
	}
	if got := strings.Join(refused, ", "); got != "pairing/every-call-answered Open., pairing/no-orphan-result Orphan." {
		t.Errorf("it refuses %s", got)
	}
	acme := loaded(t, "a-provider", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "errors: {words: {500: {message: Down.}}}\n"})
	if acme.WordsFor(500).Message == "Down." || len(acme.Refuses) != 1 {
		t.Errorf("the derived profile changed its base: %+v", acme)
	}
}

// The own list of refusals of a derived profile takes the place of all.
func TestDerivedRefusesByItself(t *testing.T) {
	p := loaded(t, "derived", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "refuses: []\n"})
	if len(p.Refuses) != 0 {
		t.Errorf("it refuses %+v", p.Refuses)
	}
}

// Profiles may be derived from derived ones, and from embedded ones.
func TestDerivedTwice(t *testing.T) {
	p := loaded(t, "third", map[string]string{
		"second.yaml": "loopproof: 1\ntitle: Second\nlike: openai\ncall-id: c_{hex:4}\n",
		"third.yaml":  "loopproof: 1\ntitle: Third\nlike: second\nmodel-name: third\n",
	})
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	if p.ModelName != "third" || len(p.Refuses) != len(openai.Refuses) || openai.ModelName == "third" {
		t.Errorf("read %+v", p)
	}
}

func TestBadDerivedProfiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"unknown profile", map[string]string{"derived.yaml": "loopproof: 1\ntitle: Derived\nlike: opnai\n"}, `derived.yaml:3:7: there is no profile "opnai" (did you mean "openai"?); the profiles are `},
		{"itself", map[string]string{"derived.yaml": "loopproof: 1\ntitle: Derived\nlike: derived\n"}, "derived.yaml:3:7: a circle of profiles: derived is like derived"},
		{"circle", map[string]string{
			"a.yaml": "loopproof: 1\ntitle: A\nlike: b\n",
			"b.yaml": "loopproof: 1\ntitle: B\nlike: a\n",
		}, "a.yaml:3:7: a circle of profiles: a is like b is like a"},
		{"broken profile", map[string]string{
			"a-provider.yaml": strings.Replace(small, "title: Acme\n", "", 1), "derived.yaml": derived,
		}, "derived.yaml:3:7: the profile a-provider is not right itself"},
		{"no title of its own", map[string]string{"a-provider.yaml": small, "derived.yaml": "loopproof: 1\nlike: a-provider\n"}, "derived.yaml:1:1: a profile needs a title"},
		{"unknown key", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "titel: x\n"}, `derived.yaml:4:1: unknown key "titel" (did you mean "title"?)`},
		{"unknown place", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "shape: {call: {id: $ids}}\n"}, `derived.yaml:4:15: unknown place $ids (did you mean "id"?)`},
		{"status that is not an error", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "errors: {words: {200: {message: x}}}\n"}, "derived.yaml:4:23: an error has a status from 300 to 599, not 200"},
		{"refusal without a status", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "also-refuses:\n  - {rule: a/b, message: x, known-by: unnamed}\n"}, "derived.yaml:5:5: the refusal of a/b needs a status, as in `status: 400`"},
		{"refusal of which nobody says how it is known", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "also-refuses:\n  - {rule: a/b, status: 400, message: x}\n"}, "derived.yaml:5:5: how it is known is missing: `known-by` is one of executed, documented,"},
		{"also refused twice", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "also-refuses:\n" + strings.Repeat("  - {rule: a/b, status: 400, message: x, known-by: unnamed}\n", 2)}, "derived.yaml:6:5: the rule a/b is refused twice"},
		{"taken and refused", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "takes: [a/b]\nalso-refuses:\n  - {rule: a/b, status: 400, message: x, known-by: unnamed}\n"}, "derived.yaml:6:5: a/b is under takes, too"},
		{"taken, and some of it refused", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "takes: [a/b]\nalso-refuses:\n  - {rule: a/b, status: 400, message: x, known-by: unnamed, only: {x: [y]}}\n"}, ""},
		{"another dialect", map[string]string{"a-provider.yaml": small, "derived.yaml": derived + "dialect: messages\n"}, "derived.yaml:4:10: the profile that this one is `like` speaks chat, not messages, and of its shape nothing is inherited; be like one that speaks messages, such as anthropic"},
		{"refused twice", map[string]string{"a-provider.yaml": strings.Replace(small, "refuses:\n", "refuses:\n  - {rule: pairing/every-call-answered, status: 400, message: x, known-by: unnamed}\n", 1)}, "a-provider.yaml:31:5: the rule pairing/every-call-answered is refused twice"},
		{"also without like", map[string]string{"a-provider.yaml": small + "also-refuses: []\n"}, ""},
		{"more without like", map[string]string{"a-provider.yaml": strings.Replace(small, "refuses:", "also-refuses:", 1)}, "a-provider.yaml:30:3: also-refuses is for a profile that is `like` another one: write refuses"},
		{"name of an embedded profile", map[string]string{"openai.yaml": small}, "openai.yaml: two profiles with one name: openai is one of Loopproof's own; rename the file"},
		{"two profiles with one name", map[string]string{"a-provider.yaml": small, "a-provider.yml": small}, "a-provider.yml: two profiles with one name: a-provider is also in a-provider.yaml; rename one of the files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := profiles.Load(folder(c.files))
			switch {
			case c.want == "" && err != nil:
				t.Errorf("the error is %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("the error is %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestStatus: what is inherited has the statuses that the derived profile has for it, and those
// derived from it inherit them.
func TestStatus(t *testing.T) {
	files := map[string]string{
		"a-provider.yaml": small,
		"derived.yaml":    "loopproof: 1\ntitle: Derived\nlike: a-provider\nstatus: {400: 422}\nalso-refuses: [{rule: pairing/ids-present, status: 400, message: m, known-by: unnamed}]\n",
		"grandchild.yaml": "loopproof: 1\ntitle: Grandchild\nlike: derived\n",
	}
	for name, want := range map[string][]int{"a-provider": {400}, "derived": {422, 400}, "grandchild": {422, 400}} {
		var got []int
		for _, r := range loaded(t, name, files).Refuses {
			got = append(got, r.Status)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s refuses with %v, want %v", name, got, want)
		}
	}
	for text, want := range map[string]string{
		"status: {404: 422}": "derived.yaml:4:15: a-provider refuses nothing with 404; it refuses with 400",
		"status: {400: 200}": "derived.yaml:4:15: a refusal has a status from 400 to 599, not 200",
		"status: {a: 422}":   "derived.yaml:4:10: ",
	} {
		_, err := profiles.Load(fstest.MapFS{"a-provider.yaml": {Data: []byte(small)}, "derived.yaml": {Data: []byte("loopproof: 1\ntitle: Derived\nlike: a-provider\n" + text + "\n")}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want %s alone", text, err, want)
		}
	}
	if _, err := profiles.Parse("alone.yaml", []byte(strings.Replace(small, "title: Acme\n", "title: Acme\nstatus: {400: 422}\n", 1))); err == nil || !strings.Contains(err.Error(), "alone.yaml:3:15: status is for a profile that is `like` another one") {
		t.Errorf("the error is %v", err)
	}
}

// TestTypes: words of a refusal that name no type have that of their status, and those of a derived
// profile that are inherited have what they had.
func TestTypes(t *testing.T) {
	refusal := "also-refuses: [{rule: RULE, status: 429, message: m, known-by: unnamed, instead: [{when: {a: b}, message: n}, {when: {a: c}, message: n, type: own}, {when: {a: d}, status: 400, message: n}]}]\n"
	files := map[string]string{
		"a-provider.yaml": small,
		"derived.yaml":    "loopproof: 1\ntitle: Derived\nlike: a-provider\n" + strings.Replace(refusal, "RULE", "a/b", 1),
		"other.yaml":      "loopproof: 1\ntitle: Other\nlike: derived\nerrors: {words: {429: {message: m, type: other}}}\n" + strings.Replace(refusal, "RULE", "a/c", 1),
	}
	p := loaded(t, "other", files)
	for rule, want := range map[string][]string{"a/b": {"rate_limit", "rate_limit", "own", ""}, "a/c": {"other", "other", "own", ""}} {
		r, _ := p.Refusal(rule)
		var got []string
		for _, violation := range []string{"", "b", "c", "d"} {
			kind := r.WordsOf(map[string]string{"a": violation}).Type
			if kind == nil {
				kind = new("")
			}
			got = append(got, *kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is refused with the types %q, want %q", rule, got, want)
		}
	}
}

// TestParseBeside: a file may be built upon another one of its folder, and one of Loopproof's own
// may be read again.
func TestParseBeside(t *testing.T) {
	folder := fstest.MapFS{"a-provider.yaml": {Data: []byte(small)}, "a-scenario.yaml": {Data: []byte("model: [")}}
	p, err := profiles.ParseBeside(folder, "derived.yaml", []byte("loopproof: 1\ntitle: Derived\nlike: a-provider\n"))
	if err != nil || p.Name != "derived" || len(p.Refuses) != 1 {
		t.Errorf("read %v, %v", p, err)
	}
	p, err = profiles.Parse("openai.yaml", []byte(small))
	if err != nil || p.Title != "Acme" {
		t.Errorf("read %v, %v", p, err)
	}
}

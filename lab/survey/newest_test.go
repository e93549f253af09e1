package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// The versions of every adapter and agent are found in its files.
func TestEveryAdapterIsPinned(t *testing.T) {
	t.Chdir("../..")
	for _, a := range adapters(theLoops(t)) {
		names, versions := a.packages(read(t, path.Join(a.folder, a.file)))
		if len(names) == 0 || slices.Contains(names, "") || slices.Contains(names, "node") {
			t.Errorf("%s: %s in %s", a.folder, names, a.file)
		}
		for name, version := range versions {
			if version < "0" || version > ":" {
				t.Errorf("%s: %s has the version %q", a.folder, name, version)
			}
		}
	}
}

func TestVersionsAreSet(t *testing.T) {
	for language, c := range map[string]struct {
		was, now string
		newest   map[string]string
	}{
		"python": {"a[x,y]==1.2\nb-c==3.0.1\n", "a[x,y]==1.3\nb-c==3.0.1\n", map[string]string{"a[x,y]": "1.3", "b-c": "3.0.1"}},
		"node":   {`{"engines": {"node": ">=22"}, "dependencies": {"@a/b": "1.2.0", "c": "4.0.0"}}`, `{"engines": {"node": ">=22"}, "dependencies": {"@a/b": "2.0.0", "c": "4.0.0"}}`, map[string]string{"@a/b": "2.0.0"}},
		"go":     {"require a.io/b v0.7.36\n\nrequire (\n\tc.io/d v1.2.0\n\te.io/f v1.0.0 // indirect\n\tg.io/h v0.0.0\n)\n", "require a.io/b v0.8.0\n\nrequire (\n\tc.io/d v1.2.0\n\te.io/f v1.0.0 // indirect\n\tg.io/h v0.0.0\n)\n", map[string]string{"a.io/b": "0.8.0", "e.io/f": "2", "g.io/h": "2"}},
		"rust":   {"version = \"0.0.0\"\nrig = \"=0.44.0\"\nfutures = \"0.3\"\n", "version = \"0.0.0\"\nrig = \"=0.46.0\"\nfutures = \"0.3\"\n", map[string]string{"rig": "0.46.0", "futures": "1"}},
	} {
		if diff := cmp.Diff(c.now, pinnings[language].set(c.was, c.newest)); diff != "" {
			t.Errorf("%s: %s", language, diff)
		}
	}
	const agent = "title: A\npackage: \"@a/b@1.2.3\"\nabout: \"@a/b@1.2.3\"\n"
	if got := agentPackage.set(agent, map[string]string{"@a/b": "1.3.0"}); got != "title: A\npackage: \"@a/b@1.3.0\"\nabout: \"@a/b@1.2.3\"\n" {
		t.Error(got)
	}
	if _, java := pinnings["java"].packages("<artifactId>a</artifactId>\n<version>1.0</version><b.version>2.1</b.version>"); java["a"] != "1.0" || java["b"] != "2.1" {
		t.Error(java)
	}
}

func TestVersionsInTexts(t *testing.T) {
	for text, want := range map[string]string{
		"llm 0.36 is":        "llm 0.37 is",
		`"0.36"`:             `"0.37"`,
		"It is 0.36.":        "It is 0.37.",
		"10.36 0.36.1 0.365": "10.36 0.36.1 0.365",
		"0.36":               "0.37",
	} {
		if got := replaceVersion(text, "0.36", "0.37"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// standInPinning has an adapter whose newest version is what a test says.
func standInPinning(newest string, wrong error) pinning {
	return pinning{file: "pins", pattern: regexp.MustCompile(`(?m)^(\S+)=(\S+)$`), newest: func(context.Context, string, []string) (map[string]string, error) {
		return map[string]string{"l": newest}, wrong
	}}
}

// A newer version is played, and what cannot be played stays as it was and is stale since then.
func TestNewerVersions(t *testing.T) {
	for name, c := range map[string]struct {
		newest, plays string // the version, and the folder that has the stand-in play it
		wrong         error
		stale         int
		pins, since   string
		said          string
	}{
		"nothing newer":   {"1.2.2", "good", nil, 0, "l=1.2.2", "", "No newer version was played."},
		"a newer one":     {"1.2.3", "good", nil, 0, "l=1.2.3", "", "| L | 1.2.2 | 1.2.3 | 1 |  | retry/told-not-to | l 1.2.3 |"},
		"it falls over":   {"1.2.3", "broken", nil, 1, "l=1.2.2", "2026-12-01", "## Could not be played\n\n- l, l 1.2.3: ./loopproof run"},
		"nobody can tell": {"", "good", errors.New("no network"), 1, "l=1.2.2", "", "- lab/adapters/node/l: no network"},
	} {
		t.Run(name, func(t *testing.T) {
			p := inFolder(t)
			l := fetched("l", c.plays)
			l.Title = "L"
			for file, text := range map[string]string{
				l.Adapter + "/pins":      "l=1.2.2\n",
				l.Adapter + "/README.md": "It is l 1.2.2.\n",
				c.plays + "/there":       "",
			} {
				if err := os.MkdirAll(path.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			earlier := failing("retry/bounded", "must")
			earlier.Version, earlier.Failed = "1.2.2", nil
			file, err := earlier.Write(l.Folder)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(read(t, file)+"passed: {must: {retry: {told-not-to: 1}}}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"init", "--quiet"}, {"add", "."}} {
				if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %s", err, out)
				}
			}
			known := &matrix.Newest{Format: 1}
			a := &adapter{folder: l.Adapter, pinning: standInPinning(c.newest, c.wrong), loops: []*matrix.Loop{l}}
			stale, err := p.renewAdapter(t.Context(), a, known, "2026-12-01")
			if err != nil || stale != c.stale {
				t.Errorf("%d stale, %v; it said:\n%s", stale, err, p.out)
			}
			if got := strings.TrimSpace(read(t, l.Adapter+"/pins")); got != c.pins {
				t.Errorf("the adapter has %s, want %s", got, c.pins)
			}
			if got, want := read(t, l.Adapter+"/README.md"), "It is l "+strings.TrimPrefix(c.pins, "l=")+".\n"; got != want {
				t.Errorf("its README says %q, want %q", got, want)
			}
			since := ""
			for _, s := range known.Stale {
				since = s.Since
			}
			if since != c.since {
				t.Errorf("it is stale since %q, want %q", since, c.since)
			}
			if text := p.summary.text([]string{"something"}); !strings.Contains(text, c.said) || !strings.Contains(text, "\n- something\n") {
				t.Errorf("the summary is\n%s", text)
			}
		})
	}
}

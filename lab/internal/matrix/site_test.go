package matrix_test

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`

// hostile is a report in which every text that comes from others is hostile.
func hostile(t *testing.T) *report.Report {
	r := complete(t)
	breaks(r, 2, brokenShould)
	r.Loop.Name, r.Loop.Language, r.Loop.Version = evil, evil, "2.0.0 "+evil
	r.Claims.Designs = append(r.Claims.Designs, evil)
	c := &r.Cases[1]
	c.Reproduce += " " + evil
	c.ProviderAnswer = &report.Answer{Provider: evil, Status: 400, Message: evil, Rule: brokenMust, Request: 2}
	c.Findings[0].Message, c.Findings[0].Expected, c.Findings[0].Actual, c.Findings[0].Pointer = evil, evil, evil, evil
	c.Findings[0].Exhibit, c.Findings[0].Answered = evil, evil+"\x1b[31m\u202e"
	c.Trace.Requests[0].Body = report.TracedBody{Text: evil, Bytes: len(evil)}
	c.Trace.Requests[0].Headers = map[string]string{evil: evil}
	for i := range r.Rules {
		if r.Rules[i].ID == brokenMust {
			r.Rules[i].Sources = []report.Source{{URL: "javascript:alert(1)", Says: evil}}
		}
	}
	return r
}

// results writes a folder of three loops: one with two versions, one that was judged by older
// rules, and a hostile one.
func results(t *testing.T) (dir, archive string) {
	t.Helper()
	later := complete(t)
	later.Loop.Version, later.Result = "1.3.0", report.NotConformant
	for i := range later.Rules { // 1.3.0 has repaired the must, and breaks a should
		if rule := &later.Rules[i]; rule.ID == brokenMust {
			rule.Verdict, rule.Cases, rule.Failed, rule.Level = trace.Passed, 1, 0, trace.Must
		}
	}
	later.Result = report.Conformant
	untested := &later.Rules[len(later.Rules)-1]
	untested.Verdict, untested.Cases, untested.Level = trace.Untested, 0, trace.Should
	delete(later.Cases[0].Verdicts, untested.ID)
	later.Cases[1].Findings, later.Cases[1].Trace, later.Cases[1].Reproduce = []report.Finding{}, nil, ""
	delete(later.Cases[1].Verdicts, brokenMust)
	breaks(later, 2, brokenShould)
	acme := folder(t, "acme", loopFile, complete(t), later)
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("Acme", string(quoted), "a bug", string(quoted), "It forgets", string(quoted), "it-forgets", matrix.HeadingID(evil), "./acme", evil).Replace(loopFile)
	text = strings.Replace(text, "command: loopproof run -- "+evil, "command: 'loopproof run -- "+evil+"'\nabout: "+string(quoted)+"\nsetup: ["+string(quoted)+"]", 1)
	old := complete(t)
	old.Rulebook, old.Rules = "0123456789ab", slices.DeleteFunc(old.Rules, func(r report.Rule) bool { return r.ID == "egress/no-private-fields" })
	delete(old.Cases[0].Verdicts, "egress/no-private-fields")
	oldLoop := folder(t, "old", strings.Replace(loopFile, "Acme", "Old", 1), old)
	evilLoop := folder(t, "evil", text, hostile(t))
	dir = filepath.Dir(acme)
	for _, other := range []string{evilLoop, oldLoop} {
		for from, to := range map[string]string{other: dir, filepath.Join(archiveOf(other), filepath.Base(other)): archiveOf(acme)} {
			if err := os.Rename(from, filepath.Join(to, filepath.Base(other))); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir, archiveOf(acme)
}

func rendered(t *testing.T) matrix.Site {
	t.Helper()
	loops, err := matrix.Load(results(t))
	if err != nil {
		t.Fatal(err)
	}
	site, err := matrix.Render(loops)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(loops)
	again, err := matrix.Render(loops)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(site, again, bytes.Equal) {
		t.Error("the same results are rendered differently")
	}
	return site
}

func TestSite(t *testing.T) {
	site := rendered(t)
	t.Run("escaped", func(t *testing.T) { checkEscaped(t, site) })
	t.Run("links", func(t *testing.T) { checkLinks(t, site) })
	t.Run("written", func(t *testing.T) { checkWritten(t, site) })
	for file, wants := range map[string][]string{
		"loops/acme.html":                                     {"Acme", "1.3.0", "kept now: " + brokenMust, "failing now: " + brokenShould, `href="../loops/acme/1.2.3.html"`, "No case gave evidence"},
		"loops/acme/1.2.3.html":                               {"an earlier version", "a bug", "It forgets</bdi>", `href="../../docs/findings/acme.html#it-forgets"`, "https://example.com/issues/1", "1 must broken", "loopproof run --case ", "in 1 of 2 cases", `<img src="../../pictures/acme/1.2.3/pairing.every-call-answered.svg"`},
		"loops/evil.html":                                     {"not yet examined"},
		"rules/egress/no-private-fields.html":                 {"not yet examined", ">Acme</bdi>"},
		"rules/pairing/every-call-answered.html":              {"<h2 id=\"providers\">", "how that is known"},
		"areas/pairing.html":                                  {`title="Acme: kept, in 1 case"`, `<span class="hidden">kept</span>`},
		"areas/egress.html":                                   {`title="Old: not judged"`, `title="Old: does not apply"`},
		"providers/mistral.html":                              {"What it refuses", "loopproof serve --profile mistral"},
		"pictures/acme/1.2.3/pairing.every-call-answered.svg": {"<svg", "a call without an answer"},
		"index.html":                                          {`<span class="unexamined">1</span>`, "These are the stored results of 3 loops"},
	} {
		for _, want := range wants {
			if !strings.Contains(string(site[file]), want) {
				t.Errorf("%s does not say %q", file, want)
			}
		}
	}
	if strings.Contains(string(site["index.html"]), "score:") && strings.Contains(string(site["index.html"]), "%") {
		t.Error("there is a score")
	}
}

// Texts of other people are text, on every page.
func checkEscaped(t *testing.T, site matrix.Site) {
	for file, data := range site {
		text := string(data)
		if strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x") || strings.Contains(text, `href="javascript`) || strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s has something hostile", file)
		}
	}
	if !strings.Contains(string(site["loops/evil.html"]), html.EscapeString("<script>alert(1)</script>")) {
		t.Error("the hostile text is not there at all")
	}
}

var (
	hrefs = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	ids   = regexp.MustCompile(` id="([^"]*)"`)
)

// Every link within the site leads to a page that is there, and to a place on it; each place is
// there once. Those to the documentation are checked where it is rendered.
func checkLinks(t *testing.T, site matrix.Site) {
	places := map[string]bool{}
	for file, data := range site {
		places[file] = true
		for _, id := range ids.FindAllSubmatch(data, -1) {
			place := file + "#" + html.UnescapeString(string(id[1]))
			if places[place] {
				t.Errorf("%s is there twice", place)
			}
			places[place] = true
		}
	}
	checked := 0
	for file, data := range site {
		if !strings.HasSuffix(file, ".html") {
			continue
		}
		for _, match := range hrefs.FindAllSubmatch(data, -1) {
			u, err := url.Parse(html.UnescapeString(string(match[1])))
			if err != nil || u.Scheme != "" {
				continue
			}
			target := path.Join(path.Dir(file), u.Path)
			if strings.HasPrefix(target, "docs/") {
				continue
			}
			if u.Path == "" {
				target = file
			}
			if u.Fragment != "" {
				target += "#" + u.Fragment
			}
			checked++
			if !places[target] {
				t.Errorf("%s leads to %s, which is not there", file, target)
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d links were checked", checked)
	}
}

// A site takes the place of an earlier one, and of nothing else.
func checkWritten(t *testing.T, site matrix.Site) {
	few := matrix.Site{".loopproof-matrix": nil, "index.html": site["index.html"], "loops/acme.html": nil}
	dir := filepath.Join(t.TempDir(), "new", "site")
	if err := few.Write(dir); err != nil {
		t.Fatal(err)
	}
	delete(few, "loops/acme.html")
	if err := few.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "loops")); err == nil {
		t.Error("the earlier site is still there")
	}
	other := t.TempDir()
	write(t, filepath.Join(other, "thesis.txt"), "years of work")
	contains(t, few.Write(other), "is not empty, and was not written by lab/matrix")
	if _, err := os.Stat(filepath.Join(other, "thesis.txt")); err != nil {
		t.Error(err)
	}
}

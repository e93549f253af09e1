package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// run runs the command in a folder with the results of an older rulebook, and returns what it says.
func run(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	cmd := newCommand()
	cmd.SetOut(&b)
	cmd.SetArgs(args)
	err = cmd.Execute()
	return b.String(), err
}

func inACopy(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// A complete report is checked, stored, and published with others.
func TestReportsAreCheckedStoredAndPublished(t *testing.T) {
	inACopy(t)
	for _, args := range []string{"init --quiet", "add .", "-c user.name=A -c user.email=a@example.com commit --quiet --message=all"} { // by which it is confirmed
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	for _, step := range []struct {
		args, says string
	}{
		{"verify old", `^old/acme/1.2.3.yaml is valid: Acme 1.2.3 \(go\), 3 cases, seed 41\n  it was judged by other rules, scenarios or profiles than those of this version`},
		{"verify old", `\n  not yet examined: 1 broken must, 0 broken shoulds\n    [a-z]+/[a-z-]+\n$`},
		{"verify old/acme", `is valid`},
		{"verify report", `\n  1 must broken; loop.yaml in the folder of the loop says whose fault that is\n$`},
		{"store --archive archive report results/acme-again", `^archive/acme-again/1.2.3.json written\nresults/acme-again/1.2.3.yaml written\nresults/acme-again/loop.yaml written: complete it, and say whose fault each broken must is\n$`},
		{"verify results", `\n  it is self-reported: nobody of this project has played it\n`},
		{"store --confirm report results/acme-again", `^every rule came out as it was reported\nresults/acme-again/1.2.3.yaml written\n$`},
		{"verify results", `seed \d+\n  it was judged by other`},
		{"store report results/acme-again", `written\n$`},
		{"--out site old", `^\d+ files of 1 loop written; open site/index.html\n$`},
		{"--archive archive --out site results", `^\d+ files of 1 loop written`},
		{"verify --archive archive results", `it is what its report in the archive says`},
	} {
		out, err := run(t, strings.Fields(step.args)...)
		if err != nil || !regexp.MustCompile(step.says).MatchString(out) {
			t.Errorf("%s: %v, and it says %q", step.args, err, out)
		}
	}
	for _, file := range []string{"index.html", "rules/pairing/every-call-answered.html", "providers/openai.html", "areas/pairing.html", "matrix.css"} {
		if _, err := os.Stat(filepath.Join("site", file)); err != nil {
			t.Error(err)
		}
	}
	if page, _ := os.ReadFile("site/loops/acme-again.html"); !bytes.Contains(page, []byte("not yet examined")) {
		t.Error("the page of the loop does not say that its failure was not examined")
	}
}

func TestBadInput(t *testing.T) {
	inACopy(t)
	if err := os.Mkdir("empty", 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("broken.json", "{\n \"schema\"; 1\n")
	for args, says := range map[string]string{
		"old":                          "--out is missing",
		"--out site":                   "name the folder of results",
		"--out site nowhere":           "the folder of results cannot be read: open nowhere",
		"--out old old":                "the folder old is not empty, and was not written by lab/matrix",
		"--out site empty":             "the folder empty has no results",
		"verify":                       "name a report or a folder, as in: go run ./matrix verify results/acme-loop",
		"verify nowhere":               "expected a report or a folder of results",
		"verify broken.json":           "broken.json:2:10: not JSON: ",
		"store out":                    "name a report and the folder of its loop",
		"store empty new":              "the folder empty has no report.json",
		"store --confirm report new":   "nothing was reported that could be confirmed",
		"verify --archive nowhere old": "the archive cannot be read",
	} {
		if _, err := run(t, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, expected %q", args, err, says)
		}
	}
	same, err := os.ReadFile("old/acme/1.2.3.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write("old/acme/again.yaml", string(same))
	if _, err := run(t, "--out", "site", "old"); err == nil || !strings.Contains(err.Error(), "again.yaml: /version: 1.2.3 is also the version of old/acme/1.2.3.yaml") {
		t.Error(err)
	}
}

// A report from elsewhere can hold links: they do not lead out of its folder.
func TestLinksDoNotLeadOut(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "passwd")
	if err := os.WriteFile(outside, []byte("root:x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"report.json", "acme/loop.yaml"} {
		t.Chdir(t.TempDir())
		if err := os.MkdirAll("acme", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, link); err != nil {
			t.Skip(err)
		}
		if _, err := run(t, "verify", "."); err == nil || !strings.Contains(err.Error(), "leads out of the folder") || strings.Contains(err.Error(), "root:x") {
			t.Errorf("%s: %v", link, err)
		}
	}
}

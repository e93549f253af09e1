package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that may come with a pull request does not lead to other files of the machine: a link in
// it is refused, and neither an error nor what is written has a word of the file to which it leads.
func TestLinksDoNotLeadOut(t *testing.T) {
	const secret = "root:x:0:0:the-secret:/root"
	outer := t.TempDir()
	outside := filepath.Join(outer, "passwd")
	if err := os.WriteFile(outside, []byte(secret), 0o666); err != nil {
		t.Fatal(err)
	}
	const script = "# It links.\nloopproof: 1\ntitle: t\nprompt: Hello?\n"
	mapping := `{"request":{"method":"POST","urlPath":"/v1/chat/completions"},"response":{"status":200,"bodyFileName":"link.json"}}`
	for _, c := range []struct {
		name  string
		files map[string]string
		link  string
		to    string // "": the file outside
		args  []string
		code  int
	}{
		{"fixture", map[string]string{"a.yaml": script + "model: [{fixture: link.http}]\n"}, "link.http", "", []string{"validate", "."}, 2},
		{"fixture of a file", map[string]string{"a.yaml": script + "model: [{fixture: link.http}]\n"}, "link.http", "", []string{"serve", "--addr", "127.0.0.1:0", "--scenario", "a.yaml"}, 2},
		{"fixture in a folder that is a link", map[string]string{"a.yaml": script + "model: [{fixture: b/passwd}]\n"}, "b", outer, []string{"validate", "a.yaml"}, 2},
		{"result", map[string]string{"a.yaml": script + "tools: {get: {results: [{file: link.txt}]}}\nmodel: [{text: Hi.}]\n"}, "link.txt", "", []string{"run", "--scenarios", ".", "--scenario", "a"}, 2},
		{"scenario", nil, "a.yaml", "", []string{"validate", "."}, 2},
		{"scenario that is served", nil, "a.yaml", "", []string{"serve", "--addr", "127.0.0.1:0", "--scenario", "."}, 2},
		{"scenario that is run", nil, "a.yaml", "", []string{"run", "--scenarios", "."}, 2},
		{"profile", nil, "mine.yaml", "", []string{"list", "profiles", "--profiles", "."}, 2},
		{"reports that are merged", nil, "report.json", "", []string{"report", "merge", "--report", "whole", "."}, 2},
		{"mapping", nil, "a.json", "", []string{"import", "--out", "out", "."}, 2},
		{"body", map[string]string{"mappings/a.json": mapping, "__files/b.json": "{}"}, "__files/link.json", "", []string{"import", "--out", "out", "."}, 2},
		{"bodies", map[string]string{"mappings/a.json": strings.Replace(mapping, "link.json", "passwd", 1)}, "__files", outer, []string{"import", "--out", "out", "."}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for name, text := range c.files {
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
					t.Fatal(err)
				}
			}
			to := c.to
			if to == "" {
				to = outside
			}
			if err := os.Symlink(to, c.link); err != nil {
				t.Skip(err)
			}
			var said bytes.Buffer
			code := execute(c.args, streams{out: &said, err: &said, width: 100})
			if code != c.code || !strings.Contains(said.String(), "leads out of the folder") || strings.Contains(said.String(), "root:x") {
				t.Errorf("%q ends with %d, and says:\n%s", c.args, code, &said)
			}
			filepath.WalkDir(dir, func(file string, entry fs.DirEntry, _ error) error {
				if entry.Type().IsRegular() {
					if text, _ := os.ReadFile(file); bytes.Contains(text, []byte("root:x")) {
						t.Errorf("%s has the text of a file outside", file)
					}
				}
				return nil
			})
		})
	}
}

// Links within a folder are followed: Kubernetes keeps the files of a volume so. A file that is
// named may be a link anywhere.
func TestLinksWithinAFolder(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "scripts")
	text := "# It greets.\nloopproof: 1\ntitle: t\nprompt: Hello?\nmodel: [{text: Hi.}]\n"
	err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "..2026_11_28"), 0o777), os.WriteFile(filepath.Join(dir, "..2026_11_28", "a.yaml"), []byte(text), 0o666),
		os.Symlink("..2026_11_28", filepath.Join(dir, "..data")), os.Symlink("..data/a.yaml", filepath.Join(dir, "a.yaml")),
		os.Symlink(filepath.Join(dir, "a.yaml"), filepath.Join(outer, "named.yaml")), os.Symlink(dir, filepath.Join(outer, "linked")),
	)
	if err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"validate", dir}, {"validate", filepath.Join(outer, "linked")}, {"validate", filepath.Join(outer, "named.yaml")},
		{"list", "scenarios", "--scenarios", dir}, {"list", "scenarios", "--scenarios", filepath.Join(outer, "named.yaml")},
	} {
		var said bytes.Buffer
		if code := execute(args, streams{out: &said, err: &said, width: 100}); code != 0 {
			t.Errorf("%q ends with %d, and says:\n%s", args, code, &said)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRelative(t *testing.T) {
	for _, c := range []struct{ folder, by, text, want string }{
		{"/home/me/here", ".", `"at file:///home/me/here/adapters/a.mjs:3, in /home/me/here"`, `"at file://adapters/a.mjs:3, in ."`},
		{"/home/me/here", ".", `"at /home/me/he","cut":true`, `"at ","cut":true`},
		{"/home/me/here", ".", `"\"at /home/me/h\" … \"adapters/a.mjs\""`, `"\"at \" … \"adapters/a.mjs\""`},
		{"/home/me/here", ".", `/home/me/heresy, "/home/you", "/home", "/home/"`, `/home/me/heresy, "/home/you", "/home", "/home/"`},
		{"/home/me/art", "../art", `node adapter.mjs /home/me/art --seed 4, /home/me/art/a.js`, `node adapter.mjs ../art --seed 4, ../art/a.js`},
		{"/srv", ".", `a tool that lists /srv/a`, `a tool that lists /srv/a`},
		{`C:\work\here`, ".", `C:\\work\\here`, `C:\\work\\here`},
	} {
		if got := relative(c.text, c.folder, c.by); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestStoredReportNamesNoFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(filepath.Dir(here), "art")
	if err := os.WriteFile("r.json", []byte(here+"/a "+there+"/b"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := withoutFolders("r.json", there); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("r.json"); err != nil || string(got) != "a ../art/b" {
		t.Error(string(got), err)
	}
}

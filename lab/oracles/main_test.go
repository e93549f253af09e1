package main

import (
	"os"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
)

// TestOracles: every oracle has its folder, and stands for profiles of its dialects.
func TestOracles(t *testing.T) {
	for _, o := range oracles() {
		if info, err := os.Stat(o.name); err != nil || !info.IsDir() {
			t.Errorf("%s has no folder: %v", o.name, err)
		}
		for _, s := range o.sides {
			p, err := profiles.Get(s.profile)
			if err != nil {
				t.Errorf("%s: %v", o.name, err)
				continue
			}
			if p.Dialect != s.dialect {
				t.Errorf("%s: the profile %s is of the dialect %s, not %s", o.name, s.profile, p.Dialect, s.dialect)
			}
		}
	}
}

func TestLatestIsNoOlder(t *testing.T) {
	sglang := &oracle{code: code{"SGLang", "sglang", "0.5.23"}}
	if got := (&workshop{oracle: sglang, options: &options{}}).requirement(); got != "sglang==0.5.23" {
		t.Errorf("pinned, pip is asked for %s", got)
	}
	if got := (&workshop{oracle: sglang, options: &options{latest: true}}).requirement(); got != "sglang>=0.5.23" {
		t.Errorf("for the latest version, pip is asked for %s", got)
	}
}

func TestChooseNamesWhatThereIs(t *testing.T) {
	_, err := choose([]string{"olama"})
	if err == nil || !strings.Contains(err.Error(), `there is no oracle "olama"`) || !strings.Contains(err.Error(), "ollama") {
		t.Errorf("the error is %v", err)
	}
	if all, err := choose(nil); err != nil || len(all) != len(oracles()) {
		t.Errorf("without names %d oracles are chosen: %v", len(all), err)
	}
}

func TestDifferences(t *testing.T) {
	if err := differences("x.json", "a\nb\n", "a\nb\n"); err != nil {
		t.Errorf("equal results differ: %v", err)
	}
	err := differences("x.json", "a\nb\n", "a\nc\n")
	if err == nil || !strings.Contains(err.Error(), "now c\nwas b") {
		t.Errorf("the error is %v", err)
	}
}

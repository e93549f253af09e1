package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

func TestExamined(t *testing.T) {
	const file = "docs/findings/l.md"
	const page = "# L\n\n## A `blank` answer stays, too\n\nTheirs: [o/r#7](https://github.com/o/r/issues/7), https://github.com/o/r/pull/8.\n\n## Other\n\nhttps://github.com/o/r/issues/9\n"
	const here = "https://github.com/loopproof/loopproof/blob/main/docs/findings/"
	for said, want := range map[string]matrix.Verdict{
		"":                            {Verdict: "not yet examined"},
		"`null` is answered":          {Verdict: "null is answered"},
		"[a choice](https://e.org/x)": {Verdict: "a choice", Link: "https://e.org/x"},
		"[a bug](#a-blank-answer-stays-too), repaired in 7.x": {
			Verdict: "a bug, repaired in 7.x: A blank answer stays, too", Link: here + "l.md#a-blank-answer-stays-too",
			Upstream: []string{"https://github.com/o/r/issues/7", "https://github.com/o/r/pull/8"},
		},
		"[the same](#other)":                       {Verdict: "the same: Other", Link: here + "l.md#other", Upstream: []string{"https://github.com/o/r/issues/9"}},
		"[odd answers](odd-answers.md): every one": {Verdict: "how it reads an odd answer of a gateway: every one", Link: here + "odd-answers.md"},
		"[limits](#not-there)":                     {Verdict: "limits", Link: here + "l.md#not-there"},
	} {
		if diff := cmp.Diff(want, examined(file, page, said)); diff != "" {
			t.Errorf("%q: %s", said, diff)
		}
	}
}

func TestSpelledOut(t *testing.T) {
	verdicts := map[string]string{"a/a": "[the same](#x), rarely", "a/b": "[another](#y)", "a/c": "[a bug](#x), repaired", "a/d": "[the same bug](#z)"}
	ids := []string{"a/a", "a/b", "a/c", "a/d"}
	for id, want := range map[string]string{"a/a": "[a bug](#x), rarely", "a/b": "[another](#y)", "a/d": "[the same bug](#z)"} {
		if got := spelledOut(verdicts[id], ids, verdicts); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

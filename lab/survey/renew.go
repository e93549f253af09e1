package main

import (
	"fmt"
	"os"

	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// renew writes the list of all loops again. It returns the open questions.
func renew() (unseen []string, err error) {
	loops, err := matrix.Load(matrix.ResultsFolder, "")
	if err != nil { // a verdict is missing, or there is one too many: the list waits for it
		return []string{err.Error()}, nil
	}
	text, err := matrix.Readme(loops)
	if err != nil {
		return nil, err
	}
	return openQuestions(loops), os.WriteFile(matrix.ReadmeFile, []byte(text), 0o666)
}

// openQuestions returns failures that nobody has examined, entries of lists without a reason, and
// loops without a list that break a must.
func openQuestions(loops []*matrix.Loop) (unseen []string) {
	for _, l := range loops {
		newest := l.Versions[0]
		musts, shoulds := newest.Unexamined()
		for _, rule := range append(musts, shoulds...) {
			unseen = append(unseen, fmt.Sprintf("%s: %s has no verdict in %s/%s", l.Name, rule, l.Folder, matrix.LoopFileName))
		}
		if l.Known() == "" {
			if n := newest.Result.Broken("must"); n > 0 {
				unseen = append(unseen, fmt.Sprintf("%s is not conformant any more, %s broken: give it a list of known failures, or repair what is ours",
					l.Name, textlayout.Count(n, "must")))
			}
		} else if _, err := knownfailing.Load(l.Known()); err != nil {
			unseen = append(unseen, fmt.Sprintf("%s: %v", l.Name, err))
		}
	}
	return unseen
}

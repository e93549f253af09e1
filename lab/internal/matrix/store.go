package matrix

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// Archive writes a verified report into an archive, without what the loop itself wrote into its
// requests: [WithoutForeign]. It returns the file.
func Archive(r *report.Report, archive, loop string) (string, error) {
	var whole, b bytes.Buffer
	if err := r.Write(&whole); err != nil {
		return "", err
	}
	own, err := report.Read(&whole) // what is changed is ours
	if err != nil {
		return "", err
	}
	WithoutForeign(own)
	if err := own.Write(&b); err != nil {
		return "", err
	}
	file := filepath.Join(archive, loop, slug(r.Loop.Version)+".json")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, b.Bytes(), 0o666)
}

// Store writes the result of a verified report into the folder of a loop, and returns the file. The
// commit is that by which this project played the loop; "" says that others did: the result is
// marked as self-reported.
func Store(r *report.Report, folder, commit string) (string, error) {
	res, err := NewResult(r, commit)
	if err != nil {
		return "", err
	}
	return res.Write(folder)
}

// Confirmed says in which rules the result of a report differs from the one that is stored of the same
// version, which its authors reported.
func Confirmed(r *report.Report, folder string) (differs []string, err error) {
	stored, err := readResult(filepath.Join(folder, slug(r.Loop.Version)+".yaml"))
	if err != nil {
		return nil, err
	}
	told := map[string]report.Verdict{}
	for _, rule := range stored.rules() {
		told[rule.ID] = rule.Verdict
	}
	for _, rule := range r.Rules {
		if was, judged := told[rule.ID]; judged && was != rule.Verdict {
			differs = append(differs, fmt.Sprintf("%s is %s, and %s was reported", rule.ID, rule.Verdict, was))
		}
	}
	return differs, nil
}

// Begin writes a loop.yaml for a report into a folder that has none. It reports whether it did.
func Begin(r *report.Report, folder string) (bool, error) {
	file := filepath.Join(folder, LoopFileName)
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	var b strings.Builder
	b.WriteString("# What this loop is, and whose fault its failures are; lab/results/README.md describes the keys.\nloopproof: 1\n")
	fmt.Fprintf(&b, "title: %s\n", wire.Quote(r.Loop.Name))
	fmt.Fprintf(&b, "command: %s\n", wire.Quote(cmp.Or(commandOf(r), "loopproof run -- ")))
	if musts := BrokenMusts(r); len(musts) > 0 {
		b.WriteString("verdicts: # whose fault each broken must is\n")
		for _, id := range musts {
			fmt.Fprintf(&b, "  %s: {verdict: %s}\n", id, NotExamined)
		}
	}
	return true, os.WriteFile(file, []byte(b.String()), 0o666)
}

var oneCase = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` --case \S+ --seed \d+`) })

// commandOf returns the command that played a report, or "" if no case says it.
func commandOf(r *report.Report) string {
	for i := range r.Cases {
		if again := r.Cases[i].Reproduce; strings.HasPrefix(again, "loopproof run") {
			return oneCase().ReplaceAllString(again, "")
		}
	}
	return ""
}

// Unexamined returns the musts and shoulds that a report breaks and that nobody has examined.
func (v *Version) Unexamined() (musts, shoulds []string) {
	for _, rule := range v.Rules {
		if rule.Verdict != report.Failed || v.verdict(rule.ID).Examined() {
			continue
		}
		switch rule.Level {
		case report.Must:
			musts = append(musts, rule.ID)
		case report.Should:
			shoulds = append(shoulds, rule.ID)
		}
	}
	return musts, shoulds
}

// verdict returns what a person found out about a broken rule of the version.
func (v *Version) verdict(rule string) Verdict {
	if !v.loop.examines(v.Loop.Version) {
		return Verdict{}
	}
	return v.loop.verdict(rule)
}

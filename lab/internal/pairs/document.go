package pairs

import (
	"fmt"
	"strings"
)

const head = `# Before and after public fixes

Does Loopproof find the bugs that people really had? Each row is a bug that a public project repaired. The last version
that has it and the first one without it were installed from their registry and played with the same adapter, the same
cases and the same seed. The pair counts as told apart if the bad version breaks each rule and the good one keeps it in
all cases.

    cd lab && go run ./pairs                       # all: some minutes; the first time it also installs the packages
    cd lab && go run ./pairs run-tools-missing-ids # one

The pairs are in [a list](https://github.com/loopproof/loopproof/blob/main/lab/adapters/pairs/pairs.yaml), and
[CONTRIBUTING.md](../../../CONTRIBUTING.md#a-pair-of-versions) says how to add one. Other rules that a version breaks
are not counted here: [findings](../../results/README.md) has those of current versions.

`

// Page returns what came out as a page in Markdown, whose links are from the folder of the list.
// The current folder is the root of the repository.
func Page() (string, error) {
	pairs, err := readPairs(ListFile)
	if err != nil {
		return "", err
	}
	var apart, same strings.Builder
	nApart, nSame := 0, 0
	for _, p := range pairs {
		r, err := readResult(p)
		if err != nil {
			return "", err
		}
		if p.Same == "" {
			nApart++
			apart.WriteString(row(p, r))
		} else {
			nSame++
			fmt.Fprintf(&same, "- **%s** ([fix](%s), %s %s and %s): %s\n", p.Title, p.Fix, p.Package, p.Bad, p.Good, strings.TrimSpace(p.Same))
		}
	}
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "## Told apart: %d\n\n| the bug, and its fix | rule | bad version | good version | what the bad version did | played |\n|---|---|---|---|---|---|\n", nApart)
	b.WriteString(apart.String())
	if nSame > 0 {
		fmt.Fprintf(&b, "\n## Not told apart: %d\n\n%s", nSame, same.String())
	}
	return b.String(), nil
}

// row is that of a pair.
func row(p pair, r result) string {
	var rules, found, badly, well []string
	for _, rule := range p.Rules {
		b, g := r.Bad.Rules[rule], r.Good.Rules[rule]
		rules = append(rules, fmt.Sprintf("[%s](../../../docs/rules.md#%s)", rule, strings.ReplaceAll(rule, "/", "")))
		badly = append(badly, fmt.Sprintf("fails %d of %d", b.Failed, b.Cases))
		well = append(well, fmt.Sprintf("passes %d of %d", g.Cases-g.Failed, g.Cases))
		if b.Found != nil {
			found = append(found, cell(b.Found.Message))
		}
	}
	lines := func(texts ...string) string { return strings.Join(texts, "<br>") }
	return fmt.Sprintf("| [%s](%s) | %s | %s | %s | %s | %s, %s |\n", cell(p.Title), p.Fix, lines(rules...),
		lines(append([]string{p.Package + " " + p.Bad}, badly...)...), lines(append([]string{p.Package + " " + p.Good}, well...)...),
		lines(found...), r.Date, r.Commit)
}

// cell is a text as it can be in a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

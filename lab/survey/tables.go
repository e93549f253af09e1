package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// indexTable is a table of docs/findings.md; its loops are of one kind.
func indexTable(kind string, loops []loop, results map[string]result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | version | cases | musts failed | shoulds failed | played | at the commit |\n|---|---|---|---|---|---|---|\n", kind)
	for _, l := range loops {
		r := results[l.Name]
		fmt.Fprintf(&b, "| [%s](findings/%s.md) | %s | %d | %d | %d | %s | %s |\n",
			l.Title, l.Name, r.Version, r.Cases, r.broken(trace.Must), r.broken(trace.Should), r.Date, r.Commit)
	}
	return b.String()
}

// pagePart is what the page of a loop says of its last run: numbers, and a table in which the verdicts that people wrote
// stay. It returns the rules that have none.
func pagePart(l loop, r result, old string) (text string, unseen []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "Version %s. It claims %s. %s, played on %s at the commit %s.\n", r.Version, listed(r.Features), r.summary(), r.Date, r.Commit)
	if len(r.Failed) > 0 {
		b.WriteString("\n| rule | level | cases | verdict |\n|---|---|---|---|\n")
	}
	verdicts := verdictsIn(old)
	for _, f := range r.Failed {
		verdict := verdicts[f.Rule]
		if verdict == "" {
			unseen = append(unseen, fmt.Sprintf("%s: %s (%s) has no verdict in %s", l.Name, f.Rule, f.Level, l.page()))
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s |\n", ruleLink(f.Rule), f.Level, f.Failed, f.Cases, verdict)
	}
	if len(r.Untested) > 0 {
		b.WriteString("\nUntested for lack of evidence: " + strings.Join(links(r.Untested), ", ") + ".\n")
	}
	return b.String(), unseen
}

var (
	rowOfRules = regexp.MustCompile(`(?m)^\| (\[.*\]\(.*\)) \| (?:must|should) \| [^|]* \| ([^|]*?) *\|$`)
	namedRule  = regexp.MustCompile(`\[([a-z]+/[a-z0-9-]+)\]`)
)

// verdictsIn returns the verdicts of a page by rule.
func verdictsIn(page string) map[string]string {
	verdicts := map[string]string{}
	for _, row := range rowOfRules.FindAllStringSubmatch(page, -1) {
		for _, rule := range namedRule.FindAllStringSubmatch(row[1], -1) {
			verdicts[rule[1]] = row[2]
		}
	}
	return verdicts
}

func ruleLink(id string) string {
	return fmt.Sprintf("[%s](../rules.md#%s)", id, strings.ReplaceAll(id, "/", ""))
}

func links(ids []string) []string {
	var all []string
	for _, id := range ids {
		all = append(all, ruleLink(id))
	}
	return all
}

func listed(features []protocol.Feature) string {
	var all []string
	for _, f := range features {
		all = append(all, string(f))
	}
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

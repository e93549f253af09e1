package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/lab/internal/adapterrun"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

// What the matrix publishes: docs/matrix.md.
const (
	publishedFolder = "lab/results"
	onGitHub        = "https://github.com/loopproof/loopproof/"
)

// published is the folder of a loop in the matrix.
func (l loop) published() string { return path.Join(publishedFolder, l.Name) }

// publish stores the report of a loop for the matrix.
func (l loop) publish(file string, r *report.Report) error {
	if err := matrix.Verify(file, r); err != nil {
		return fmt.Errorf("it cannot be published: %w", err)
	}
	stored, err := matrix.Store(r, l.published())
	if err != nil {
		return err
	}
	return withoutFolders(stored, l.Checkout)
}

// publishedLoops returns the descriptions of all loops that have a stored report, as they have to be.
func publishedLoops(loops []loop) ([]document, error) {
	var all []document
	for _, l := range loops {
		files, err := filepath.Glob(path.Join(l.published(), "*.json"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			continue
		}
		text, err := l.described(files)
		if err != nil {
			return nil, err
		}
		all = append(all, document{file: path.Join(l.published(), matrix.LoopFileName), text: text})
	}
	return all, nil
}

// described writes the description of a loop from what is known of it elsewhere.
func (l loop) described(reports []string) (string, error) {
	page, err := readText(l.page())
	if err != nil {
		return "", err
	}
	reasons, err := l.reasons()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by cd lab && go run ./survey from %s, %s and the list of known failures. Do not edit.\n", loopsFile, l.page())
	fmt.Fprintf(&b, "loopproof: 1\ntitle: %s\nadapter: %s\nfindings: %s\nsetup:\n", wire.Quote(l.Title), onGitHub+"tree/main/"+l.source(), onGitHub+"blob/main/"+l.page())
	setup := [][]string{l.installedByUsers()}
	if !l.isAgent() {
		setup = languages[l.language()].setup(l.Adapter)
	}
	for _, command := range setup {
		fmt.Fprintf(&b, "  - %s\n", wire.Quote(shellescape.QuoteCommand(command)))
	}
	fmt.Fprintf(&b, "command: %s\n", wire.Quote(shellescape.QuoteCommand(l.again())))
	broken, err := brokenIn(reports)
	if err != nil || len(broken) == 0 {
		return b.String(), err
	}
	about, err := l.examinedVersions(reports)
	if err != nil {
		return "", err
	}
	b.WriteString("verdicts:\n")
	verdicts := verdictsIn(page)
	for _, id := range broken {
		v := examined(l.page(), page, spelledOut(verdicts[id], broken, verdicts))
		v.Because = reasons[id]
		if v.Examined() {
			v.Versions = about
		}
		writeVerdict(&b, id, v)
	}
	return b.String(), nil
}

// again is the command that plays the loop for anyone.
func (l loop) again() []string {
	command := []string{"loopproof", "run"}
	if l.Timeout > 0 {
		command = append(command, "--timeout", l.Timeout.String())
	}
	return append(command, l.judged()...)
}

// examinedVersions returns the version that the page is about, if there are others.
func (l loop) examinedVersions(reports []string) ([]string, error) {
	if len(reports) == 1 {
		return nil, nil
	}
	last, _, err := readResult(l)
	return []string{last.Version}, err
}

func writeVerdict(b *strings.Builder, id string, v matrix.Verdict) {
	fmt.Fprintf(b, "  %s:\n    verdict: %s\n", id, wire.Quote(v.Verdict))
	writeList(b, "because", v.Because)
	if v.Link != "" {
		fmt.Fprintf(b, "    link: %s\n", wire.Quote(v.Link))
	}
	writeList(b, "upstream", v.Upstream)
	for _, version := range v.Versions {
		fmt.Fprintf(b, "    versions: [%s]\n", wire.Quote(version))
	}
}

func writeList(b *strings.Builder, key string, values []string) {
	if len(values) > 0 {
		fmt.Fprintf(b, "    %s:\n", key)
	}
	for _, value := range values {
		fmt.Fprintf(b, "      - %s\n", wire.Quote(value))
	}
}

// brokenIn returns the musts and shoulds that reports break, in the order of the rulebook.
func brokenIn(files []string) ([]string, error) {
	broken := map[string]bool{}
	for _, file := range files {
		r, err := adapterrun.ReadReport(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, rule := range r.Rules {
			if rule.Verdict == trace.Failed && rule.Level != trace.Info {
				broken[rule.ID] = true
			}
		}
	}
	return slices.DeleteFunc(rulebook.IDs(), func(id string) bool { return !broken[id] }), nil
}

// maxReasons is the maximum number of reasons of a rule that are published.
const maxReasons = 3

// reasons returns what the list of known failures says of each rule.
func (l loop) reasons() (map[string][]string, error) {
	all := map[string][]string{}
	if l.known() == "" {
		return all, nil
	}
	known, err := runner.LoadExpectations(l.known())
	if err != nil {
		return nil, err
	}
	for _, e := range known.Entries {
		if given := all[e.Rule]; len(given) < maxReasons && !slices.Contains(given, e.Reason) {
			all[e.Rule] = append(given, e.Reason)
		}
	}
	return all, nil
}

var (
	markdownLink = regexp.MustCompile(`\[([^\]]*)\]\(([^)]*)\)`)
	upstreamLink = regexp.MustCompile(`https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull|discussions|commit)/\w+`)
	theSame      = regexp.MustCompile(`^\[the same[^\]]*\]\(([^)]*)\)`)
	oddAnswers   = regexp.MustCompile(`^(odd answers|an odd answer)\b`)
)

// oddWord is the verdict on a page about what gateways and proxies were seen to answer.
const oddWord = "how it reads an odd answer of a gateway"

// examined makes a verdict of what the table of a page says: "[a bug](#a-heading), repaired in 7.x". The heading and the links to
// reports in its section come with it.
func examined(file, page, said string) matrix.Verdict {
	if said == "" {
		return matrix.Verdict{Verdict: matrix.NotExamined}
	}
	v := matrix.Verdict{Verdict: strings.ReplaceAll(markdownLink.ReplaceAllString(said, "$1"), "`", ""), Upstream: upstreamLink.FindAllString(said, -1)}
	link := markdownLink.FindStringSubmatch(said)
	if link == nil {
		return v
	}
	address, anchor, _ := strings.Cut(link[2], "#")
	switch {
	case strings.Contains(link[2], "://"):
		v.Link = link[2]
		return v
	case address == path.Base(oddFile):
		v.Verdict = oddAnswers.ReplaceAllLiteralString(v.Verdict, oddWord)
	case address == "":
		address = path.Base(file)
		heading, text := section(page, anchor)
		if heading != "" {
			v.Verdict += ": " + heading
		}
		v.Upstream = append(v.Upstream, upstreamLink.FindAllString(text, -1)...)
	}
	v.Link = onGitHub + "blob/main/" + path.Join(path.Dir(file), address)
	if anchor != "" {
		v.Link += "#" + anchor
	}
	slices.Sort(v.Upstream)
	v.Upstream = slices.Compact(v.Upstream)
	return v
}

// spelledOut returns a verdict in which "the same" is what the table says of another rule with the same link.
func spelledOut(said string, ids []string, verdicts map[string]string) string {
	same := theSame.FindStringSubmatch(said)
	if same == nil {
		return said
	}
	for _, id := range ids {
		other := verdicts[id]
		if link := markdownLink.FindStringSubmatch(other); link != nil && link[2] == same[1] && !theSame.MatchString(other) {
			return strings.Replace(said, same[0], link[0], 1)
		}
	}
	return said
}

// section returns the heading and the text of a section of a page, by the anchor that GitHub gives it.
func section(page, anchor string) (heading, text string) {
	for _, part := range strings.Split("\n"+page, "\n## ")[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		if anchorOf(heading) == anchor {
			return strings.ReplaceAll(heading, "`", ""), text
		}
	}
	return "", ""
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

func anchorOf(heading string) string {
	return strings.ReplaceAll(strings.ToLower(notInAnchors.ReplaceAllString(heading, "")), " ", "-")
}

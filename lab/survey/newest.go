package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopproof/loopproof/lab/internal/adapterrun"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

// adapter is a folder in which versions are pinned, with the loops that are played by it. An agent
// has its version in its own loop.yaml.
type adapter struct {
	folder string
	pinning
	loops []*matrix.Loop
}

// adapters groups loops by where their versions are. Those that are fetched by hand are left out.
func adapters(loops []*matrix.Loop) (all []*adapter) {
	of := map[string]*adapter{}
	for _, l := range loops {
		if l.Checkout != "" {
			continue
		}
		folder, p := l.Folder, agentPackage
		if !l.IsAgent() {
			folder, p = l.Adapter, pinnings[strings.Split(l.Adapter, "/")[2]]
		}
		if of[folder] == nil {
			of[folder] = &adapter{folder: folder, pinning: p}
			all = append(all, of[folder])
		}
		of[folder].loops = append(of[folder].loops, l)
	}
	return all
}

// playNewest looks for newer versions of loops, and plays those that have one. What cannot be played
// stays at the version that was played before, and is noted as stale. It returns how many that are.
func (p *player) playNewest(ctx context.Context, loops []*matrix.Loop, day string) (stale int, err error) {
	known, err := matrix.ReadNewest(matrix.ResultsFolder)
	if err != nil {
		return 0, err
	}
	if len(p.only) == 0 {
		known.Looked = day
	}
	all := adapters(loops)
	for i, a := range all {
		fmt.Fprintf(p.out, "[%d/%d] %s\n", i+1, len(all), a.folder)
		failed, err := p.renewAdapter(ctx, a, known, day)
		if err != nil {
			return stale, err
		}
		stale += failed
	}
	if known.Looked == "" { // nobody has looked at all loops yet
		return stale, nil
	}
	return stale, known.Write(matrix.ResultsFolder)
}

// renewAdapter sets an adapter to the newest versions, and plays its loops. It returns how many of
// them could not be played.
func (p *player) renewAdapter(ctx context.Context, a *adapter, known *matrix.Newest, day string) (stale int, err error) {
	before, err := keep(ctx, a.folder)
	if err != nil {
		return 0, err
	}
	changed, err := p.update(ctx, a, before)
	if ctx.Err() != nil {
		return 0, errors.Join(errors.New("interrupted"), before.restore())
	}
	if err != nil {
		fmt.Fprintf(p.out, "      FAILED: %v\n", err)
		p.summary.problem(a.folder, err)
		return len(a.loops), before.restore()
	}
	if len(changed) == 0 {
		fmt.Fprintln(p.out, "      there is nothing newer")
		for _, l := range a.loops {
			known.Remove(l.Name)
		}
		return 0, nil
	}
	versions := listed(changed)
	fmt.Fprintln(p.out, "      newer:", versions)
	for _, l := range a.loops {
		failed := p.playNewer(ctx, l, versions)
		if ctx.Err() != nil {
			return stale, errors.Join(errors.New("interrupted"), before.restore())
		}
		if failed == nil {
			known.Remove(l.Name)
			continue
		}
		stale++
		fmt.Fprintf(p.out, "      FAILED: %v\n", failed)
		p.summary.problem(l.Name+", "+versions, failed)
		known.Set(l.Name, versions, firstLine(failed.Error()), day)
	}
	if stale == len(a.loops) { // the repository keeps the versions that can be played
		return stale, before.restore()
	}
	return stale, nil
}

// update writes the newest versions into the files of an adapter, and returns what is newer.
func (p *player) update(ctx context.Context, a *adapter, before kept) ([]change, error) {
	file := path.Join(a.folder, a.file)
	was := string(before[file])
	names, old := a.packages(was)
	if a.newest != nil {
		versions, err := a.newest(ctx, a.folder, names)
		if err != nil {
			return nil, err
		}
		text := a.set(was, versions)
		if text == was {
			return nil, nil
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	if a.commands != nil {
		for _, command := range a.commands(a.folder) {
			p.tell("updates", command)
			if err := adapterrun.Logged(ctx, filepath.Join(p.reports, "update.log"), command); err != nil {
				return nil, err
			}
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	_, now := a.packages(string(text))
	var changed []change
	for _, name := range names {
		if now[name] != old[name] {
			changed = append(changed, change{name, old[name], now[name]})
		}
	}
	if a.newest != nil { // the commands may have written the file in another form
		if err := os.WriteFile(file, []byte(a.set(was, now)), 0o666); err != nil {
			return nil, err
		}
	}
	return changed, before.mention(a.pinning, changed)
}

// playNewer plays a loop in the version that was set, and notes what is different.
func (p *player) playNewer(ctx context.Context, l *matrix.Loop, versions string) error {
	earlier, err := matrix.LastResult(l.Folder)
	if err != nil {
		return err
	}
	if l.IsAgent() { // its package is in its description
		if l, err = matrix.Described(l.Folder); err != nil {
			return err
		}
	}
	result, err := p.playOne(ctx, l)
	if err != nil {
		return err
	}
	p.summary.played(l, earlier, result, versions)
	return nil
}

// summary is what came of newer versions, in Markdown, for the text of a pull request.
type summary struct{ rows, problems []string }

func (s *summary) played(l *matrix.Loop, earlier, now *matrix.Result, versions string) {
	kept, failing := now.Since(earlier)
	was := earlier.Version
	if earlier.JudgedBy.Rulebook != now.JudgedBy.Rulebook {
		was += ", by other rules"
	}
	s.rows = append(s.rows, fmt.Sprintf("| %s | %s | %s | %d | %s | %s | %s |", l.Title, was, now.Version,
		now.Broken(report.Must), strings.Join(kept, ", "), strings.Join(failing, ", "), versions))
}

func (s *summary) problem(what string, err error) {
	s.problems = append(s.problems, fmt.Sprintf("- %s: %s", what, firstLine(err.Error())))
}

// text is the summary with what people have to look at.
func (s *summary) text(unseen []string) string {
	var b strings.Builder
	if len(s.rows) > 0 {
		b.WriteString("| loop | before | now | musts broken | kept now | failing now | packages |\n|---|---|---|---|---|---|---|\n" + strings.Join(s.rows, "\n") + "\n")
	} else {
		b.WriteString("No newer version was played.\n")
	}
	if len(s.problems) > 0 {
		b.WriteString("\n## Could not be played\n\n" + strings.Join(s.problems, "\n") + "\n")
	}
	if len(unseen) > 0 {
		b.WriteString("\n## To be examined\n\nWhose fault is it? The answer belongs into the `loop.yaml` of the loop, the reason into its list of known failures.\n\n- " +
			strings.Join(unseen, "\n- ") + "\n")
	}
	return b.String()
}

func listed(changed []change) string {
	var all []string
	for _, c := range changed {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}

// firstLine is the first line of a text, shortened to what fits into a table.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > 200 {
		return string(r[:200]) + "..."
	}
	return line
}

// today is the day, as files name it.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

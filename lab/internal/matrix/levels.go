package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/report"
)

// levelsOf returns the results of the levels of a report, as a result keeps them.
func levelsOf(r *report.Report) (all []levelResults) {
	for _, l := range r.Levels {
		if len(all) == 0 || all[len(all)-1].Level != l.Level {
			all = append(all, levelResults{Level: l.Level})
		}
		last := &all[len(all)-1]
		last.In = append(last.In, dialectResult{l.Dialect, l.Result, l.Broken, l.Untested})
	}
	return all
}

// levelLine says in which wire APIs a level of conformance is reached.
type levelLine struct {
	Level, About, Says string

	Reached bool // in each wire API in which it was judged
}

// levelLines say it for each level that was judged, the lowest first. A result that was played
// before there were levels has none.
func levelLines(r *report.Report) (lines []levelLine) {
	for _, level := range conformance.Levels() {
		line := levelLine{Level: level, About: conformance.About(level), Reached: true}
		var parts []string
		for _, l := range r.Levels {
			if l.Level != level {
				continue
			}
			said := "conformant"
			if l.Result != report.Conformant {
				line.Reached, said = false, strings.Join(missing(l), ", ")
			}
			parts = append(parts, fmt.Sprintf("%s: %s", apis([]string{l.Dialect}), said))
		}
		if line.Says = strings.Join(parts, "; "); line.Reached {
			line.Says = "conformant"
		}
		if len(parts) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// missing says what keeps a level from being reached.
func missing(l report.LevelResult) (parts []string) {
	if n := len(l.Broken); n > 0 {
		parts = append(parts, textlayout.Count(n, "must")+" broken")
	}
	if n := len(l.Untested); n > 0 {
		parts = append(parts, fmt.Sprintf("%d never tested", n))
	}
	if len(parts) == 0 {
		parts = append(parts, string(l.Result))
	}
	return parts
}

// reached names the levels that a version has reached, or says that it was played before there were
// levels.
func reached(r *report.Report) string {
	lines := levelLines(r)
	if len(lines) == 0 {
		return "not known"
	}
	lines = slices.DeleteFunc(lines, func(l levelLine) bool { return !l.Reached })
	if len(lines) == 0 {
		return "none"
	}
	var names []string
	for _, l := range lines {
		names = append(names, l.Level)
	}
	return strings.Join(names, ", ")
}

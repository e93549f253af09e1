package main

import (
	"fmt"
	"strings"
)

// target is what we want, beside what was reached.
type target struct {
	what, want, reached string
	met                 bool
}

// targets returns all of them. They are for two cores, with the journal and the rules on.
func (r *results) targets() []target {
	var all []target
	add := func(what, want, reached string, met bool) { all = append(all, target{what, want, reached, met}) }
	for _, l := range r.Loads {
		ratios := l.ratios("Loopproof", perSecond)
		switch bytes := l.bytesPerCore("Loopproof"); {
		case len(ratios) == 0: // not measured
		case strings.HasPrefix(l.Name, "history"):
			add(l.Name+": bytes of requests", "50 MB/s a core", fmt.Sprintf("%.0f MB/s", bytes), bytes >= 50)
		default:
			add(l.Name+": requests/s", "0.25 of the floor", fmt.Sprintf("%.2f", median(ratios)), median(ratios) >= 0.25)
		}
	}
	for _, row := range r.Start {
		if row.Server == "Loopproof" {
			add("start to the first answer", "20 ms", ms(median(row.Times)), median(row.Times).Milliseconds() < 20)
		}
	}
	if r.Help != nil {
		add("--help", "10 ms", ms(median(r.Help.Times)), median(r.Help.Times).Milliseconds() < 10)
	}
	for _, row := range r.Memory {
		if row.Server == "Loopproof" {
			add(fmt.Sprintf("memory after %d requests", row.Requests), "100 MB", fmt.Sprintf("%d MB", row.End>>20), row.End < 100<<20)
		}
	}
	if s := r.streamsOf("Loopproof"); s != nil {
		add(fmt.Sprintf("%d open streams that are whole", s.Streams), "all", fmt.Sprint(s.Whole), s.Whole == s.Streams)
		add("memory for each of them", "50 kB", fmt.Sprintf("%d kB", s.PerStream>>10), s.PerStream <= 50<<10)
	}
	for _, row := range r.Suite {
		if strings.HasSuffix(row.Name, "--quick") {
			add(row.Name, "3 s", fmt.Sprintf("%.1f s", median(row.Times).Seconds()), median(row.Times).Seconds() < 3)
			continue
		}
		add(row.Name+": cases/s", "1000", fmt.Sprintf("%.0f", row.perSecond()), row.perSecond() >= 1000)
	}
	return all
}

func (r *results) writeTargets(b *strings.Builder) {
	all := r.targets()
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Targets\n\nWhat we want on two cores, and what was reached here.\n\n| | target | reached | |\n|---|---|---|---|\n")
	for _, t := range all {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", t.what, t.want, t.reached, map[bool]string{true: "met", false: "missed"}[t.met])
	}
}

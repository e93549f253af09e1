package main

import (
	"cmp"
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
		if ratios := l.ratios("Loopproof", perSecond); len(ratios) > 0 {
			speed, slowest, bytes := median(ratios), median(l.ratios("Loopproof", p99)), l.bytesPerCore("Loopproof")
			switch {
			case strings.HasPrefix(l.Name, "plain"):
				add(l.Name+": requests/s", "0.75 of the floor", fmt.Sprintf("%.2f", speed), speed >= 0.75)
				add(l.Name+": 99 % of the requests", "1.5 times the floor's time", fmt.Sprintf("%.1f", slowest), slowest <= 1.5)
			case l.Name == "stream":
				add("stream: requests/s", "0.95 of the floor that flushes as often", fmt.Sprintf("%.2f", speed), speed >= 0.95)
			case l.Name == "stream"+merged:
				add(l.Name+": requests/s", "0.75 of the floor that writes it at once", fmt.Sprintf("%.2f", speed), speed >= 0.75)
			default:
				add(l.Name+": bytes of requests", "150 MB/s a core", fmt.Sprintf("%.0f MB/s", bytes), bytes >= 150)
			}
		}
	}
	for _, row := range r.Start {
		if row.Server == "Loopproof" {
			add("start to the first answer", "15 ms", ms(median(row.Times)), median(row.Times).Milliseconds() < 15)
		}
	}
	if r.Help != nil {
		add("--help", "10 ms", ms(median(r.Help.Times)), median(r.Help.Times).Milliseconds() < 10)
	}
	for _, row := range r.Memory {
		if row.Server == "Loopproof" {
			add(fmt.Sprintf("memory after %d requests", row.Requests), "40 MB", fmt.Sprintf("%d MB", row.End>>20), row.End < 40<<20)
		}
	}
	if s := r.streamsOf("Loopproof"); s != nil {
		add(fmt.Sprintf("%d open streams that are whole", s.Streams), "all", fmt.Sprint(s.Whole), s.Whole == s.Streams)
		add("99 % of their events", "5 ms after their time", ms(s.Late99), s.Late99.Milliseconds() <= 5)
		add("streams of which 99 % of the events come in time", fmt.Sprint(s.Streams), fmt.Sprintf("%d; the floor %d", s.InTime, cmp.Or(r.streamsOf("floor"), new(streamsResult)).InTime), s.InTime >= s.Streams)
		add("memory for each of them", "30 kB", fmt.Sprintf("%d kB", s.PerStream>>10), s.PerStream <= 30<<10)
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

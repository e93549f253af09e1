package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// target is what we want, beside what was reached.
type target struct {
	what, want, reached string
	met                 bool
}

// whyMissed is from profiles: go test ./internal/engine -run '^$' -bench Handler/chat -cpuprofile FILE of
// the handler, and perf record of loopproof serve until its first answer, and of loopproof run --quick.
// /proc/PID/status tells which memory is of the program file.
const whyMissed = `
Why targets are missed:

- **Requests**: the floor does nothing with a request; the mock provider reads it, judges it by every rule about single
  requests, answers and keeps it. Of the processor time of its handler for a short request, two fifths go to the rules (an
  eighth to the form alone), an eighth to the journal, a tenth each to reading, to ids and to sending. Three quarters of the
  speed of the floor leave a third of its time for all of that.
- **Long histories** of which nothing is known: a third of the time goes to the form of each message, a fifth to reading. Of a
  conversation that grows only what is new is read, and most rules look at no more.
- **Start**: a quarter of the processor time until the first answer goes to reading the forms of all APIs, a fifth to the
  profile, both from YAML, and most of the rest to the system, which loads the program.
- **Memory**: some 30 MB are pages of the program file, which the system can drop; about 12 MB are Loopproof's own after the
  start, and 25 MB after many requests. Of kept conversations the newest 10,000 answers stay in memory, and the garbage
  collector takes as much again.
- **Streams**: half of the processor time is that of net/http and the system which send each event, as at the floor. An
  eighth goes to making the events of a request, and the rest to reading and judging it, to timers and to garbage.
- **Cases**: a case takes some 5 ms of processor time. A quarter each goes to the mock provider and to preparing the case,
  a fifth to the loop, a sixth each to the rules and to collecting garbage: no part stands out.
`

// goals are what is wanted of a workload; 0: nothing.
type goals struct {
	speed float64 // requests/s, of the floor
	late  float64 // 99 % of the requests, of the floor
	bytes float64 // of requests, in MB for each second of a core
}

func wanted(workload string) goals {
	switch kind, _, _ := strings.Cut(workload, "-"); {
	case workload == "history-10-kB":
		return goals{speed: 0.5, bytes: 200}
	case workload == "history-100-kB":
		return goals{bytes: 200}
	case kind == "history":
		return goals{bytes: 500}
	default:
		return goals{speed: 0.75, late: 1.5}
	}
}

// targets returns all of them. They are for two cores, with the journal and the rules on.
func (r *results) targets() []target {
	var all []target
	add := func(what, want, reached string, met bool) { all = append(all, target{what, want, reached, met}) }
	for _, l := range r.Loads {
		want, speeds, late := wanted(l.Name), l.ratios("Loopproof", perSecond), l.ratios("Loopproof", p99)
		if len(speeds) == 0 { // not measured
			continue
		}
		if want.speed > 0 {
			add(l.Name+": requests/s", fmt.Sprintf("%.2f of the floor", want.speed), fmt.Sprintf("%.2f", median(speeds)), median(speeds) >= want.speed)
		}
		if want.late > 0 {
			add(l.Name+": 99 % of the requests", fmt.Sprintf("%.1f times as long as the floor", want.late), fmt.Sprintf("%.1f", median(late)), median(late) <= want.late)
		}
		if bytes := l.bytesPerCore("Loopproof"); want.bytes > 0 {
			add(l.Name+": bytes of requests", fmt.Sprintf("%.0f MB/s a core", want.bytes), fmt.Sprintf("%.0f MB/s", bytes), bytes >= want.bytes)
		}
	}
	for _, row := range r.Growing {
		if row.Server == "Loopproof" {
			add(fmt.Sprintf("a conversation that grows by %d turns: the last third", row.Turns), "1.5 times the first third", fmt.Sprintf("%.1f times", row.times()), row.times() <= 1.5)
		}
	}
	for _, row := range r.Start {
		if row.Server == "Loopproof" {
			add("start to the first answer", "15 ms", ms(median(row.Times)), median(row.Times) < 15*time.Millisecond)
		}
	}
	if r.Help != nil {
		add("--help", "10 ms", ms(median(r.Help.Times)), median(r.Help.Times) < 10*time.Millisecond)
	}
	for _, row := range r.Memory {
		if row.Server == "Loopproof" {
			add(fmt.Sprintf("memory after %d requests", row.Requests), "40 MB", fmt.Sprintf("%d MB", row.End>>20), row.End < 40<<20)
		}
	}
	if c := r.Chains; c != nil {
		add(fmt.Sprintf("memory with %d kept conversations of %d turns", c.Chains, c.Turns), "100 MB", fmt.Sprintf("%d MB", c.End>>20), c.End < 100<<20)
	}
	if s, bare := r.streamsOf("Loopproof"), r.streamsOf("floor"); s != nil && bare != nil {
		add(fmt.Sprintf("%d open streams that are whole", s.Streams), "all", fmt.Sprint(s.Whole), s.Whole == s.Streams)
		add("memory for each of them", "26 kB", fmt.Sprintf("%d kB", s.PerStream>>10), s.PerStream>>10 <= 26)
		add("99 % of their events", "1.2 times as late as at the floor", fmt.Sprintf("%.1f times", s.Late99.Seconds()/bare.Late99.Seconds()), s.Late99.Seconds() <= 1.2*bare.Late99.Seconds())
		add("open streams in time", fmt.Sprintf("%d, as the floor", bare.InTime), fmt.Sprint(s.InTime), s.InTime >= bare.InTime)
	}
	for _, row := range r.Suite {
		if strings.HasSuffix(row.Name, "--quick") {
			add(row.Name, "3 s", fmt.Sprintf("%.1f s", median(row.Times).Seconds()), median(row.Times).Seconds() < 3)
			continue
		}
		add(row.Name+": cases/s", "2000", fmt.Sprintf("%.0f", row.perSecond()), row.perSecond() >= 2000)
	}
	for _, row := range r.Loops {
		add(row.Name+": processor time that is Loopproof's", "10 %", fmt.Sprintf("%.0f %%", 100*row.share()), row.share() < 0.1)
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
	if slices.ContainsFunc(all, func(t target) bool { return !t.met }) {
		b.WriteString(whyMissed)
	}
}

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// page returns the results as a document.
func (r *results) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Benchmarks

<!-- cd lab && go run ./bench --write writes this file. -->

Measured on %s at %s, on a machine with %s. The servers are processes and take turns; the load comes from a process of
its own. Each request is of another conversation: the first text of the user has a number that no other one has. The
floor is a bare `+"`net/http`"+` handler that reads the body and writes the same bytes; ratios compare rounds that were run one
after the other. Journal and rules are on.

    cd lab && go run ./bench --help

`, r.Date, r.Commit, r.Machine)
	if r.Note != "" {
		fmt.Fprintf(&b, "%s\n\n", r.Note)
	}
	fmt.Fprintf(&b, "Versions: %s.\n", strings.Join(r.Versions, "; "))
	r.writeTargets(&b)
	if len(r.Loads) > 0 {
		r.writeLoads(&b)
	}
	r.writeTimes(&b)
	r.writeMemory(&b)
	r.writeGrowing(&b)
	r.writeStreams(&b)
	r.writeSuite(&b)
	r.writeLoops(&b)
	if len(r.Missing) > 0 {
		b.WriteString("\n## What could not be run\n\n")
		for _, m := range r.Missing {
			fmt.Fprintf(&b, "- %s\n", m)
		}
	}
	return b.String()
}

func (r *results) writeLoads(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Requests\n\n%d rounds of %s for each server, %d connections, 2 for requests of 1 MB and more. Medians; in parentheses the lowest and the highest ratio. A percentile is the time\nof a request. Processor time is that of the server for one request; bytes are those of requests, for each second of it.\n\n", r.Rounds, r.During, r.Connections)
	b.WriteString("| workload | server | requests/s | of the floor | 50 % | 99 % | 99 %, of the floor | processor time | MB/s a core |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, l := range r.Loads {
		for _, row := range l.Rows {
			var speeds []float64
			var p50s, p99s, cpu []time.Duration
			for _, one := range row.Rounds {
				speeds, p50s, p99s = append(speeds, one.PerSecond), append(p50s, one.P50), append(p99s, one.P99)
				cpu = append(cpu, one.CPU)
			}
			ratios := l.ratios(row.Server, perSecond)
			fmt.Fprintf(b, "| %s: %s | %s | %.0f | %s | %s | %s | %.1f | %s | %.1f |\n", l.Name, l.About, row.Server, median(speeds),
				spread(row.Server, ratios), ms(median(p50s)), ms(median(p99s)), median(l.ratios(row.Server, p99)), us(median(cpu)), l.bytesPerCore(row.Server))
		}
	}
}

func spread(server string, ratios []float64) string {
	if server == "floor" || len(ratios) == 0 {
		return "1"
	}
	return fmt.Sprintf("**%.2f** (%.2f to %.2f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
}

func (r *results) writeTimes(b *strings.Builder) {
	rows := r.Start
	if r.Help != nil {
		rows = append(slices.Clone(rows), r.Help)
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n## Start\n\nFrom the start of the process to its first answer; of `--help` to its end.\n\n| | median | lowest | highest |\n|---|---|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", row.Server, ms(median(row.Times)), ms(slices.Min(row.Times)), ms(slices.Max(row.Times)))
	}
}

func (r *results) writeMemory(b *strings.Builder) {
	if len(r.Memory) == 0 {
		return
	}
	b.WriteString("\n## Memory\n\nResident memory under the workload plain.\n\n| | after the first request | requests | at the end | at most |\n|---|---|---|---|---|\n")
	for _, row := range r.Memory {
		fmt.Fprintf(b, "| %s | %d MB | %d | %d MB | %d MB |\n", row.Server, row.First>>20, row.Requests, row.End>>20, row.Most>>20)
	}
}

func (r *results) writeGrowing(b *strings.Builder) {
	if len(r.Growing) > 0 {
		fmt.Fprintf(b, "\n## A conversation that grows\n\nAn agent sends the whole conversation at each turn, so that requests become longer while as much is new in each. Here are\n%d turns with calls, sent %d times by a client that waits for each answer, and the processor time of the server.\n\n| | first third | MB/s a core | last third | MB/s a core | last to first |\n|---|---|---|---|---|---|\n", r.Growing[0].Turns, growingRounds)
	}
	for _, row := range r.Growing {
		speed := func(third int) float64 {
			return float64(row.Bytes[third]) / max(row.CPU[third], time.Millisecond).Seconds() / 1e6
		}
		fmt.Fprintf(b, "| %s | %s | %.0f | %s | %.0f | %.1f |\n", row.Server, ms(row.CPU[0]), speed(0), ms(row.CPU[2]), speed(2), row.times())
	}
	if c := r.Chains; c != nil {
		fmt.Fprintf(b, "\n## Kept conversations\n\n%d conversations of the Responses API, each of %d turns that name the answer before: resident memory is %d MB before the\nfirst request, %d MB after the last one, and %d MB at most.\n", c.Chains, c.Turns, c.First>>20, c.End>>20, c.Most>>20)
	}
}

func (r *results) writeStreams(b *strings.Builder) {
	if len(r.Streams) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Open streams\n\nStreams with an event about every 20 ms, at the same time. An event is late by the time since it was due, counted from the\nfirst one. The floor writes the same events, and judges nothing. The last column is the largest number of streams, to an\neighth, at which 99 %% of the events come within %s; the client that reads them needs the same cores.\n\n| | streams | whole | half of the events at most | 99 %% | memory for each | processor time of an event | streams in time |\n|---|---|---|---|---|---|---|---|\n", ms(inTime))
	for _, s := range r.Streams {
		fmt.Fprintf(b, "| %s | %d | %d | %s late | %s late | %d kB | %s | %d |\n", s.Server, s.Streams, s.Whole, ms(s.Late50), ms(s.Late99), s.PerStream>>10, us(s.PerEvent), s.InTime)
	}
}

func (r *results) writeSuite(b *strings.Builder) {
	if len(r.Suite) == 0 {
		return
	}
	b.WriteString("\n## Cases\n\nPlayed to the built-in reference loop.\n\n| | cases | median | cases/s |\n|---|---|---|---|\n")
	for _, row := range r.Suite {
		fmt.Fprintf(b, "| `%s` | %d | %.1f s | %.0f |\n", row.Name, row.Cases, median(row.Times).Seconds(), row.perSecond())
	}
}

func (r *results) writeLoops(b *strings.Builder) {
	if len(r.Loops) == 0 {
		return
	}
	b.WriteString("\nOf loops that are programs of their own, with --quick. The share is the part of the processor time that is Loopproof's, its\nstart among it.\n\n| | cases | time | cases/s | processor time of the loop | of Loopproof | share |\n|---|---|---|---|---|---|---|\n")
	for _, row := range r.Loops {
		fmt.Fprintf(b, "| %s | %d | %.1f s | %.0f | %.1f s | %.1f s | %.0f %% |\n", row.Name, row.Cases, row.Took.Seconds(), float64(row.Cases)/row.Took.Seconds(), row.Loop.Seconds(), row.Own.Seconds(), 100*row.share())
	}
}

func ms(t time.Duration) string { return fmt.Sprintf("%.1f ms", float64(t)/float64(time.Millisecond)) }

func us(t time.Duration) string { return fmt.Sprintf("%.0f µs", float64(t)/float64(time.Microsecond)) }

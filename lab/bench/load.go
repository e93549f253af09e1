package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// round is what one server did in one round.
type round struct {
	PerSecond float64       `json:"per_second"`
	P50       time.Duration `json:"p50_ns"`
	P99       time.Duration `json:"p99_ns"`
	CPU       time.Duration `json:"cpu_ns_per_request"` // 0: not known
}

// script tells wrk what to send, and how to report: as one line of JSON after a mark. Each request is
// of another conversation: it has a number that no other one had.
const (
	mark   = "bench-result:"
	script = `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
%s
local file = io.open(%q, "rb")
wrk.body = file:read("*a")
file:close()
local before, after
local number = os.time() * 1000000
init = function()
  local whole, place = wrk.format(), %q
  local from, to = whole:find(place, 1, true)
  before, after = whole:sub(1, from - 1), whole:sub(to + 1)
end
request = function()
  number = number + 1
  return before .. string.format("%%016d", number) .. after
end
done = function(summary, latency)
  io.write(string.format('\n` + mark + `{"requests":%%d,"us":%%d,"p50":%%d,"p99":%%d,"failed":%%d,"status":%%d}\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout, summary.errors.status))
end
`
)

// wrkResult is the line that the script writes. Times are microseconds.
type wrkResult struct {
	Requests                     int
	US, P50, P99, Failed, Status int64
}

// prepareLoad writes the script of a workload.
func (b *bench) prepareLoad(w workload) (file string, err error) {
	if _, err := exec.LookPath("wrk"); err != nil {
		return "", errNoWrk
	}
	body := filepath.Join(b.dir, w.Name+".json")
	if err := writeFile(body, w.body); err != nil {
		return "", err
	}
	var lines []string
	for name, value := range w.api.headers {
		lines = append(lines, fmt.Sprintf("wrk.headers[%q] = %q", name, value))
	}
	file = filepath.Join(b.dir, w.Name+".lua")
	return file, writeFile(file, fmt.Sprintf(script, strings.Join(lines, "\n"), body, numberPlace))
}

var errNoWrk = errors.New("wrk is not installed (apt-get install wrk, brew install wrk)")

// load drives a server for a time.
func (b *bench) load(ctx context.Context, r *running, w workload, script string, during time.Duration) (wrkResult, error) {
	seconds := max(1, int(during.Round(time.Second).Seconds()))
	out, err := exec.CommandContext(ctx, "wrk", "-t1", fmt.Sprintf("-c%d", b.connectionsFor(w)), fmt.Sprintf("-d%ds", seconds), "--timeout", "60s", "-s", script, r.url+r.server.path(w)).CombinedOutput()
	if err != nil {
		return wrkResult{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	result, err := readWrk(string(out))
	switch {
	case err != nil:
		return result, err
	case result.Failed > 0 || result.Status > 0 || result.Requests == 0:
		return result, fmt.Errorf("%s: %d requests, of which %d failed, and %d have a status other than 2xx", r.server.Name, result.Requests, result.Failed, result.Status)
	}
	return result, nil
}

// connectionsFor returns over how many connections a workload is sent. Of long requests few are
// enough to keep a server busy, and with many of them none would be answered within a round.
func (b *bench) connectionsFor(w workload) int {
	if len(w.body) > 500_000 {
		return min(b.connections, 2)
	}
	return b.connections
}

func readWrk(out string) (result wrkResult, err error) {
	_, line, found := strings.Cut(out, mark)
	if !found {
		return result, errors.New("wrk wrote no result: " + out)
	}
	line, _, _ = strings.Cut(line, "\n")
	return result, json.Unmarshal([]byte(line), &result)
}

// measureLoad drives all servers that answer a workload, in turns.
func (b *bench) measureLoad(ctx context.Context, w workload) error {
	script, err := b.prepareLoad(w)
	if errors.Is(err, errNoWrk) {
		b.results.missing("%s: %v", w.Name, err)
		return nil
	}
	if err != nil {
		return err
	}
	started, stop, err := b.startAll(ctx, func(s *server) bool { return s.path(w) != "" })
	defer stop()
	if err != nil {
		return err
	}
	rows := make([]*loadRow, len(started))
	for i, r := range started {
		rows[i] = &loadRow{Server: r.server.Name, Memory: map[string]int64{}}
		if _, err := b.load(ctx, r, w, script, time.Second); err != nil { // warms up
			return err
		}
	}
	for range b.rounds {
		for i, r := range started {
			one, err := b.round(ctx, r, w, script)
			if err != nil {
				return err
			}
			rows[i].Rounds = append(rows[i].Rounds, one)
		}
	}
	for i, r := range started {
		rows[i].Memory["end"], rows[i].Memory["most"], _ = r.memory()
	}
	b.results.Loads = append(b.results.Loads, load{Name: w.Name, About: w.About, Bytes: len(w.body), Rows: rows})
	return nil
}

func (b *bench) round(ctx context.Context, r *running, w workload, script string) (round, error) {
	before, _ := r.cpu()
	got, err := b.load(ctx, r, w, script, b.during)
	if err != nil {
		return round{}, err
	}
	after, _ := r.cpu()
	return round{
		PerSecond: float64(got.Requests) / (float64(got.US) / 1e6),
		P50:       time.Duration(got.P50) * time.Microsecond,
		P99:       time.Duration(got.P99) * time.Microsecond,
		CPU:       (after - before) / time.Duration(got.Requests),
	}, nil
}

// startAll starts some servers. The caller has to call stop, also after an error.
func (b *bench) startAll(ctx context.Context, takes func(*server) bool) (started []*running, stop func(), err error) {
	stop = func() {
		for _, r := range started {
			r.stop()
		}
	}
	for _, s := range b.servers {
		if !takes(s) {
			continue
		}
		r, err := s.start(ctx)
		if err != nil {
			return started, stop, err
		}
		started = append(started, r)
	}
	return started, stop, nil
}

package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// results are what one run of the command measured.
type results struct {
	Date, Machine, Commit string
	Note                  string   // what changed since they were measured; "": nothing that matters
	Versions, Missing     []string // Missing: what could not be run, and why
	Rounds, Connections   int
	During                time.Duration
	Help                  *timesRow
	Start                 []*timesRow
	Memory                []*memoryRow
	Loads                 []load
	Growing               []*growingRow
	Chains                *chainsRow
	Streams               []*streamsResult
	Suite                 []*suiteRow
	Loops                 []*loopRow
}

// load is what all servers did under one workload.
type load struct {
	Name, About string
	Bytes       int // of a request
	Rows        []*loadRow
}

// loadRow is what one server did. Its rounds were run alongside those of the other servers.
type loadRow struct {
	Server string
	Rounds []round
	Memory map[string]int64
}

type timesRow struct {
	Server string
	Times  []time.Duration
}

type memoryRow struct {
	Server           string
	Requests         int
	First, End, Most int64 // bytes after the first request, at the end, and at most
}

func newResults(o *options) *results {
	return &results{
		Date: time.Now().UTC().Format(time.DateOnly), Machine: machine(), Commit: commit(), Versions: []string{runtime.Version()},
		Rounds: o.rounds, Connections: o.connections, During: o.during,
	}
}

// missing notes something that could not be run.
func (r *results) missing(format string, args ...any) {
	r.Missing = append(r.Missing, fmt.Sprintf(format, args...))
}

// machine describes the processor and the system.
func machine() string {
	model := runtime.GOARCH
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%d cores, %s, %s%s", runtime.NumCPU(), model, runtime.GOOS, busy())
}

// busy says how busy the machine is with other things, where that is known: on a busy one only
// ratios tell something.
func busy() string {
	data, err := os.ReadFile("/proc/loadavg")
	load, _, _ := strings.Cut(string(data), " ")
	if err != nil {
		return ""
	}
	return ", at a load of " + load + " by other programs"
}

func commit() string {
	out, _ := exec.Command("git", "describe", "--always", "--dirty").Output()
	return cmp.Or(strings.TrimSpace(string(out)), "not known")
}

// ratios compares the rounds of a server with those of the floor that were run alongside them.
func (l load) ratios(server string, of func(round) float64) []float64 {
	mine, bare := l.row(server), l.row("floor")
	if mine == nil || bare == nil {
		return nil
	}
	var all []float64
	for i := range min(len(mine.Rounds), len(bare.Rounds)) {
		all = append(all, of(mine.Rounds[i])/of(bare.Rounds[i]))
	}
	return all
}

func (l load) row(server string) *loadRow {
	for _, r := range l.Rows {
		if r.Server == server {
			return r
		}
	}
	return nil
}

// bytesPerCore returns how many MB of requests a server takes in each second of processor time; 0:
// not known.
func (l load) bytesPerCore(server string) float64 {
	row := l.row(server)
	if row == nil {
		return 0
	}
	var all []float64
	for _, one := range row.Rounds {
		if one.CPU > 0 {
			all = append(all, float64(l.Bytes)/one.CPU.Seconds()/1e6)
		}
	}
	return median(all)
}

func perSecond(r round) float64 { return r.PerSecond }
func p99(r round) float64       { return float64(r.P99) }

// tolerated is how much worse a ratio may be than the stored one.
const tolerated = 0.9

// growth is how much more memory an open stream may take than the stored one: when garbage is
// collected differs from run to run, and one more local variable in a goroutine that waits can
// double its stack.
const growth = 1.25

// worseThan returns an error that names all ratios to the floor which are worse by a tenth than
// before, and the memory of an open stream if it has grown by a quarter.
func (r *results) worseThan(before *results) error {
	var errs []error
	for _, l := range r.Loads {
		at := slices.IndexFunc(before.Loads, func(b load) bool { return b.Name == l.Name })
		if at < 0 {
			continue
		}
		now, then := median(l.ratios("Loopproof", perSecond)), median(before.Loads[at].ratios("Loopproof", perSecond))
		if now < tolerated*then {
			errs = append(errs, fmt.Errorf("%s: %.2f of the floor, which was %.2f on %s", l.Name, now, then, before.Date))
		}
	}
	now, then := r.streamsOf("Loopproof"), before.streamsOf("Loopproof")
	if now != nil && then != nil && float64(now.PerStream) > growth*float64(then.PerStream) {
		errs = append(errs, fmt.Errorf("an open stream takes %d kB, which took %d on %s", now.PerStream>>10, then.PerStream>>10, before.Date))
	}
	return errors.Join(errs...)
}

// streamsOf returns what was measured with the open streams of a server, or nil if there is
// nothing.
func (r *results) streamsOf(server string) *streamsResult {
	at := slices.IndexFunc(r.Streams, func(s *streamsResult) bool { return s.Server == server })
	if at < 0 {
		return nil
	}
	return r.Streams[at]
}

func readResults(file string) (*results, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("there is nothing to compare with: %w; go run ./bench --write stores the ratios", err)
	}
	r := &results{}
	return r, json.Unmarshal(data, r)
}

func (r *results) writeTo(file string) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

// median returns the middle of some numbers, or 0.
func median[T cmp.Ordered](all []T) (middle T) {
	if len(all) == 0 {
		return middle
	}
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// A run that is interrupted writes the report of what was judged. That of a shard would be merged
// although the shard is played again, so it writes none.
func TestReportsOfInterruptedRuns(t *testing.T) {
	for shards, written := range map[int]bool{0: true, 2: false} {
		ctx, interrupt := context.WithCancel(t.Context())
		defer interrupt()
		c := runner.Config{Workers: 1, ToolServer: toolserver.ForRun, Select: runner.Select{Scenarios: []string{"pairing/*"}, Dialects: []string{"chat"}}}
		if shards > 0 {
			c.Select.Shard = runner.Shard{Index: 1, Of: shards}
		}
		reference(&c)
		var tasks atomic.Int32
		do := c.Loop.(loops.Func)
		c.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			if tasks.Add(1) == 30 {
				interrupt()
			}
			return do(ctx, task)
		})
		var out bytes.Buffer
		dir := t.TempDir()
		r := &loopRun{streams: streams{out: &out, err: &bytes.Buffer{}}, flags: &runFlags{report: dir}, config: c, known: &knownfailing.List{}}
		err := r.run(ctx, nil)
		if exitCode(err) != exitFault || err == nil || !strings.Contains(err.Error(), "interrupted before all cases were played") {
			t.Errorf("of %d shards, one ends with %v", shards, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "report.json")); (err == nil) != written {
			t.Errorf("of %d shards, one leaves a report: %v, and says\n%s", shards, err == nil, out.String())
		}
		if told := strings.Contains(out.String(), "the run was interrupted; the other "); told != written {
			t.Errorf("of %d shards, one says\n%s", shards, out.String())
		}
	}
}

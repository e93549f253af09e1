package runner

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/runner/testadapters"
)

// TestMain makes the test binary one of the programs that the tests start. In all of them garbage is
// collected seldom, since each is short. Many tests run at a time, since they wait for programs.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	testadapters.Main()
	flag.Set("test.parallel", "8")
	os.Exit(m.Run())
}

// ample is time for what ends by itself, on a machine that has much else to do, too.
const ample = time.Minute

// testAdapter returns an adapter of package testadapters that is waited for less long than a
// stranger's.
func testAdapter(mode, word string) loops.Adapter {
	return loops.Adapter{Command: os.Args[0], Env: testadapters.Env(mode, word), Patience: 300 * time.Millisecond}
}

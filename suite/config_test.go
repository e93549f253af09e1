package suite

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/copytest"
)

// TestConfigIsCopied: each field of Config reaches the runner.
func TestConfigIsCopied(t *testing.T) {
	c := Config{
		Loop:         LoopFunc(func(context.Context, Task) (Outcome, error) { return Outcome{}, nil }),
		OwnScenarios: fstest.MapFS{"scenario.yaml": nil},
		OwnProfiles:  fstest.MapFS{"profile.yaml": nil},
	}
	copytest.Fill(t, &c)
	copytest.Check(t, c, c.runner())
}

// TestLoopsAreCopied: each field of a loop that is a program reaches the runner.
func TestLoopsAreCopied(t *testing.T) {
	var adapter Adapter
	copytest.Fill(t, &adapter)
	copytest.Check(t, adapter, adapter.runner())
	var command Command
	copytest.Fill(t, &command)
	copytest.Check(t, command, command.runner())
}

// Package adapterrun is what the programs share that set adapters up and let the loopproof command
// play them: survey, which plays public loops as they are now, and pairs, which plays a version
// before a fix and one after it.
//
//	binary, err := adapterrun.Build(ctx, folder)
//	err = adapterrun.Empty(folder)
//	r, err := adapterrun.Play(ctx, folder, []string{binary, "run", "--report", folder, "--", "node", "adapter.mjs"})
package adapterrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"

	"github.com/loopproof/loopproof/report"
)

// Build builds the loopproof command into a folder, and returns its path. The current folder is the
// root of the repository.
func Build(ctx context.Context, folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "loopproof")
	return binary, Logged(ctx, filepath.Join(folder, "build.log"), []string{"go", "build", "-o", binary, "./cmd/loopproof"})
}

// Empty makes an empty folder for the report of a run, so that no report of an earlier one is taken
// for it.
func Empty(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.MkdirAll(folder, 0o777)
}

// Play runs a command that plays a loop, and returns the report that it writes into the folder.
// What it prints is kept there in run.log. Failures of the loop are no error; it is one if not all
// cases were played.
func Play(ctx context.Context, folder string, command []string) (*report.Report, error) {
	failed := Logged(ctx, filepath.Join(folder, "run.log"), command)
	if code := exitCode(failed); code != 0 && code != 1 { // 1: a rule is broken
		return nil, failed
	}
	r, err := ReadReport(filepath.Join(folder, "report.json"))
	if err == nil && r.Stopped != "" {
		err = fmt.Errorf("not all cases were played: %s", r.Stopped)
	}
	return r, err
}

// ReadReport reads a report.json that the command wrote.
func ReadReport(file string) (*report.Report, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("it wrote no report: %w", err)
	}
	defer f.Close()
	return report.Read(f)
}

// Fuzz runs loopproof fuzz --json, and returns the result that it prints. The rest of what it
// prints is kept in the folder in run.log. Findings are no error.
func Fuzz(ctx context.Context, folder string, command []string) ([]byte, error) {
	var result bytes.Buffer
	err := logged(ctx, filepath.Join(folder, "run.log"), &result, command)
	if exitCode(err) == 1 {
		err = nil
	}
	return result.Bytes(), err
}

// Logged runs a command and keeps what it prints in a file, from which it can be read meanwhile. An
// error shows the last lines.
func Logged(ctx context.Context, file string, command []string) error {
	return logged(ctx, file, nil, command)
}

// logged is [Logged] for a command of which the output goes to a writer, unless that is nil.
func logged(ctx context.Context, file string, out io.Writer, command []string) error {
	log, err := os.Create(file)
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), "NO_COLOR=1")
	c.Stdout, c.Stderr = log, log
	if out != nil {
		c.Stdout = out
	}
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	failed := c.Run()
	if failed == nil {
		return nil
	}
	printed, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %w; its last words, more in %s:\n%s", shellescape.QuoteCommand(command), failed, file, lastLines(string(printed), 8))
}

// exitCode returns the exit code of a command, or -1 when it could not be started or was ended.
func exitCode(err error) int {
	var exited *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exited):
		return exited.ExitCode()
	default:
		return -1
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	lines = lines[max(0, len(lines)-n):]
	return "        " + strings.Join(lines, "\n        ")
}

// judging is what a verdict depends on, from the root of the repository: all but the loops and what
// is written about them.
var judging = []string{"--", ":/", ":!/lab", ":!/packages", ":!/agents/known-failing", ":!/docs", ":!/*_test.go", ":!/*.md"}

// Commit names the last commit that changed what a verdict depends on.
func Commit(ctx context.Context) (string, error) {
	last, err := git(ctx, append([]string{"log", "-1", "--format=%h"}, judging...)...)
	if err != nil {
		return "", err
	}
	changed, err := git(ctx, append([]string{"status", "--porcelain"}, judging...)...)
	if changed != "" {
		last += " and changes"
	}
	return last, err
}

func git(ctx context.Context, args ...string) (string, error) {
	text, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}

package loops

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// program is what is started: a command, its arguments, and where.
type program struct {
	command string
	args    []string
	env     []string // in addition to our own
	ownEnv  bool     // env is all that it gets
	dir     string
	keeper  *keeper // of the run, or nil if nothing is to be left to end
}

// process is a started program, the one road on which adapters and commands run. It leads a group
// of processes, so that whatever it starts ends with it.
type process struct {
	stdin  io.WriteCloser
	stdout io.Reader // ends with the process, and is to be read until then
	stderr *tail

	exited chan struct{} // closed when the process has ended, and all that it started in its group
	cmd    *exec.Cmd
}

// start starts the program. The caller has to call stop, or kill and wait for exited.
func (p program) start() (*process, error) {
	stdout, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	cmd := exec.Command(p.command, p.args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	if !p.ownEnv {
		cmd.Env = append(os.Environ(), p.env...)
	}
	cmd.Env = append(cmd.Env, p.keeper.env()...)
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = lingering
	exited := make(chan struct{})
	said := &output{stdout, exited}
	started := &process{stdout: said, stderr: &tail{}, exited: exited, cmd: cmd}
	cmd.Stdout, cmd.Stderr = theirs, started.stderr
	if started.stdin, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		stdout.Close()
		return nil, p.notStarted(err)
	}
	p.keeper.tell("began", cmd.Process.Pid)
	go started.await(said, p.keeper)
	return started, nil
}

// check looks for the program without starting it.
func (p program) check() error {
	path := p.command
	if filepath.Base(path) != path && !filepath.IsAbs(path) {
		path = "." + string(filepath.Separator) + filepath.Join(p.dir, path)
	}
	if _, err := exec.LookPath(path); err != nil {
		return p.notStarted(err)
	}
	return nil
}

// notStarted says what to do about a program that does not start.
func (p program) notStarted(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // without the path, which we say ourselves
	}
	why := err.Error()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		why = "there is no such program in the PATH"
	case errors.Is(err, fs.ErrPermission):
		why = "it has to be a program, and executable"
	case errors.Is(err, fs.ErrNotExist):
		why = "the file, the interpreter in its first line, or the folder to run it in does not exist"
	case errors.Is(err, syscall.ENOEXEC):
		why = "it is no program for this machine; a script has to say in its first line what runs it, as in #!/bin/sh"
	}
	return fmt.Errorf("%q cannot be started: %s", p.command, why)
}

func (p *process) await(said *output, k *keeper) {
	p.cmd.Wait() // the state says how it ended
	killOrphans(p.cmd.Process)
	k.tell("ended", p.cmd.Process.Pid)
	close(p.exited)
	said.release()
}

// ended says how the process ended, once it has.
func (p *process) ended() string {
	if code := p.cmd.ProcessState.ExitCode(); code >= 0 {
		return fmt.Sprintf("ended with the exit code %d", code)
	}
	return "was ended by a " + p.cmd.ProcessState.String() // "signal: segmentation fault"
}

// exitsWithin waits for the end of the process, and reports whether it came.
func (p *process) exitsWithin(patience time.Duration) bool {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-p.exited:
		return true
	case <-t.C:
		return false
	}
}

// stop ends the process and returns when it has ended: by the end of its input, then by a request,
// then by force.
func (p *process) stop(patience time.Duration) {
	p.stdin.Close()
	if p.exitsWithin(patience) {
		return
	}
	terminateGroup(p.cmd.Process)
	if p.exitsWithin(patience) {
		return
	}
	p.kill()
	<-p.exited
}

// kill ends the process by force. It does not wait for that.
func (p *process) kill() {
	select {
	case <-p.exited: // its number may be another's by now
	default:
		killGroup(p.cmd.Process)
	}
}

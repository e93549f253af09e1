package loops

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup keeps a Ctrl-C that is meant for us from the process.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminateGroup does nothing: Windows has no signal that a program without a console is sure to
// see.
func terminateGroup(*os.Process) {}

// killGroup ends a process and all that it started.
func killGroup(p *os.Process) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
	p.Kill()
}

// killOrphans does nothing: Windows knows a tree of processes only while its root lives.
func killOrphans(*os.Process) {}

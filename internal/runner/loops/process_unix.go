//go:build unix

package loops

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminateGroup asks a process and all that it started to end.
func terminateGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

// killGroup ends a process and all that it started.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// killOrphans ends the processes that an ended process left in its group.
func killOrphans(p *os.Process) { killGroup(p) }

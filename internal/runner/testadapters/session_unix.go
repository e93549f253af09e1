//go:build unix

package testadapters

import "syscall"

// ownSession lets a process leave the group and the session of its parent.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

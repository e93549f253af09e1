package runner

import "os/exec"

// keeperShell returns nil: there is no such shell.
func keeperShell(string) *exec.Cmd { return nil }

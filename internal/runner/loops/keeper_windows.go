package loops

import "os/exec"

// keeperShell returns nil if there is no such shell.
func keeperShell(string) *exec.Cmd { return nil }

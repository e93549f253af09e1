package main

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// agentFolder is where the packages of agents are installed, so that no agent of the machine is
// used or changed.
const agentFolder = "loopproof-report/agents"

// installed returns the command that installs an agent in that folder.
func installed(l *matrix.Loop) []string {
	return []string{"npm", "install", "--global", "--no-audit", "--no-fund", "--prefix", agentFolder, l.Package}
}

// withAgents has a command find the agents that were installed. On Linux it reaches nothing but the
// loopback address.
func withAgents(command []string) []string {
	folder, _ := os.Getwd() // the command is searched for in the folder of a case, too
	path := "PATH=" + filepath.Join(folder, agentFolder, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	command = append([]string{"env", path}, command...)
	if runtime.GOOS != "linux" {
		return command
	}
	return append([]string{"unshare", "--map-root-user", "--net", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}, command...)
}

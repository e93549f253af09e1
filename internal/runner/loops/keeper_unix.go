//go:build unix

package loops

import (
	"os/exec"
	"syscall"
)

// keeping is what the shell does. $1 is the variable of the run, which is not in its own
// environment.
const keeping = `
trap '' HUP INT TERM
groups=
while read -r what group; do
	case $what in
	began) groups="$groups $group" ;;
	ended)
		rest=
		for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
		groups=$rest ;;
	esac
done
for g in $groups; do kill -s KILL -- "-$g"; done
for round in 1 2 3 4 5 6 7 8 9 10; do
	found=
	for file in $(grep -lF "$1=" /proc/[0-9]*/environ); do
		file=${file#/proc/}
		kill -s KILL "${file%/environ}" && found=yes
	done
	[ "$found" ] || break
done
`

// keeperShell returns the shell, which is in a session of its own: what ends us, or all of our
// terminal, does not end it.
func keeperShell(variable string) *exec.Cmd {
	shell := exec.Command("/bin/sh", "-c", keeping, "loopproof-keeper", variable)
	shell.Dir, shell.SysProcAttr = "/", &syscall.SysProcAttr{Setsid: true}
	return shell
}

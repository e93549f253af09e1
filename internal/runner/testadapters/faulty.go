package testadapters

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/loopproof/loopproof/protocol"
)

func null(string) {
	serve(func(o order) { say(protocol.Outcome{Type: protocol.TypeOutcome, ID: o.ID, Status: protocol.Completed}) })
}

func exits(string) {
	fmt.Fprintln(os.Stderr, "\x1b[31mTypeError: model is undefined\x1b[0m")
	os.Exit(3)
}

func exitsAfterHello(string) { say(claims()) }

func noisy(string) {
	print("\nLoading the model...\n")
	good("")
}

// hello prints a given hello.
func hello(line string) {
	print(line + "\n")
	read(func(order) {})
}

func neverSaysHello(string) {
	fmt.Fprintln(os.Stderr, "waiting for the database")
	sleep()
}

func neverAnswers(string) {
	fmt.Fprintln(os.Stderr, "thinking")
	serve(func(order) {})
}

func answersTwice(string) {
	serve(func(o order) {
		say(carryOut(o))
		say(protocol.Outcome{Type: protocol.TypeOutcome, ID: o.ID, Status: protocol.Failed})
	})
}

func answersStranger(string) {
	serve(func(o order) {
		say(protocol.Outcome{Type: protocol.TypeOutcome, ID: "t-of-somebody-else", Status: protocol.Completed})
		say(carryOut(o))
	})
}

// answersBackwards waits for a given number of tasks, and answers the last one first.
func answersBackwards(number string) {
	n, _ := strconv.Atoi(number)
	var waiting []order
	serveInTurn(func(o order) {
		if waiting = append(waiting, o); len(waiting) < n {
			return
		}
		for i := range waiting {
			say(carryOut(waiting[len(waiting)-1-i]))
		}
	})
}

// answersOnce ends after each task, as a program does that was made for one.
func answersOnce(string) {
	serveInTurn(func(o order) {
		say(carryOut(o))
		os.Exit(0)
	})
}

// answersLate reports an outcome only when the time that it was given is over.
func answersLate(string) {
	serve(func(o order) {
		time.Sleep(time.Duration(o.TimeoutMS)*time.Millisecond + 50*time.Millisecond)
		say(carryOut(o))
	})
}

func chatters(string) {
	serve(func(o order) {
		print("calling the model\n")
		print(`{"type":"progress","percent":50}` + "\n")
		say(carryOut(o))
	})
}

func badStatus(w string) {
	serve(func(o order) {
		if !word(w).about(o) {
			say(carryOut(o))
			return
		}
		say(protocol.Outcome{Type: protocol.TypeOutcome, ID: o.ID, Status: "complete"})
	})
}

func badTypes(string) {
	serve(func(o order) {
		say(map[string]any{"type": "outcome", "id": o.ID, "status": "completed", "text": []string{"a"}})
	})
}

func dies(w string) {
	serve(func(o order) {
		if word(w).about(o) {
			fmt.Fprintln(os.Stderr, "panic: "+w)
			os.Exit(7)
		}
		say(carryOut(o))
	})
}

// diesCrowded dies when it has two tasks at a time.
func diesCrowded(string) {
	var now atomic.Int32
	serve(func(o order) {
		if now.Add(1) > 1 {
			os.Exit(8)
		}
		time.Sleep(300 * time.Millisecond)
		say(carryOut(o))
		now.Add(-1)
	})
}

// diesAfterwards reports an outcome and dies of the same task a little later.
func diesAfterwards(w string) {
	serve(func(o order) {
		say(carryOut(o))
		if word(w).about(o) {
			time.Sleep(30 * time.Millisecond)
			fmt.Fprintln(os.Stderr, "unhandled rejection")
			os.Exit(9)
		}
	})
}

// diesForGood dies and does not start again: word is the name of the file that tells it so.
func diesForGood(file string) {
	if _, err := os.Stat(file); err == nil {
		os.Exit(10)
	}
	serve(func(o order) {
		if strings.HasPrefix(o.ID, "preflight") {
			say(carryOut(o))
			return
		}
		os.WriteFile(file, nil, 0o600)
		os.Exit(11)
	})
}

// hangs never answers some tasks, and all others.
func hangs(w string) {
	serve(func(o order) {
		if word(w).about(o) {
			sleep()
		}
		say(carryOut(o))
	})
}

// blocks never comes back from some tasks, and does nothing else from then on.
func blocks(w string) {
	serveInTurn(func(o order) {
		if word(w).about(o) {
			sleep()
		}
		go func() { say(carryOut(o)) }()
	})
}

func longLine(w string) {
	serve(func(o order) {
		if !word(w).about(o) {
			say(carryOut(o))
			return
		}
		for range 50 {
			print(strings.Repeat("x", 1<<20))
		}
		print("\n")
	})
}

// loud writes 50 MB to standard error before it answers.
func loud(string) {
	var once sync.Once
	serve(func(o order) {
		once.Do(func() {
			for range 50 {
				os.Stderr.WriteString(strings.Repeat(strings.Repeat("debug ", 21)+"\n", 1<<13))
			}
			os.Stderr.WriteString("the last line\n")
		})
		say(carryOut(o))
	})
}

func closesStdin(string) {
	os.Stdin.Close()
	say(claims())
	sleep()
}

func closesStdout(string) {
	serve(func(o order) {
		os.Stdout.Close()
		sleep()
	})
}

// cancels cancels a task on request.
func cancels(string) {
	serve(func(o order) {
		if o.Type == protocol.TypeCancel {
			say(protocol.Outcome{Type: protocol.TypeOutcome, ID: o.ID, Status: protocol.Stopped, Reason: "cancelled"})
		}
	}, protocol.Cancel)
}

// stubborn does not end, neither at the end of its input nor when it is asked to.
func stubborn(string) {
	signal.Ignore(syscall.SIGTERM)
	serve(func(o order) { say(carryOut(o)) })
	sleep()
}

// parent starts a process that would outlive it, and reports both numbers.
func parent(string) { tellNumbers(startSleeper(nil)) }

// deserted is a parent whose child leaves its session.
func deserted(string) { tellNumbers(startSleeper(ownSession())) }

func tellNumbers(child int) {
	pids := fmt.Sprint(os.Getpid(), " ", child)
	serve(func(o order) {
		say(protocol.Outcome{Type: protocol.TypeOutcome, ID: o.ID, Status: protocol.Completed, Text: pids})
	})
}

// startSleeper starts a process that holds our streams open, and returns its number.
func startSleeper(as *syscall.SysProcAttr) int {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), Env("sleeper", "")...)
	child.SysProcAttr = as
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		panic(err)
	}
	return child.Process.Pid
}

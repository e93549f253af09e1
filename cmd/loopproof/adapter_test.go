package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// faultyAdapter is an adapter as a stranger would write it, around a loop with the fault that its
// argument names. With the argument chatty that it prints more than the protocol knows.
func faultyAdapter() {
	for _, f := range faults.All() {
		if len(os.Args) > 1 && f.Name == os.Args[1] {
			speak(protocol.Hello{Name: "faulty", Dialects: []string{"chat"}, Features: hooks.Claims}, f, len(os.Args) > 2 && os.Args[2] == "chatty")
			return
		}
	}
	fmt.Fprintln(os.Stderr, "faulty: name a fault")
	os.Exit(1)
}

// modestAdapter is an adapter around the reference loop that claims whole answers of one provider
// and nothing else.
func modestAdapter() {
	right := hooks.Fault{Make: func() hooks.Mutation { return hooks.Mutation{} }}
	speak(protocol.Hello{Name: "modest", Dialects: []string{"chat"}, Profiles: []string{"openai"}, Deliveries: []string{"json"}}, right, false)
}

// speak says hello and carries out the tasks on standard input, each alongside the others.
func speak(hello protocol.Hello, f hooks.Fault, chatty bool) {
	var mu sync.Mutex
	out := json.NewEncoder(os.Stdout)
	send := func(v any) {
		mu.Lock()
		defer mu.Unlock()
		out.Encode(v)
	}
	hello.Type, hello.Protocol, hello.Version, hello.Language = protocol.TypeHello, protocol.Version, "1.2.3", "go"
	hello.Concurrency = 16
	send(hello)
	var running sync.WaitGroup
	defer running.Wait()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var task protocol.Task
		if err := json.Unmarshal(lines.Bytes(), &task); err != nil || task.Type != protocol.TypeTask {
			continue
		}
		running.Go(func() {
			outcome, _ := f.Run(context.Background(), task)
			if chatty {
				send("calling the model")
			}
			send(outcome)
		})
	}
}

// stuckAdapter is a loop that does its tasks rightly, one after the other, and with the twentieth
// starts a process that leaves its session, writes the file that its argument names, and does
// nothing more.
func stuckAdapter() {
	right := hooks.Fault{Make: func() hooks.Mutation { return hooks.Mutation{} }}
	out, lines := json.NewEncoder(os.Stdout), bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out.Encode(protocol.Hello{Type: protocol.TypeHello, Protocol: protocol.Version, Name: "stuck", Version: "1", Language: "go", Dialects: []string{"chat"}})
	for n := 1; lines.Scan(); n++ {
		var task protocol.Task
		check(json.Unmarshal(lines.Bytes(), &task))
		if n == 20 {
			check(exec.Command("setsid", "sleep", "600").Start())
			check(os.WriteFile(os.Args[1], nil, 0o600))
			time.Sleep(time.Hour)
		}
		outcome, _ := right.Run(context.Background(), task)
		out.Encode(outcome)
	}
}

// oneShot is a loop that is started for every task. With the argument louder it shouts its answers.
func oneShot() {
	var task protocol.Task
	check(json.Unmarshal([]byte(os.Getenv("LOOPPROOF_TASK")), &task))
	outcome := refloop.Loop{}.Run(context.Background(), task)
	if outcome.Status != protocol.Completed {
		fmt.Fprintln(os.Stderr, outcome.Error, outcome.Reason)
		os.Exit(1)
	}
	if len(os.Args) > 1 && os.Args[1] == "louder" {
		outcome.Text = strings.ToUpper(outcome.Text)
	}
	fmt.Println(outcome.Text)
}

// toyLoopproof is the command, with the toy among its dialects.
func toyLoopproof() {
	s := ownStreams()
	s.dialects = toys
	os.Exit(execute(os.Args[1:], s))
}

// toyLoop is an adapter around the reference loop, which speaks a toy here, the one that the
// environment names, with the fault that its argument names.
func toyLoop() {
	loop := hooks.Fault{Make: func() hooks.Mutation { return hooks.Mutation{} }}
	for _, f := range faults.All() {
		if len(os.Args) > 1 && f.Name == os.Args[1] {
			loop = f
		}
	}
	mutation, spoken := loop.Make, cmp.Or(os.Getenv("TOY"), toys[0].Name)
	loop.Make = func() hooks.Mutation {
		m := mutation()
		m.Loop = func(l *refloop.Loop) { l.Dialect = toyHalf{name: spoken} }
		return m
	}
	features := []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.ResumeAfterFailure}
	speak(protocol.Hello{Name: "toy loop", Dialects: []string{spoken}, Features: features}, loop, false)
}

package testadapters

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// Command carries out the task in its environment with the reference loop, and prints its answer.
func Command() {
	text := []byte(os.Getenv("LOOPPROOF_TASK"))
	if file := os.Getenv("LOOPPROOF_TASK_FILE"); file != "" {
		var err error
		text, err = os.ReadFile(file)
		must(err)
	}
	var task protocol.Task
	must(json.Unmarshal(text, &task))
	outcome := refloop.Loop{}.Run(context.Background(), task)
	if outcome.Status != protocol.Completed {
		fmt.Fprintln(os.Stderr, outcome.Error+outcome.Reason)
		os.Exit(1)
	}
	fmt.Println(outcome.Text)
}

// commandEnv prints its input as JSON.
func commandEnv(string) {
	told := map[string]string{}
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_MODEL", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "GEMINI_MODEL", "LOOPPROOF_TASK"} {
		told[name] = os.Getenv(name)
	}
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	told["stdin"] = string(stdin)
	told["args"] = strings.Join(os.Args[1:], "|")
	if file := os.Getenv("LOOPPROOF_TASK_FILE"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		told["LOOPPROOF_TASK_FILE"], told["in the file"] = file, string(text)
	}
	json.NewEncoder(os.Stdout).Encode(told)
}

func commandFails(string) {
	fmt.Println("half an answer")
	fmt.Fprintln(os.Stderr, "Error: 400 Invalid parameter")
	os.Exit(3)
}

// commandHangs prints its number and that of a child, and does not end.
func commandHangs(string) {
	fmt.Fprintln(os.Stderr, os.Getpid(), startSleeper(nil))
	sleep()
}

// commandLeaves ends while a child of it lives on and holds its streams open.
func commandLeaves(string) {
	fmt.Println(os.Getpid(), startSleeper(nil))
}

// commandDeserted prints its number and that of a child that leaves its session, and does not end.
func commandDeserted(string) {
	fmt.Fprintln(os.Stderr, os.Getpid(), startSleeper(ownSession()))
	sleep()
}

func commandFloods(string) {
	for {
		print(strings.Repeat("x", 1<<20))
	}
}

func commandKilled(string) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	self.Kill()
	sleep()
}

func commandNoStdin(string) {
	os.Stdin.Close()
	fmt.Print("fine\r\n")
}

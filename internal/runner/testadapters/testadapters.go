// Package testadapters holds programs for the tests of the runners: a good adapter, one for each
// thing that an adapter can do wrong, the same for commands, and a small agent. No program has to
// be built: the test binary starts itself and becomes one.
//
//	func TestMain(m *testing.M) {
//		testadapters.Main()
//		os.Exit(m.Run())
//	}
//
//	suite.Adapter{Command: os.Args[0], Env: testadapters.Env("dies", "Oslo")}
package testadapters

import (
	"fmt"
	"os"
	"time"
)

// The variables that make a test binary one of the programs.
const (
	modeVariable = "LOOPPROOF_TEST_PROGRAM"
	wordVariable = "LOOPPROOF_TEST_WORD"
)

// Env returns the environment in which a test binary becomes a program. What word means is up to
// the program; most do wrong what they do only at a task whose prompt holds it.
func Env(mode, word string) []string {
	return []string{modeVariable + "=" + mode, wordVariable + "=" + word, "GORACE=atexit_sleep_ms=0"} // else a race build ends slowly
}

// longest is how long a program lives at most, so that none outlives a test that was killed for
// long. go test ends a test after ten minutes itself.
const longest = 10 * time.Minute

// Main becomes the program that the environment asks for, and does nothing when it asks for none.
func Main() {
	mode := os.Getenv(modeVariable)
	if mode == "" {
		return
	}
	run, ok := programs()[mode]
	if !ok {
		fmt.Fprintf(os.Stderr, "testadapters: there is no program %q\n", mode)
		os.Exit(64)
	}
	time.AfterFunc(longest, func() { os.Exit(65) })
	run(os.Getenv(wordVariable))
	os.Exit(0)
}

// sleep lives on, whatever happens to its streams.
func sleep() { time.Sleep(2 * longest) }

func programs() map[string]func(word string) {
	return map[string]func(word string){
		"good":              good,
		"null":              null,
		"exits":             exits,
		"exits-after-hello": exitsAfterHello,
		"noisy":             noisy,
		"hello":             hello,
		"own-hello":         ownHello,
		"never-says-hello":  neverSaysHello,
		"never-answers":     neverAnswers,
		"answers-twice":     answersTwice,
		"answers-stranger":  answersStranger,
		"answers-backwards": answersBackwards,
		"answers-once":      answersOnce,
		"answers-late":      answersLate,
		"chatters":          chatters,
		"bad-status":        badStatus,
		"bad-types":         badTypes,
		"dies":              dies,
		"dies-crowded":      diesCrowded,
		"dies-afterwards":   diesAfterwards,
		"dies-for-good":     diesForGood,
		"hangs":             hangs,
		"blocks":            blocks,
		"long-line":         longLine,
		"loud":              loud,
		"closes-stdin":      closesStdin,
		"closes-stdout":     closesStdout,
		"cancels":           cancels,
		"stubborn":          stubborn,
		"parent":            parent,
		"deserted":          deserted,
		"sleeper":           func(string) { sleep() },

		"acp": func(string) { ACPAgent() },

		"command-good":     func(string) { Command() },
		"command-env":      commandEnv,
		"command-fails":    commandFails,
		"command-hangs":    commandHangs,
		"command-floods":   commandFloods,
		"command-leaves":   commandLeaves,
		"command-deserted": commandDeserted,
		"command-killed":   commandKilled,
		"command-no-stdin": commandNoStdin,
	}
}

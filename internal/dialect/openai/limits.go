package openai

import (
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// limitNamed is where the words of OpenAI name a limit.
var limitNamed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`on (tokens|requests) per [^:]*: Limit \d+, Used \d+, Requested \d+\. Please try again in [^ ]*\.`)
})

// LimitMessage names another limit in a message. A message that names none stays as it is. The
// words are the same in Chat Completions and in Responses:
// https://github.com/openai/codex/issues/2255, https://github.com/continuedev/continue/issues/12911
func LimitMessage(message string, l wire.ReachedLimit) string {
	place := limitNamed().FindStringIndex(message)
	if place == nil {
		return message
	}
	which := l.Of + " per " + perOf(l)
	if l.Per == 0 { // these words are ours: none were seen
		which = "concurrent " + l.Of
	}
	what := fmt.Sprintf("on %s: Limit %d, Used %d, Requested %d. Please try again in %v.", which, l.Limit, l.Used, l.Requested, l.Wait)
	return message[:place[0]] + what + message[place[1]:]
}

// perOf returns the time of a limit, with the name that limits of a minute have.
func perOf(l wire.ReachedLimit) string {
	if l.Per != time.Minute {
		return l.Per.String()
	}
	return "min (" + map[string]string{"tokens": "TPM", "requests": "RPM"}[l.Of] + ")"
}

// waitNamed is where the words of OpenAI name a wait.
var waitNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`try again in [0-9][0-9a-z.]*[a-z]`) })

// waitMessage says another wait in a message. One that says none stays as it is.
func waitMessage(message string, wait time.Duration) string {
	return waitNamed().ReplaceAllString(message, fmt.Sprintf("try again in %v", wait))
}

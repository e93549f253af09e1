package chat

import (
	"fmt"
	"regexp"

	"github.com/loopproof/loopproof/internal/wire"
)

// beside are the other paths of OpenAI's API, and of Azure's, that clients of the dialect ask.
var beside = wire.BesidePaths{
	Embeddings:  []string{"/v1/embeddings", "/openai/deployments/{deployment}/embeddings"},
	Moderations: []string{"/v1/moderations"},
}

// limitNamed is where the words of OpenAI name a limit.
var limitNamed = regexp.MustCompile(`on (tokens|requests) per [^:]*: Limit \d+, Used \d+, Requested \d+\. Please try again in [^ ]*\.`)

// limitMessage names another limit in a message. A message that names none stays as it is.
func limitMessage(message string, l wire.ReachedLimit) string {
	place := limitNamed.FindStringIndex(message)
	if place == nil {
		return message
	}
	what := fmt.Sprintf("on %s per %v: Limit %d, Used %d, Requested %d. Please try again in %v.", l.Of, l.Per, l.Limit, l.Used, l.Requested, l.Wait)
	return message[:place[0]] + what + message[place[1]:]
}

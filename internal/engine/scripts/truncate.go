package scripts

import (
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// truncated returns a turn whose text ends where a request demands it: before the first of the
// texts in stop, or at so many tokens.
func truncated(t *scenarios.Turn, d wire.Demands) *scenarios.Turn {
	answer := *t.Answer
	if at, stop := firstOf(answer.Text, d.Stop); at >= 0 {
		answer.Text, answer.StopSequence = answer.Text[:at], stop
	}
	if len(answer.Calls) == 0 && d.MaxTokens > 0 {
		if text := firstTokens(answer.Text, d.MaxTokens); text != answer.Text {
			answer.Text, answer.StopSequence, answer.Finish = text, "", wire.FinishLength
		}
	}
	turn := *t
	turn.Answer = &answer
	return &turn
}

// firstOf returns where the first of some texts is in another one, and which it is; -1: none does.
func firstOf(text string, among []string) (at int, which string) {
	at = -1
	for _, stop := range among {
		if i := strings.Index(text, stop); i >= 0 && (at < 0 || i < at) {
			at, which = i, stop
		}
	}
	return at, which
}

// firstTokens returns as much of a text as so many tokens hold, and never more than so many words.
func firstTokens(text string, tokens int) string {
	runes, words, inWord := 0, 0, false
	for i, r := range text {
		if space := strings.ContainsRune(" \t\r\n", r); !space && !inWord {
			words++
			inWord = true
		} else if space {
			inWord = false
		}
		if runes++; runes > tokens*scenarios.BytesPerToken || words > tokens {
			return strings.TrimRight(text[:i], " \t\r\n")
		}
	}
	return text
}

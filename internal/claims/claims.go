// Package claims says what follows from the claims of a loop:
//
//	if claims.Has(hello, protocol.Retries, "chat", "json") {
package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Has reports whether a loop claims a feature in a dialect and a delivery; "" means any of them.
func Has(h protocol.Hello, f protocol.Feature, dialect, delivery string) bool {
	switch f {
	case protocol.Executions:
		return h.Executions == nil || *h.Executions
	case protocol.WholeHistory:
		return !slices.ContainsFunc(h.Designs, func(d protocol.Design) bool { return Excluded(d) == f })
	}
	return slices.ContainsFunc(h.Features, func(claim protocol.Feature) bool {
		if claim == f {
			return true
		}
		name, limit := Split(claim)
		return name == f && allows(limit, dialect, delivery)
	})
}

// reported is what a loop tells of its own work besides the answer.
var reported = []protocol.Feature{protocol.UsageCounts, protocol.Transcript, protocol.Events}

// InTask narrows what a loop claims to a task. A loop that has to make its history shorter, or whose
// provider does, need not send it whole, and one whose process was killed need not know what it had
// counted and shown before. What sub-agents said and cost is in the record and the count of some
// loops, and not in those of others.
func InTask(claimed func(protocol.Feature) bool, task protocol.Task) func(protocol.Feature) bool {
	var not []protocol.Feature
	if task.ContextLimit > 0 || task.CompactThreshold > 0 {
		not = append(not, protocol.WholeHistory)
	}
	if task.Session != nil || slices.ContainsFunc(task.Tools, func(t protocol.Tool) bool { return t.Agent != nil }) {
		not = append(not, reported...)
	}
	if not == nil {
		return claimed
	}
	return func(f protocol.Feature) bool { return !slices.Contains(not, f) && claimed(f) }
}

// Split returns the feature of a claim without its limit, and the limit: a pattern of dialects or
// deliveries, or "" if the claim is not limited.
func Split(claim protocol.Feature) (f protocol.Feature, limit string) {
	name, limit, _ := strings.Cut(string(claim), "@")
	return protocol.Feature(name), limit
}

// allows reports whether the limit of a claim applies to a dialect and a delivery.
func allows(limit, dialect, delivery string) bool {
	word, like := dialect, dialect
	if slices.ContainsFunc(wire.AllDeliveries(), func(d wire.Delivery) bool { return matches(limit, string(d)) }) {
		word, like = delivery, string(wire.Delivery(delivery).Like())
	}
	return limit == "" || word == "" || matches(limit, word) || matches(limit, like)
}

func matches(pattern, word string) bool {
	ok, _ := path.Match(pattern, word)
	return ok
}

// Excluded returns the feature that a loop of a design does not have, or "".
func Excluded(d protocol.Design) protocol.Feature {
	if d == protocol.WindowedHistory {
		return protocol.WholeHistory
	}
	return ""
}

// AnswerTool returns the tool by which the model answers the loop, or nil if it answers with a
// text. The default is final_answer with the argument answer.
func AnswerTool(h protocol.Hello) *protocol.AnswerTool {
	switch {
	case !slices.Contains(h.Designs, protocol.AnswersByTool):
		return nil
	case h.AnswerTool != nil:
		return h.AnswerTool
	default:
		return &protocol.AnswerTool{Name: "final_answer", Argument: "answer"}
	}
}

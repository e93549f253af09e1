package rules

import (
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// EachCall calls f for every call in the history. vars returns the values by which a finding names
// the call; it is a function because most calls need none.
func EachCall(req *wire.Request, f func(c wire.Call, vars func() map[string]string)) {
	for i, m := range req.Messages {
		for n, c := range m.Calls {
			f(c, func() map[string]string {
				return map[string]string{"at": Dotted(c.Node), "index": strconv.Itoa(i), "call": strconv.Itoa(n)}
			})
		}
	}
}

// OnlyText reports whether all parts are texts.
func OnlyText(parts []wire.Part) bool {
	return !slices.ContainsFunc(parts, func(p wire.Part) bool { return p.Type != "text" })
}

// EndOfHistory describes the end of a history that does not end with a message of the user or of a
// tool.
func EndOfHistory(req *wire.Request) string {
	last := len(req.Messages) - 1
	switch {
	case len(req.Messages[last].Calls) > 0:
		return "a call"
	case last > 0 && req.Messages[last-1].Role == wire.Assistant:
		return "several answers"
	default:
		return "an answer"
	}
}

// CallIDs returns the ids of the calls of a message.
func CallIDs(m wire.Message) []string {
	ids := make([]string, len(m.Calls))
	for i, c := range m.Calls {
		ids[i] = c.ID
	}
	return ids
}

// InBody makes a check of the keys of a request from a function on its body. A request that carries
// a tool result is evidence.
func InBody(wrong func(body *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j CheckResult) {
		j.HasEvidence = CarriesResult(req)
		j.Find(wrong(req.Body)...)
		return j
	}
}

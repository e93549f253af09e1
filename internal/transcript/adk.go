package transcript

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/wire"
)

func readADK(r *Record) {
	for _, n := range r.Doc.Items {
		data := n.Get("data")
		e := Event{Node: data, Kind: Other, Args: data.Get("args"), Failed: data.Get("isError").True()}
		switch n.Get("event").Text() {
		case "toolCall":
			e.Kind, e.ID, e.Tool, e.Sum = CallEvent, data.Get("id").Text(), data.Get("tool").Text(), data.Get("checksum").Text()
			e.Complete, e.Results = data.Get("isComplete").True(), data.Get("results")
			e.Created, e.Updated, e.Finished = data.Get("createdAt"), data.Get("updatedAt"), data.Get("completedAt")
		case "toolExecutionStart":
			e.Kind, e.Tool, e.Sum = StartTool, data.Get("toolName").Text(), data.Get("callId").Text()
		case "toolExecutionEnd":
			e.Kind, e.Tool, e.Sum = EndTool, data.Get("toolName").Text(), data.Get("callId").Text()
		}
		r.Events = append(r.Events, e)
	}
}

// Checksum returns the checksum of a call as @nhtio/adk makes it: SHA-256 over {tool, args} in
// canonical form, keys sorted and numbers as JavaScript writes them. Arguments that are no JSON
// object count as {}.
func Checksum(tool, arguments string) string {
	args := jsontext.Value("{}")
	if _, is := wire.ParseObject(arguments); is {
		args = jsontext.Value(arguments)
	}
	object := wire.Fields{{Key: "args", Value: wire.Raw(args)}, {Key: "tool", Value: tool}}
	canonical := jsontext.Value(object.JSON())
	if err := canonical.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return "" // only of what is not JSON
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

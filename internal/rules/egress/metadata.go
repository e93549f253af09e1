package egress

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// What OpenAI takes as metadata.
const (
	maxMetadata      = 16
	maxMetadataName  = 64
	maxMetadataValue = 512
)

// MetadataVars are the names of the values of findings by FindMetadata.
var MetadataVars = []string{"at", "found", "problem", "count", "name"}

// FindMetadata says what is wrong with the metadata of a request, as both APIs of OpenAI take them:
// a few short texts.
func FindMetadata(body *wire.Node) (all []trace.Finding) {
	metadata := body.Get("metadata")
	find := func(n *wire.Node, problem, at string, count int, name string) {
		f := trace.Finding{
			Pointer: n.Pointer(), Message: "an entry of metadata is no short text", Expected: "a text of at most 512 characters", Actual: rules.Show(n),
			Vars: map[string]string{"at": at, "found": rules.SchemaKindOf(n), "problem": problem, "count": fmt.Sprint(count), "name": name},
		}
		if n == metadata {
			f.Message, f.Expected = "metadata are no object of at most 16 texts", "at most 16 texts by their keys"
		}
		all = append(all, f)
	}
	switch {
	case metadata == nil || metadata.Is(wire.Null):
		return nil
	case !metadata.Is(wire.Object):
		find(metadata, "no object", "metadata", 0, "")
		return all
	case len(metadata.Members) > maxMetadata:
		find(metadata, "too many", "metadata", len(metadata.Members), "")
		return all
	}
	for _, m := range metadata.Members {
		at, name := "metadata."+m.Key, []rune(m.Key)
		switch size := len([]rune(m.Value.Text())); {
		case len(name) > maxMetadataName:
			find(m.Value, "long name", at, len(name), string(name[:3])+"..."+string(name[len(name)-3:]))
		case !m.Value.Is(wire.String):
			find(m.Value, "no text", at, 0, "")
		case size > maxMetadataValue:
			find(m.Value, "long text", at, size, "")
		}
	}
	return all
}

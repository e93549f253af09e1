package gemini

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of generateContent depart from the regular shape of their profile.
func Quirks() []wire.Quirk {
	return slices.Concat(chunkQuirks(), partQuirks(), placeQuirks(), finishQuirks(), framingQuirks())
}

func chunkQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "unknown-keys",
			Does:   "sends keys that the reference does not know, alongside those of chunks, candidates and token counts",
			Events: wire.EachPayload(addUnknownKeys),
			Whole:  wire.InBody(addUnknownKeys),
		},
		{
			Name:   "choices-empty-first",
			Does:   "begins a stream with a chunk that has token counts and no candidates",
			Events: func(events []wire.Event) []wire.Event { return slices.Insert(slices.Clone(events), 0, bare(events)) },
		},
	}
}

// bare returns a chunk like the first one of a stream, without candidates.
func bare(events []wire.Event) wire.Event {
	chunk := wire.Parsed(events[0].Data)
	chunk.Remove("candidates")
	return wire.Event{Data: chunk.JSON()}
}

// framingQuirks are about the bytes of a stream. Google's own clients read lines with data alone, so that quirks that have
// others are none of this dialect.
func framingQuirks() []wire.Quirk {
	kept := []string{"line-ends-crlf", "slow"}
	return slices.DeleteFunc(wire.FramingQuirks(), func(q wire.Quirk) bool { return !slices.Contains(kept, q.Name) })
}

// addUnknownKeys puts keys of every type besides the known ones. Parts stay as they are, since they go back.
func addUnknownKeys(chunk *wire.Node) {
	wire.AddUnknownKeys("xServer", chunk, chunk.Path("candidates", 0), chunk.Path("usageMetadata"))
}

package gemini

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of generateContent depart from the regular
// shape of their profile.
func Quirks() []wire.Quirk {
	return wire.WithNeeds(slices.Concat(
		stopWord.Quirks(earlyWords()...), idQuirks(), wire.ErrorQuirks(), wire.IdleQuirks(), candidateQuirks(), countQuirks(), chunkQuirks(),
		partQuirks(), placeQuirks(), textQuirks(), finishQuirks(), framingQuirks(),
	), needs)
}

// needs are what a dialect has to be able to say before answers can have these quirks.
var needs = map[wire.Abilities][]string{
	wire.AnswerChoices: {"candidates-none"},
	wire.OwnParts:      {"content-missing", "parts-missing", "provider-parts", "provider-tools"},
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
			Name:   "citations",
			Does:   "says beside the parts on what the answer rests",
			Events: wire.EachPayload(cite),
			Whole:  wire.InBody(cite),
		},
		{
			Name: "long-line",
			Does: "sends a chunk of more than 64 KiB in one line",
			Events: func(events []wire.Event) []wire.Event {
				long := wire.Parsed(events[0].Data)
				long.Path("candidates", 0).Set("groundingMetadata", wire.Fields{{Key: "searchEntryPoint", Value: wire.Fields{{Key: "renderedContent", Value: strings.Repeat("loopproof ", 10_000)}}}})
				events = slices.Clone(events)
				events[0].Data = long.JSON()
				return events
			},
		},
		{
			Name:   "choices-empty-first",
			Does:   "begins a stream with a chunk that has token counts and no candidates",
			Events: func(events []wire.Event) []wire.Event { return slices.Insert(slices.Clone(events), 0, bare(events)) },
		},
	}
}

// cite adds to a candidate that stops what it rests on, which is no part of the turn.
func cite(chunk *wire.Node) {
	candidate := chunk.Path("candidates", 0)
	if !candidate.Has("finishReason") {
		return
	}
	const page = "https://example.com/weather"
	candidate.Set("citationMetadata", wire.Fields{{Key: "citationSources", Value: []any{wire.Fields{{Key: "startIndex", Value: 0}, {Key: "endIndex", Value: 3}, {Key: "uri", Value: page}}}}})
	candidate.Set("groundingMetadata", wire.Fields{
		{Key: "webSearchQueries", Value: []any{"weather"}},
		{Key: "groundingChunks", Value: []any{wire.Fields{{Key: "web", Value: wire.Fields{{Key: "uri", Value: page}, {Key: "title", Value: "Weather"}}}}}},
		{Key: "groundingSupports", Value: []any{wire.Fields{{Key: "segment", Value: wire.Fields{{Key: "endIndex", Value: 3}, {Key: "text", Value: "4 C"}}}, {Key: "groundingChunkIndices", Value: []any{0}}}}},
	})
}

// bare returns a chunk like the first one of a stream, without candidates.
func bare(events []wire.Event) wire.Event {
	chunk := wire.Parsed(events[0].Data)
	chunk.Remove("candidates")
	return wire.Event{Data: chunk.JSON()}
}

// addUnknownKeys puts keys of every type besides the known ones. Parts stay as they are, since they
// go back.
func addUnknownKeys(chunk *wire.Node) {
	wire.AddUnknownKeys("xServer", chunk, chunk.Path("candidates", 0), chunk.Path("usageMetadata"))
}

package messages

import (
	"bytes"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInAnswers = []raw.Variation{
	{
		Name:    "answers/told-by-the-names-of-events",
		Does:    "An event of a stream is known by its name, and one without a name that is known is passed over.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/_streaming.py (sse.event == \"message_start\")"},
		Make: raw.OnBytes(func(stream []byte) []byte {
			stream = bytes.TrimPrefix(stream, []byte("\uFEFF")) // a byte order mark is no part of a name
			var kept [][]byte
			for _, event := range bytes.SplitAfter(bytes.ReplaceAll(stream, []byte("\r\n"), []byte("\n")), []byte("\n\n")) {
				if named := eventName(event); named == "error" || named == "ping" || strings.HasPrefix(named, "message_") || strings.HasPrefix(named, "content_block_") {
					kept = append(kept, event)
				}
			}
			return bytes.Join(kept, nil)
		}),
	},
}

package responses

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// compactionForm is OpenAI's: https://developers.openai.com/api/docs/guides/compaction
var compactionForm = wire.CompactionForm{
	Asked: func(req *wire.Request) (threshold int, asked bool) {
		for _, entry := range req.Body.Get("context_management").All() {
			if entry.Get("type").Text() == compactionItem {
				threshold, _ = entry.Get("compact_threshold").Int()
				return threshold, true
			}
		}
		return 0, false
	},
	In: func(req *wire.Request) (items []*wire.Node) {
		for _, item := range req.Body.Get("input").All() {
			kind := TypeOf(item)
			if kind == compactionItem || kind == referenceItem && strings.HasPrefix(item.Get("id").Text(), compactionPrefix+"_") {
				items = append(items, item)
			}
		}
		return items
	},
	Sealed: true,
	Alone: func(req *wire.Request) bool {
		items := req.Body.Get("input").All()
		return len(items) > 0 && TypeOf(items[len(items)-1]) == "compaction_trigger"
	},
	Apart: func(req *wire.Request, item *wire.Node, given []*wire.Compaction) bool { // by /responses/compact
		c := wire.Compaction{ID: item.Get("id").Text(), Data: item.Get("encrypted_content").Text()}
		known := slices.ContainsFunc(given, func(g *wire.Compaction) bool { return g.ID == c.ID })
		return c.Data != "" && !known && req.Altered != nil && !req.Altered("", c.Data)
	},
	Read: func(item *wire.Node) wire.Compaction {
		return wire.Compaction{ID: item.Get("id").Text(), Data: item.Get("encrypted_content").Text()}
	},
}

// compactionPrefix begins the ids of these items.
const compactionPrefix = "cmp"

// compaction is an item that stands for the history, which the provider alone can read: recorded in
// github.com/vercel/ai, packages/openai/src/responses/__fixtures__ (openai-compaction).
func (w *writer) compaction(c *wire.Compaction) item {
	whole := wire.Fields{{Key: "id", Value: c.ID}, {Key: "type", Value: compactionItem}, {Key: "encrypted_content", Value: c.Data}}.JSON()
	return item{id: c.ID, added: whole, whole: whole}
}

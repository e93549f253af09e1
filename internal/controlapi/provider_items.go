package controlapi

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// itemView is what an answer has besides texts, reasoning and calls of tools: a search of the
// provider's own, the question whether a call is allowed.
type itemView struct {
	Type string `json:"type"` // in the word of the dialect
	ID   string `json:"id,omitempty"`
	Text string `json:"text,omitempty"` // what it was about, or the whole item as JSON
}

// viewItems shows the provider's own items of an answer.
func viewItems(a *wire.Answer) (views []itemView) {
	if a.Commentary != "" {
		views = append(views, itemView{Type: string(wire.PhaseCommentary), Text: a.Commentary})
	}
	for _, i := range a.Items {
		parts := append([]string{i.Query, i.Code, i.Server}, i.Tools...)
		parts = append(parts, i.Name, i.Arguments, i.Output, i.Error)
		views = append(views, itemView{i.Type, i.ID, strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")})
	}
	for _, raw := range a.Blocks {
		views = append(views, viewBlock(raw))
	}
	return views
}

func viewBlock(raw wire.Raw) itemView {
	v := itemView{Text: string(raw)}
	block, err := wire.ParseNode(raw)
	if err != nil {
		return v
	}
	v.Type, v.ID = block.Get("type").Text(), block.Get("id").Text()
	if v.Type == "" && len(block.Members) > 0 { // a dialect whose parts say by their key what they are
		v.Type = block.Members[0].Key
	}
	return v
}

// shorten cuts the text of an item where it is long.
func (v *itemView) shorten() { v.Text = textlayout.ShortenCounted(v.Text, maxListedText) }

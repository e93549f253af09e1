package chat

import (
	"encoding/json"
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// detailList tells which blocks of structured reasoning the pieces of a stream are:
// https://openrouter.ai/docs/use-cases/reasoning-tokens A piece that continues the block before it
// has the same index and type. Everything else is a block of its own, in the order in which it
// came, with all its keys.
type detailList struct {
	count int
	last  map[string]json.RawMessage // all keys of the last block
}

// detail are the keys of a block that a loop reads.
type detail struct {
	Text      string `json:"text"`
	Summary   string `json:"summary"`
	Signature string `json:"signature"`
	Data      string `json:"data"`
}

func (l *detailList) add(raw json.RawMessage) (neutral.Piece, bool) {
	var block map[string]json.RawMessage
	if json.Unmarshal(raw, &block) != nil || block == nil {
		return neutral.Piece{}, false
	}
	var d detail
	json.Unmarshal(raw, &d)
	if l.continues(block) {
		for key, value := range block {
			l.last[key] = value
		}
		return neutral.Piece{At: l.place(), Text: d.Text + d.Summary, Signature: d.Signature, Keys: raw}, true
	}
	l.count++
	l.last = block
	whole, _ := json.Marshal(block)
	return neutral.Piece{At: l.place(), Part: &neutral.Reasoning{Place: inDetails, Text: d.Text + d.Summary, Signature: d.Signature, Data: d.Data, Raw: whole}}, true
}

func (l *detailList) place() string { return "detail " + strconv.Itoa(l.count) }

func (l *detailList) continues(piece map[string]json.RawMessage) bool {
	if l.last == nil {
		return false
	}
	_, encrypted := piece["data"]
	_, signed := l.last["signature"]
	return !encrypted && !signed && string(l.last["index"]) == string(piece["index"]) && string(l.last["type"]) == string(piece["type"])
}

// blockOf returns a block of reasoning as it came, but for what was changed of it.
func blockOf(p *neutral.Reasoning) json.RawMessage {
	block := neutral.Keys(p.Raw)
	if _, summary := block.Values["summary"]; summary {
		block.SetText("summary", p.Text)
	} else if p.Text != "" || block.Text("text") != "" {
		block.SetText("text", p.Text)
	}
	block.SetOrDrop("signature", p.Signature)
	block.SetOrDrop("data", p.Data)
	return block.JSON()
}

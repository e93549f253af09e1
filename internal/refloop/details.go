package refloop

import "encoding/json"

// detailList puts streamed blocks of structured reasoning together: https://openrouter.ai/docs/use-cases/reasoning-tokens
// A piece that continues the block before it has the same index and type. Everything else is a block of its own, in
// the order in which it came, with all its keys.
type detailList []map[string]json.RawMessage

func (l *detailList) add(raw json.RawMessage) {
	var block map[string]json.RawMessage
	if json.Unmarshal(raw, &block) != nil {
		return
	}
	if last := len(*l) - 1; last >= 0 && continues((*l)[last], block) {
		merge((*l)[last], block)
		return
	}
	*l = append(*l, block)
}

func continues(block, piece map[string]json.RawMessage) bool {
	_, encrypted := piece["data"]
	_, signed := block["signature"]
	return !encrypted && !signed && string(block["index"]) == string(piece["index"]) && string(block["type"]) == string(piece["type"])
}

func merge(block, piece map[string]json.RawMessage) {
	for key, value := range piece {
		if key == "text" || key == "summary" {
			var before, more string
			json.Unmarshal(block[key], &before)
			json.Unmarshal(value, &more)
			value, _ = json.Marshal(before + more)
		}
		block[key] = value
	}
}

func (l detailList) blocks() []json.RawMessage {
	var blocks []json.RawMessage
	for _, block := range l {
		raw, err := json.Marshal(block)
		if err == nil {
			blocks = append(blocks, raw)
		}
	}
	return blocks
}

package responses

import "github.com/loopproof/loopproof/internal/wire"

// refer puts the items of earlier answers where a request refers to them. What it refers to besides
// those stays a reference. https://platform.openai.com/docs/api-reference/responses/create (input:
// item_reference)
func refer(req *wire.Request, answers func() []*wire.Node) (*wire.Request, error) {
	input := req.Body.Get("input")
	if !refersToItems(input) {
		return nil, nil
	}
	said := map[string]*wire.Node{}
	for _, answer := range answers() {
		if output := answer.Get("output"); output.Is(wire.Array) {
			for _, item := range output.Items {
				said[item.Get("id").Text()] = item
			}
		}
	}
	items := wire.RawItems(input)
	for i, item := range input.Items {
		if known := said[item.Get("id").Text()]; known != nil && TypeOf(item) == referenceItem {
			items[i] = known.Raw
		}
	}
	return req.Dialect.Read(req.Body.AsFields().With("input", items).JSON())
}

func refersToItems(input *wire.Node) bool {
	if !input.Is(wire.Array) {
		return false
	}
	for _, item := range input.Items {
		if TypeOf(item) == referenceItem {
			return true
		}
	}
	return false
}

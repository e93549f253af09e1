// Package wire holds the neutral conversation that all dialects share: what a client asked
// ([Request]), what the model answered ([Answer]), and the JSON tree ([Node]) that remembers the
// bytes and the place of every value.
//
// There are two forms of JSON here. A [Node] is read from bytes, keeps them, and can be changed.
// [Fields] are written: an object with its keys in order, whose places a [Template] fills. A
// document that is only passed on is a json.RawMessage.
//
// Each dialect has a codec in a package of its own. It reads a request into neutral words and
// writes an answer as that dialect's bytes; it knows no rule, no scenario and no provider:
//
//	req, err := chat.Read(body)
//	for _, m := range req.Messages {
//		fmt.Println(m.Node.Pointer(), m.Role, m.Content.Text)
//	}
package wire

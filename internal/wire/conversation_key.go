package wire

import "crypto/sha256"

// ConversationKey identifies the conversation that a request carries: the same messages, and the
// same alongside them that belongs to the conversation, such as a system prompt, have the same key.
// Model, tools and other settings do not count.
func (r *Request) ConversationKey() [sha256.Size]byte {
	h := sha256.New()
	form := r.Dialect.Request
	for _, key := range append([]string{form.Messages}, form.OutsideList...) {
		if part := r.Body.Get(key); part != nil {
			h.Write(part.Raw)
		}
		h.Write([]byte{0}) // which no JSON contains, so that two parts are not treated as one
	}
	return [sha256.Size]byte(h.Sum(nil))
}

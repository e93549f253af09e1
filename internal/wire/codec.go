package wire

import "slices"

// Codec writes answers as the bytes of one dialect, in the way of one provider.
type Codec interface {
	// Write returns the answer as the body of a response that is not streamed.
	Write(*Answer, Reply) []byte

	// Stream returns the answer as the events of a stream, without the mark that ends it.
	Stream(*Answer, Reply) []Event

	// End returns the mark that ends a stream; none where the last event of the answer ends it.
	End() []Event

	// Failure returns the events of an error in the middle of a stream, whose payload is given,
	// after those that were sent.
	Failure(payload []byte, sent []Event) []Event
}

// Reply is what surrounds an answer on the wire.
type Reply struct {
	ID          string
	Model       string
	Created     int64  // Unix seconds
	Fingerprint string // of the provider's configuration, in the answers of providers that have one; "": the usual one
	Usage       bool   // the request for a stream asked for the token counts
	Queued      bool   // the answer is sent before it is made, or its stream says that it was

	// Request is the request, of which some dialects repeat parts in the answer; nil: unknown.
	Request *Request
}

// maxPieces bounds how many events one text becomes, so that a long one stays cheap to send;
// maxChunks does it where the size of a piece is asked for.
const (
	maxPieces = 96
	maxChunks = 20_000
)

// Pieces cuts a text of the answer as a model would write it: a few letters at a time, never inside
// a rune.
func (a *Answer) Pieces(text string) []string {
	runes := []rune(text)
	size := max(a.Chunk, (len(runes)+maxChunks-1)/maxChunks)
	if a.Chunk == 0 {
		size = max(4, (len(runes)+maxPieces-1)/maxPieces)
	}
	var cut []string
	for piece := range slices.Chunk(runes, max(1, size)) {
		cut = append(cut, string(piece))
	}
	return cut
}

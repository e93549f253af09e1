package journal

import (
	"bytes"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// body is that of a request: bytes of its own behind the beginning of an earlier body, which other
// ones may have, too.
type body struct {
	shared
	before *body
	begin  int // how many bytes of the one before it begins with
	own    []byte
}

// weightOf returns how many bytes a body takes in the journal, together with what is read of it
// when somebody looks at it.
func weightOf(body int) int64 { return 2 * int64(body) }

// partSize is about what a part of a body takes besides its bytes.
const partSize = 100

func newBody(own []byte) *body {
	return &body{shared: newShared(nil, weightOf(len(own))), own: own}
}

// followedBy returns the body that begins with so many bytes of b and goes on with own ones.
func (b *body) followedBy(begin int, own []byte) *body {
	for b.begin >= begin {
		b = b.before
	}
	return &body{shared: newShared(&b.shared, weightOf(len(own))+partSize), before: b, begin: begin, own: bytes.Clone(own)}
}

// part returns what a budget counts; nil for nil.
func (b *body) part() *shared {
	if b == nil {
		return nil
	}
	return &b.shared
}

// size returns how many bytes there are.
func (b *body) size() int {
	if b == nil {
		return 0
	}
	return b.begin + len(b.own)
}

// bytes returns all of them; they are not copied where they are in one piece.
func (b *body) bytes() []byte {
	if b == nil {
		return nil
	}
	return joined(b.pieces())
}

// pieces returns the bytes in the pieces in which they are in memory.
func (b *body) pieces() (all [][]byte) {
	for end := b.size(); b != nil; b = b.before {
		if end > b.begin {
			all = append(all, b.own[:end-b.begin])
			end = b.begin
		}
	}
	slices.Reverse(all)
	return all
}

// common returns how many bytes the body and another one have in common at their beginning.
func (b *body) common(whole []byte) (same int) {
	for _, piece := range b.pieces() {
		n := wire.CommonPrefix(piece, whole[same:])
		same += n
		if n < len(piece) {
			break
		}
	}
	return same
}

package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"iter"
	"slices"
)

// Pieces are the bytes of a body in the pieces in which they are written. Most events of a stream
// differ from the one before them in a word, and streams are open for long: of each piece but the
// first only what differs is in memory. Nil has no pieces.
type Pieces struct {
	first  []byte
	others []byte // of each: how much begins and ends as the one before, how much is between, and that
	count  int
	size   int
}

// NewPieces returns pieces. A single one is not copied.
func NewPieces(all ...[]byte) *Pieces {
	p := &Pieces{count: len(all)}
	for i, piece := range all {
		p.size += len(piece)
		if i > 0 {
			p.follow(all[i-1], piece)
		}
	}
	switch len(all) {
	case 0:
	case 1:
		p.first = all[0]
	default:
		p.first, p.others = bytes.Clone(all[0]), bytes.Clone(p.others)
	}
	return p
}

// follow adds a piece behind another one.
func (p *Pieces) follow(before, piece []byte) {
	same := CommonPrefix(before, piece)
	left := min(len(before), len(piece)) - same
	end := 0
	for end < left && before[len(before)-1-end] == piece[len(piece)-1-end] {
		end++
	}
	own := piece[same : len(piece)-end]
	for _, n := range []int{same, end, len(own)} {
		p.others = binary.AppendUvarint(p.others, uint64(n))
	}
	p.others = append(p.others, own...)
}

// Len returns how many pieces there are.
func (p *Pieces) Len() int {
	if p == nil {
		return 0
	}
	return p.count
}

// Size returns how many bytes they have together.
func (p *Pieces) Size() int {
	if p == nil {
		return 0
	}
	return p.size
}

// All returns the pieces. Each is only there until the next one.
func (p *Pieces) All() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		if p.Len() == 0 || !yield(0, p.first) {
			return
		}
		piece, others := bytes.Clone(p.first), p.others
		number := func() int {
			n, size := binary.Uvarint(others)
			others = others[size:]
			return int(n)
		}
		for i := 1; i < p.count; i++ {
			same, end, own := number(), number(), number()
			piece = slices.Replace(piece, same, len(piece)-end, others[:own]...)
			others = others[own:]
			if !yield(i, piece) {
				return
			}
		}
	}
}

// Split returns the pieces to keep.
func (p *Pieces) Split() [][]byte {
	if p == nil {
		return nil
	}
	all := make([][]byte, 0, p.count)
	for _, piece := range p.All() {
		all = append(all, bytes.Clone(piece))
	}
	return all
}

// Sizes returns how many bytes each piece has.
func (p *Pieces) Sizes() []int {
	sizes := make([]int, 0, p.Len())
	for _, piece := range p.All() {
		sizes = append(sizes, len(piece))
	}
	return sizes
}

// Join returns all bytes. Those of a single piece are not copied.
func (p *Pieces) Join() []byte {
	switch p.Len() {
	case 0:
		return nil
	case 1:
		return p.first
	}
	whole := make([]byte, 0, p.size)
	for _, piece := range p.All() {
		whole = append(whole, piece...)
	}
	return whole
}

// MarshalJSON writes the pieces as an array.
func (p *Pieces) MarshalJSON() ([]byte, error) { return json.Marshal(p.Split()) }

// UnmarshalJSON reads what [Pieces.MarshalJSON] writes.
func (p *Pieces) UnmarshalJSON(data []byte) error {
	var all [][]byte
	err := json.Unmarshal(data, &all)
	*p = *NewPieces(all...)
	return err
}

// Package digest draws bytes that look random and are the same for the same words, so that an id or
// a signature can be issued by one server and recognised by another that knows the same secret.
//
//	signature := digest.Sign(secret, scenario, "call", arguments)
//	colours := digest.New(secret, "picture")
//	red := colours.Next()
package digest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// Source gives the bytes one after the other, without end.
type Source struct {
	key   [sha256.Size]byte
	block [sha256.Size]byte
	count uint64
	used  int
}

// New returns a source for a secret and some words.
func New(secret string, words ...string) *Source {
	s := &Source{key: sum(secret, words), used: sha256.Size}
	return s
}

// sum is the HMAC with SHA-256 of the words, each after its length, made without allocating: each
// answer has an id.
func sum(secret string, words []string) (key [sha256.Size]byte) {
	if len(secret) > sha256.BlockSize {
		hashed := sha256.Sum256([]byte(secret))
		secret = string(hashed[:])
	}
	var room [4 * sha256.BlockSize]byte // enough for most words
	var outer [sha256.BlockSize + sha256.Size]byte
	inner := room[:sha256.BlockSize]
	copy(inner, secret)
	copy(outer[:], secret)
	for i := range inner {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	for _, w := range words {
		inner = binary.BigEndian.AppendUint64(inner, uint64(len(w)))
		inner = append(inner, w...)
	}
	key = sha256.Sum256(inner)
	copy(outer[sha256.BlockSize:], key[:])
	return sha256.Sum256(outer[:])
}

// Next returns the next byte.
func (s *Source) Next() byte {
	if s.used == len(s.block) {
		var input [sha256.Size + 8]byte
		copy(input[:], s.key[:])
		binary.BigEndian.PutUint64(input[sha256.Size:], s.count)
		s.block = sha256.Sum256(input[:])
		s.count++
		s.used = 0
	}
	s.used++
	return s.block[s.used-1]
}

// Sign returns a short text that proves that its writer knew the secret and the words.
func Sign(secret string, words ...string) string {
	key := sum(secret, words)
	return base64.RawStdEncoding.EncodeToString(key[:])
}

// The form of a seal: what all of them begin with, and how many letters tell one from another.
const (
	sealed = "loopproof"
	mark   = 8
)

// Seal returns a text that proves that its writer knew the secret and what was sealed. The words
// make it another one each time that the same is sealed.
func Seal(secret, what string, words ...string) string {
	own := Sign(secret, words...)[:mark]
	return sealed + own + Sign(secret, "seal", own, what)
}

// Broken reports whether a text is such a seal, and none of this secret or of something else. A
// text of another form is not a seal, and so not a broken one.
func Broken(secret, what, seal string) bool {
	rest, isSeal := strings.CutPrefix(seal, sealed)
	if !isSeal {
		return false
	}
	return len(rest) <= mark || rest[mark:] != Sign(secret, "seal", rest[:mark], what)
}

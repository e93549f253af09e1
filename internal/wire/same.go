package wire

import (
	"bytes"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// SameValue reports whether two JSON values mean the same: the order of keys, white space and the
// way in which strings are escaped do not matter. Numbers are compared as IEEE doubles, which is
// all that RFC 8259 (section 6) lets a reader rely on; [SameExactly] compares all their digits.
func SameValue(a, b *Node) bool { return same(a, b, sameDouble) }

// SameExactly is [SameValue] with numbers compared digit by digit, so that 9007199254740993 differs
// from 9007199254740992.
func SameExactly(a, b *Node) bool { return same(a, b, sameNumber) }

func same(a, b *Node, number func(a, b []byte) bool) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Type() {
	case Object:
		return sameObject(a, b, number)
	case Array:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !same(a.Items[i], b.Items[i], number) {
				return false
			}
		}
		return true
	case String:
		return bytes.Equal(a.Raw, b.Raw) || a.Text() == b.Text() && slices.Equal(loneSurrogates(a.Raw), loneSurrogates(b.Raw))
	case Number:
		return bytes.Equal(a.Raw, b.Raw) || number(a.Raw, b.Raw)
	case Bool:
		return bytes.Equal(a.Raw, b.Raw)
	default:
		return true
	}
}

// loneSurrogates returns the halves of surrogate pairs that stand alone in a JSON string, in small
// letters. Decoding makes the same replacement character of all of them.
func loneSurrogates(raw []byte) []string {
	var lone []string
	high := "" // the escape just before, when it was a first half
	for i := 0; i < len(raw); {
		half, size := surrogateAt(raw[i:])
		paired := high != "" && half >= "dc00"
		if high != "" && !paired {
			lone = append(lone, high)
		}
		switch high = ""; {
		case half == "" || paired:
		case half < "dc00":
			high = half
		default:
			lone = append(lone, half)
		}
		i += size
	}
	return lone // a first half is never last: the closing quote follows
}

// surrogateAt returns the surrogate that is escaped at the beginning of raw, "" for anything else,
// and the bytes taken.
func surrogateAt(raw []byte) (half string, size int) {
	switch {
	case raw[0] != '\\':
		return "", 1
	case raw[1] != 'u':
		return "", 2
	}
	if half = strings.ToLower(string(raw[2:6])); half < "d800" || half > "dfff" {
		half = ""
	}
	return half, 6
}

func sameObject(a, b *Node, number func(a, b []byte) bool) bool {
	x, y := a.byKey(), b.byKey()
	if len(x) != len(y) {
		return false
	}
	for key, v := range x {
		if w, ok := y[key]; !ok || !same(v, w, number) {
			return false
		}
	}
	return true
}

func (n *Node) byKey() map[string]*Node {
	m := make(map[string]*Node, len(n.Members))
	for _, member := range n.Members {
		m[member.Key] = member.Value
	}
	return m
}

func sameDouble(a, b []byte) bool {
	x, errX := strconv.ParseFloat(string(a), 64)
	y, errY := strconv.ParseFloat(string(b), 64)
	return errX == nil && errY == nil && x == y
}

// maxDigits bounds what is worth comparing digit by digit: 1e999999999 would cost a gigabyte as a
// fraction.
const maxDigits = 400

func sameNumber(a, b []byte) bool {
	if len(a) > maxDigits || len(b) > maxDigits || hugeExponent(a) || hugeExponent(b) {
		return false
	}
	x, okX := new(big.Rat).SetString(string(a))
	y, okY := new(big.Rat).SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

func hugeExponent(n []byte) bool {
	i := bytes.IndexAny(n, "eE")
	return i >= 0 && len(n)-i > 5
}

// SameJSON reports whether two texts are JSON documents of the same value, in the sense of
// [SameValue]. Texts that are not JSON are the same only when they are equal byte for byte.
func SameJSON(a, b string) bool { return sameText(a, b, SameValue) }

// SameJSONExactly is [SameJSON] in the sense of [SameExactly].
func SameJSONExactly(a, b string) bool { return sameText(a, b, SameExactly) }

func sameText(a, b string, same func(a, b *Node) bool) bool {
	if a == b {
		return true
	}
	x, errX := ParseNode([]byte(a))
	y, errY := ParseNode([]byte(b))
	return errX == nil && errY == nil && same(x, y)
}

// KeysMoved compares two values that are [SameExactly] but for the order of keys. It returns the
// first objects, at the same place, whose keys are in another order, and whether there are any.
// Values that differ otherwise have none.
func KeysMoved(a, b *Node) (was, now *Node, moved bool) {
	if !SameExactly(a, b) {
		return nil, nil, false
	}
	return firstMoved(a, b)
}

func firstMoved(a, b *Node) (was, now *Node, moved bool) {
	switch {
	case a.Is(Object) && !slices.Equal(a.Keys(), b.Keys()):
		return a, b, true
	case a.Is(Object):
		for i := range a.Members {
			if was, now, moved = firstMoved(a.Members[i].Value, b.Members[i].Value); moved {
				return was, now, true
			}
		}
	case a.Is(Array):
		for i := range a.Items {
			if was, now, moved = firstMoved(a.Items[i], b.Items[i]); moved {
				return was, now, true
			}
		}
	}
	return nil, nil, false
}

package agreement

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"sync"
)

// Body is one request that real servers and the mock provider are both asked.
type Body struct {
	Class string // what it is about: one of [Classes]
	Name  string // unique in its class
	JSON  []byte // the request, as it is sent
}

// ID returns "class/name".
func (b Body) ID() string { return b.Class + "/" + b.Name }

// Digest identifies the bytes of the request, so that an answer to an older version of it is noticed.
func (b Body) Digest() string {
	sum := sha256.Sum256(b.JSON)
	return hex.EncodeToString(sum[:6])
}

// Classes returns the classes of bodies, in the order of the table. Bodies of the class good are requests that a correct
// loop sends; those of the others each differ from one of them in one point.
func Classes() []string {
	return []string{"good", "pairing", "ids", "roles", "content", "calls", "tools", "parameters"}
}

// Bodies returns the requests of a dialect, in their order.
func Bodies(dialect string) []Body {
	switch dialect {
	case "chat":
		return bodiesOfChat()
	case "messages":
		return bodiesOfMessages()
	case "responses":
		return bodiesOfResponses()
	case "gemini":
		return bodiesOfGemini()
	default:
		return nil
	}
}

var (
	bodiesOfChat      = sync.OnceValue(chatBodies)
	bodiesOfMessages  = sync.OnceValue(messagesBodies)
	bodiesOfResponses = sync.OnceValue(responsesBodies)
	bodiesOfGemini    = sync.OnceValue(geminiBodies)
)

type (
	object = map[string]any
	list   = []any
)

// corpus collects bodies.
type corpus struct {
	class  string
	bodies []Body
}

func (c *corpus) add(name string, request object) {
	text, err := json.Marshal(request)
	if err != nil {
		panic(fmt.Sprintf("the body %s/%s: %v", c.class, name, err)) // a test makes all bodies
	}
	c.bodies = append(c.bodies, Body{Class: c.class, Name: name, JSON: text})
}

// with returns a copy of an object in which some keys have another value: with(o, "content", nil).
func with(o object, keysAndValues ...any) object {
	changed := maps.Clone(o)
	for i := 0; i < len(keysAndValues); i += 2 {
		changed[keysAndValues[i].(string)] = keysAndValues[i+1]
	}
	return changed
}

// without returns a copy of an object without some of its keys.
func without(o object, keys ...string) object {
	changed := maps.Clone(o)
	for _, key := range keys {
		delete(changed, key)
	}
	return changed
}

// listOf returns a list that is written as [] where it is empty.
func listOf(all []any) list { return append(list{}, all...) }

// png is an image of one pixel, in base64.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// ordered returns names and values in their order.
func ordered(namesAndValues ...any) iter.Seq2[string, object] {
	return func(yield func(string, object) bool) {
		for i := 0; i < len(namesAndValues); i += 2 {
			if !yield(namesAndValues[i].(string), namesAndValues[i+1].(object)) {
				return
			}
		}
	}
}

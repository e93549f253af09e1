// Package dialect lists the wire APIs that Loopproof speaks. Each is a value of its own package below this one, and
// nothing else knows their names:
//
//	for _, d := range dialect.All() {
//		fmt.Println(d.Name, d.Endpoint.Path)
//	}
package dialect

import (
	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
)

// All returns the dialects, in the order in which they are shown.
func All() []*wire.Dialect { return []*wire.Dialect{chat.API, messages.API} }

// Named returns the dialect of a name, or nil.
func Named(name string) *wire.Dialect {
	for _, d := range All() {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Names returns the names of dialects.
func Names(all []*wire.Dialect) []string {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.Name
	}
	return names
}

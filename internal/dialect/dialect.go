// Package dialect lists the wire APIs that Loopproof speaks. Each is a value of its own package
// below this one, and nothing else knows their names:
//
//	for _, d := range dialect.All() {
//		fmt.Println(d.Name, d.Endpoint.Path())
//	}
package dialect

import (
	"io/fs"
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/cohere"
	"github.com/loopproof/loopproof/internal/dialect/converse"
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/dialect/interactions"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/dialect/ollama"
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/wire"
)

// registered are the dialects, in the order in which they are shown. A new one is a line here.
var registered = []*wire.Dialect{
	chat.API,
	messages.API,
	responses.API,
	gemini.API,
	converse.API,
	ollama.API,
	cohere.API,
	interactions.API,
}

// All returns the dialects that are proved to be complete, in the order in which they are shown.
func All() []*wire.Dialect {
	return slices.DeleteFunc(Known(), func(d *wire.Dialect) bool { return d.Draft })
}

// Usual returns the dialects that most loops which speak several know: those of a second model,
// where a loop does not say in which it asks one.
func Usual() []*wire.Dialect {
	return []*wire.Dialect{chat.API, messages.API, responses.API, gemini.API}
}

// Known returns all dialects, drafts among them.
func Known() []*wire.Dialect { return slices.Clone(registered) }

// Deliveries returns the deliveries of some dialects.
func Deliveries(of []*wire.Dialect) []wire.Delivery {
	return slices.DeleteFunc(wire.AllDeliveries(), func(d wire.Delivery) bool {
		return !slices.ContainsFunc(of, func(in *wire.Dialect) bool { return slices.Contains(in.EveryDelivery(), d) })
	})
}

// Named returns the dialect of a name, or nil.
func Named(name string) *wire.Dialect {
	for _, d := range registered {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Folder is a folder of profiles that speak dialects which are none of Loopproof's own.
type Folder struct {
	fs.FS
	Dialects []*wire.Dialect
}

// In returns the dialects that a folder of profiles brings.
func In(folder fs.FS) []*wire.Dialect {
	if f, ok := folder.(Folder); ok {
		return f.Dialects
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

// Package ollamarules holds the rules that are about Ollama's own API alone, and says which of other
// APIs are about it, too.
package ollamarules

import (
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/ollama"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Rules returns the rules of this dialect.
func Rules() []rules.Rule {
	return rules.Only(ollama.API, rules.FromFormInWords(ollama.Form(), takes, inGosWords))
}

// takes reports whether a breach is none: null is nothing to Go, in a list, too.
func takes(_ *profiles.Profile, b *wire.Breach) bool { return b.Value.Is(wire.Null) }

// inGosWords adds what Go says of a value that it cannot read: its kind (what), the way to it without
// names and indexes (in), the struct that is read there (of), and the type of the field.
func inGosWords(b *wire.Breach, f *trace.Finding) {
	var way []string
	for n := b.Value; n.Parent() != nil; n = n.Parent() {
		if named := n.Parent().Key() == "properties"; n.Key() != "" && !named {
			way = append([]string{n.Key()}, way...)
		}
	}
	f.Vars["in"], f.Vars["of"], f.Vars["type"], f.Vars["what"] = strings.Join(way, "."), structOf(way), b.Type, kindOf(b)
	if b.Keyword == "enum" {
		f.Vars["found"] = strconv.Quote(string(b.Value.Raw))
	}
}

// structOf returns the struct that Go reads at the end of a way. It knows those within tools alone:
// messages are read by a function of their own.
func structOf(way []string) string {
	inTools := []string{"Tool", "ToolFunction", "ToolFunctionParameters"}
	if len(way) < 2 || way[0] != "tools" {
		return "ChatRequest"
	}
	depth := 0
	for depth < 2 && len(way) > depth+2 && way[depth+1] == []string{"function", "parameters"}[depth] {
		depth++
	}
	return inTools[depth]
}

// kindOf returns what Go calls a value.
func kindOf(b *wire.Breach) string {
	switch n := b.Value; {
	case n.Is(wire.String):
		return "string"
	case n.Is(wire.Array):
		return "array"
	case n.Is(wire.Object):
		return "object"
	case n.Is(wire.Bool):
		return "bool"
	case b.Type == "int":
		return "number " + string(n.Raw)
	default:
		return "number"
	}
}

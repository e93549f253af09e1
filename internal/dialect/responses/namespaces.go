package responses

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// namespaceTool is the type of a tool that holds others: a client offers those of an MCP server so.
// A call of one of them has the key namespace besides its name.
const namespaceTool = "namespace"

// qualified returns the neutral name of a tool in a namespace. The dot cannot be in a name.
func qualified(space, name string) string {
	if space == "" || name == "" {
		return name
	}
	return space + "." + name
}

// inNamespace adds the namespace of a call to its item, and takes it out of the name.
func inNamespace(call wire.Raw, qualified string) wire.Raw {
	space, name, is := strings.Cut(qualified, ".")
	if !is {
		return call
	}
	item := wire.Parsed(call)
	item.Set("name", name)
	item.Set("namespace", space)
	return item.JSON()
}

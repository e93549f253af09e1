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
func inNamespace(item wire.Raw, c wire.AnswerCall) wire.Raw {
	space, name, is := strings.Cut(c.Name, ".")
	if !is {
		space, name = c.Namespace, c.Name
	}
	if space == "" {
		return item
	}
	call := wire.Parsed(item)
	call.Set("name", name)
	call.Set("namespace", space)
	return call.JSON()
}

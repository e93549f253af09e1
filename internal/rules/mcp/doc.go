// Package mcp has the rules about loops that take their tools from a server of MCP, beyond what every
// loop owes: files and links among the blocks of a result, and a list of tools that changes.
package mcp

import "slices"

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(fileRules, linkRules, listRules)

// Package subagents has the rules about the conversations with sub-agents, each of which is judged
// by all others as a conversation of its own.
package subagents

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules

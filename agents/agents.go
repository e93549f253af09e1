// Package agents holds the descriptions of agents that Loopproof can start, one file for each.
// docs/agents.md describes the keys; `loopproof run --runner agent --agent NAME` plays one.
package agents

import "embed"

// Files are the descriptions, as NAME.yaml.
//
//go:embed *.yaml
var Files embed.FS

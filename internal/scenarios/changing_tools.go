package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/protocol"
)

// ChangesTools reports whether the list of the tools changes when some tool is run.
func (s *Scenario) ChangesTools() bool {
	return slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.ListedAfter != "" || t.ListedUntil != "" })
}

// ChangesToolsWhen reports whether the list of the tools changes when one is run.
func (s *Scenario) ChangesToolsWhen(tool string) bool {
	return slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.changesWith(tool) })
}

// ListedOnce returns the tools that the server of MCP lists once some tools have been run.
func (s *Scenario) ListedOnce(ran func(tool string) bool) (tools []Tool) {
	for _, t := range s.Tools {
		if t.Once(ran) {
			tools = append(tools, t)
		}
	}
	return tools
}

// ListedFirst returns the tools that the server of MCP lists at the beginning.
func (s *Scenario) ListedFirst() []Tool { return s.ListedOnce(func(string) bool { return false }) }

// changingTools checks the tools that come and go, and the steps that depend on them.
func (c *checker) changingTools() {
	for _, t := range c.s.Tools {
		for key, of := range map[string]string{"listed-after": t.ListedAfter, "listed-until": t.ListedUntil} {
			here := "/tools/" + t.Name + "/" + key
			if of == "" {
				continue
			}
			c.expect(of != t.Name && c.s.Tool(of) != nil, here, "the list changes when another tool of the scenario is run, and %q is none", of)
			c.expect(c.needs(protocol.MCPTools) && c.needs(protocol.ChangingTools), here, "only a server of MCP changes the list of its tools: `needs: [mcp-tools, changing-tools]`")
		}
	}
	for i, step := range c.s.Model {
		here := at("model", i) + "/if-offered"
		if step.IfOffered == "" {
			continue
		}
		tool := c.s.Tool(step.IfOffered)
		c.expect(tool != nil && tool.ListedAfter != "", here, "the step depends on a tool that is `listed-after` another one")
		c.expect(i < len(c.s.Model)-1, here, "the last step is played to every loop")
	}
}

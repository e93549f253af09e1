package main

import (
	"errors"
	"strings"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
)

// openAgent puts an agent into the config.
func (f *runFlags) openAgent(command []string, c *runner.Config) error {
	switch {
	case f.runner != "agent":
		return errors.New("--agent needs --runner agent")
	case f.agent == "":
		return errors.New("--runner agent needs --agent NAME, one of " + strings.Join(agents.Names(), ", ") + ", or the file of a description")
	case len(command) > 0:
		return errors.New("--runner agent takes no command after --: the description of the agent has it")
	}
	description, err := agents.Find(f.agent)
	if err != nil {
		return err
	}
	c.Loop = loops.Agent{Description: description}
	if description.Timeout > 0 && f.timeout == defaultTimeout {
		c.Timeout = description.Timeout
	}
	return nil
}

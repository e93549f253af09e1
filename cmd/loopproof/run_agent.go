package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// openAgent puts an agent into the config.
func (f *runFlags) openAgent(command []string, c *runner.Config) error {
	described, err := f.describedAgent(command)
	if err != nil {
		return err
	}
	overACP := f.runner == "acp"
	if overACP {
		described, err = described.OverACP()
	} else if len(described.Command) == 0 {
		err = fmt.Errorf("%s is only talked to over the Agent Client Protocol: use --runner acp", described.Name)
	}
	if err != nil {
		return err
	}
	c.Loop = loops.Agent{Description: described, ACP: overACP}
	if described.Timeout > 0 && f.timeout == defaultTimeout {
		c.Timeout = described.Timeout
	}
	return nil
}

// describedAgent returns the description of the agent: one that there is, or what the flags say of
// a command.
func (f *runFlags) describedAgent(command []string) (*agents.Description, error) {
	switch {
	case f.runner != "agent" && f.runner != "acp":
		return nil, errors.New("--agent needs --runner agent or --runner acp")
	case f.agent != "" && len(command) > 0:
		return nil, errors.New("--agent takes no command after --: the description of the agent has it")
	case f.agent != "":
		return agents.Find(f.agent)
	case f.runner == "agent" && len(command) > 0:
		return nil, errors.New("--runner agent takes no command after --: the description of the agent has it")
	case f.runner == "agent":
		return nil, errors.New("--runner agent needs --agent NAME, one of " + strings.Join(agents.Names(), ", ") + ", or the file of a description")
	case len(command) == 0:
		return nil, errors.New("--runner acp needs --agent NAME, or a command after -- that speaks the Agent Client Protocol, as in\n  loopproof run --runner acp --dialect chat -- my-agent --acp")
	}
	return f.sketchedAgent(command)
}

// sketchedAgent describes an agent that gets the URL and the key of the model by the variables of the
// official SDK.
func (f *runFlags) sketchedAgent(command []string) (*agents.Description, error) {
	if len(f.dialects) > 1 {
		return nil, errors.New("--runner acp takes one --dialect, the API that the agent uses; write a description for one that has to be told which")
	}
	spoken := append(f.dialects, dialect.Names(dialect.All()[:1])...)[0]
	if err := oneOf("dialect", spoken, dialect.Names(dialect.Known())); err != nil {
		return nil, err
	}
	described, err := agents.Commanded(command, spoken, wordsAs[protocol.Feature](f.features))
	described.Deliveries, described.Designs = f.takes, wordsAs[protocol.Design](f.designs)
	if f.noExecutions {
		described.Tools.None = "--no-executions"
	}
	if name, argument, ok := strings.Cut(f.answerTool, "."); ok {
		described.AnswerTool = &agents.AnswerTool{Name: name, Argument: argument}
	}
	return described, err
}

// wordsAs returns words as values of another type.
func wordsAs[T ~string](words []string) (all []T) {
	for _, word := range words {
		all = append(all, T(word))
	}
	return all
}

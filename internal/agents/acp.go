package agents

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/protocol"
)

// ACP says how an agent speaks the Agent Client Protocol. What it does not say is as without it.
type ACP struct {
	Command []string          `yaml:"command"` // that speaks it on its standard input and output
	Install string            `yaml:"install"`
	Env     map[string]string `yaml:"env"`   // besides that of the agent
	Files   map[string]string `yaml:"files"` // besides those of the agent, or in place of one
	Tools   Tools             `yaml:"tools"`

	Auth string `yaml:"auth"` // the id of the method by which it is authenticated, if it wants that
	Mode string `yaml:"mode"` // the id of the mode of a session, if not the one that it begins in
	Next string `yaml:"next"` // "loads": for each further prompt, another process loads the session

	Claims []protocol.Feature `yaml:"claims"`
}

// NextLoads is the word for an agent that loads its session for each further prompt.
const NextLoads = "loads"

// OverACP returns the description of the agent as it is played over the Agent Client Protocol.
func (d *Description) OverACP() (*Description, error) {
	if d.ACP == nil {
		return nil, fmt.Errorf("the description of %s does not say how it speaks the Agent Client Protocol: it has no acp", d.Name)
	}
	how, over := d.ACP, *d
	over.Command, over.Env, over.Files = how.Command, merged(d.Env, how.Env), merged(d.Files, how.Files)
	over.Install = cmp.Or(how.Install, d.Install)
	over.Answer, over.Next, over.AsksVersion = Answer{}, nil, nil
	if how.Claims != nil {
		over.Claims = how.Claims
	}
	if how.Tools != (Tools{}) {
		over.Tools = how.Tools
	}
	return &over, nil
}

// merged returns the entries of two maps, of which those of the second one count more.
func merged(a, b map[string]string) map[string]string {
	both := maps.Clone(a)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, b)
	return both
}

// Commanded describes an agent that is known by its command alone. It gets the URL and the key of the
// model by the variables of the official SDK, and no other configuration. The error names the features
// that it cannot claim.
func Commanded(command []string, spoken string, features []protocol.Feature) (*Description, error) {
	e := dialect.Named(spoken).Endpoint
	d := &Description{
		Dialect: spoken, Claims: features, ACP: &ACP{Command: command},
		Env: map[string]string{e.URLVariable(): "{base_url}", e.KeyVariable(): "{api_key}", e.Env + "_MODEL": "{model}"},
	}
	over, err := d.OverACP()
	for _, claim := range features {
		name, _ := claims.Split(claim)
		if problem := over.cannot(name, true); problem != "" {
			err = errors.Join(err, errors.New(problem))
		}
	}
	return d, err
}

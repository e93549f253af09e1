// Package stubs makes scripts of the answers with conditions that other mock servers keep in files:
// fixtures of aimock, stub mappings of WireMock. What cannot be carried over is listed, and nothing
// is guessed.
//
//	if root, err := wire.ParseNode(data); err == nil && stubs.IsAimock(root) {
//		script, notes := stubs.Aimock("greeting", root, true) // with the reasoning of the model
//	}
package stubs

// Script is a script that was made of other files.
type Script struct {
	Name    string
	Profile string // the only one in which it is played; "": any
	Steps   []Step

	// Files are the fixtures that the steps name, by the names of the files in the folder of the
	// script.
	Files map[string][]byte
}

// Note says what is not as it was.
type Note struct {
	Place string // a JSON pointer, after the name of the file where there are several
	Why   string

	// Lost says that the answer is not in the script at all. Otherwise it is, with a difference.
	Lost bool
}

// Step is a step of a script, as its file says it. The keys are described in docs/scenarios.md and
// docs/serve.md.
type Step struct {
	From string `yaml:"-"` // for a comment: the place that it comes from

	When     *When `yaml:"when,omitempty"`
	Requests int   `yaml:"requests,omitempty"`

	State map[string]string `yaml:"state,omitempty"`

	ID         string     `yaml:"id,omitempty"`
	Reasoning  string     `yaml:"reasoning,omitempty"`
	Text       *string    `yaml:"text,omitempty"`
	Calls      []Call     `yaml:"calls,omitempty"`
	Finish     string     `yaml:"finish,omitempty"`
	Fixture    string     `yaml:"fixture,omitempty"`
	Status     int        `yaml:"status,omitempty"`
	RetryAfter string     `yaml:"retry-after,omitempty"`
	Error      *Error     `yaml:"error,omitempty"`
	Reset      *Break     `yaml:"reset,omitempty"`
	Cut        *Break     `yaml:"cut,omitempty"`
	Behaviour  *Behaviour `yaml:"behaviour,omitempty"`
}

// Call is a tool call of a step.
type Call struct {
	As        string `yaml:"as"`
	ID        string `yaml:"id,omitempty"`
	Tool      string `yaml:"tool"`
	Arguments string `yaml:"arguments"`
}

// Error is the error of a provider, which has keys that are null.
type Error struct {
	Message string  `yaml:"message"`
	Type    *string `yaml:"type,omitempty"`
	Param   *string `yaml:"param,omitempty"`
	Code    *string `yaml:"code,omitempty"`
}

// Break is the place at which an answer ends.
type Break struct {
	After  string `yaml:"after,omitempty"`
	Before string `yaml:"before,omitempty"`
}

// Behaviour is how the provider behaves at a step.
type Behaviour struct {
	FirstToken      string  `yaml:"first-token,omitempty"`
	TokensPerSecond int     `yaml:"tokens-per-second,omitempty"`
	Jitter          string  `yaml:"jitter,omitempty"`
	Chunk           int     `yaml:"chunk,omitempty"`
	Faults          []Fault `yaml:"faults,omitempty"`
}

// Fault is what goes wrong with some requests.
type Fault struct {
	Rate      string `yaml:"rate"`
	Status    int    `yaml:"status,omitempty"`
	Reset     *Break `yaml:"reset,omitempty"`
	Malformed *Break `yaml:"malformed,omitempty"`
}

// When is a condition of a step.
type When struct {
	User    *Text           `yaml:"user,omitempty"`
	System  *Text           `yaml:"system,omitempty"`
	Model   *Text           `yaml:"model,omitempty"`
	Result  *Result         `yaml:"result,omitempty"`
	Tools   []string        `yaml:"tools,omitempty,flow"`
	Body    *Text           `yaml:"body,omitempty"`
	Headers map[string]Text `yaml:"headers,omitempty"`
	Fields  map[string]Text `yaml:"fields,omitempty"`

	State map[string]string `yaml:"state,omitempty"` // equals

	Turn  int   `yaml:"turn,omitempty"`
	From  int   `yaml:"turn-from,omitempty"`
	Round int   `yaml:"round,omitempty"`
	Not   *When `yaml:"not,omitempty"`
}

// Text is what a text has to be like.
type Text struct {
	Equals   *string `yaml:"equals,omitempty"`
	Contains *string `yaml:"contains,omitempty"`
	Matches  *string `yaml:"matches,omitempty"`
}

// Result is what a tool result has to be like.
type Result struct {
	Call     string  `yaml:"call,omitempty"`
	Contains *string `yaml:"contains,omitempty"`
}

// add adds what another text demands. It reports whether both can be demanded.
func (t *Text) add(other Text) bool {
	for _, one := range []struct{ to, from **string }{{&t.Equals, &other.Equals}, {&t.Contains, &other.Contains}, {&t.Matches, &other.Matches}} {
		if *one.from == nil {
			continue
		}
		if *one.to != nil && **one.to != **one.from {
			return false
		}
		*one.to = *one.from
	}
	return true
}

func (w *When) empty() bool {
	return w == nil || w.User == nil && w.System == nil && w.Model == nil && w.Result == nil && len(w.Tools) == 0 && w.Body == nil &&
		len(w.Headers) == 0 && len(w.Fields) == 0 && len(w.State) == 0 && w.Turn == 0 && w.From == 0 && w.Round == 0 && w.Not == nil
}

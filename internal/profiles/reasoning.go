package profiles

// Reasoning is what a provider wants a loop to do with the model's reasoning.
type Reasoning struct {
	// Resend says on which turns the reasoning has to come back.
	Resend Resend `yaml:"resend"`

	// Always is what the model reasons where a scenario does not say so, for providers whose models
	// always think.
	Always string `yaml:"always"`

	// Takes are the keys under which the provider takes reasoning back, where it does not take it
	// under all of them.
	Takes []string `yaml:"takes"`

	// Reads are the keys under which the provider reads reasoning that comes back, where it reads
	// it under fewer than it takes: reasoning under others is silently lost.
	Reads []string `yaml:"reads"`

	// CurrentPromptOnly says that only the turns after the last prompt have to bring their
	// reasoning back.
	CurrentPromptOnly bool `yaml:"current-prompt-only"`

	// EvenIfEmpty says that the field has to come back on those turns although the model reasoned
	// with "".
	EvenIfEmpty bool `yaml:"even-if-empty"`

	Proof `yaml:",inline"`
}

// Resend is a policy for the model's reasoning in later requests. Providers demand opposite things.
type Resend string

// The policies. Optional is for providers that take reasoning back and accept its absence; None for
// those that never show any. ToolTurns wants back that of the turns that called tools, AllTurns
// that of answers too.
const (
	ResendNone      Resend = "none"
	ResendNever     Resend = "never"
	ResendOptional  Resend = "optional"
	ResendToolTurns Resend = "tool-turns"
	ResendAllTurns  Resend = "all-turns"
)

// OnToolTurns reports whether the reasoning of turns with tool calls has to come back.
func (r Resend) OnToolTurns() bool { return r == ResendToolTurns || r == ResendAllTurns }

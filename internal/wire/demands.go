package wire

import "cmp"

// Demands are what a request demands of its answer, whatever the model would like to say. What a
// client sent under a wrong type demands nothing.
type Demands struct {
	Tools     ToolDemand
	Choices   int      // how many answers are wanted; 0: it is not said
	MaxTokens int      // of the answer; 0: it is not said
	MaxKey    string   // the key that says so
	Stop      []string // texts before which the answer ends
	StopKey   string   // the key that has them

	// WantsJSON says that the text of the answer should be JSON, whether the provider ensures it or
	// only tells the model. JSON says that it has to be, and Schema by which schema; nil: by none.
	// FormatKey is the key that says so.
	WantsJSON bool
	JSON      bool
	Schema    *Node
	FormatKey string

	// Logprobs says that the probabilities of the tokens are wanted, and TopLogprobs of how many at
	// each place.
	Logprobs    bool
	TopLogprobs int

	// Wished is the schema to which the text should conform, also where the provider does not
	// ensure it, and WishedName is its name in the request, if it has one.
	Wished     *Node
	WishedName string
}

// SchemaName returns the name of the schema to which the text should conform: that of the request,
// or else the title of the schema, or "".
func (d Demands) SchemaName() string { return cmp.Or(d.WishedName, d.Wished.Get("title").Text()) }

// ToolDemand is what a request demands about calls of tools.
type ToolDemand struct {
	Choice ToolChoice
	Only   []string // the tools that may be called; none: all that are offered
}

// ToolChoice says whether the model calls tools.
type ToolChoice string

// The choices. Auto is what a request demands that does not say.
const (
	ChoiceAuto     ToolChoice = "auto"
	ChoiceNone     ToolChoice = "none"     // no call
	ChoiceRequired ToolChoice = "required" // at least one call
)

// CountOf returns the value of a positive whole number, and 0 for anything else.
func CountOf(n *Node) int {
	if !n.Is(Number) {
		return 0
	}
	count := 0
	for _, c := range n.Raw {
		if c < '0' || c > '9' || count > 1e9 {
			return 0
		}
		count = 10*count + int(c-'0')
	}
	return count
}

// TextsOf returns the texts of a list, or the text that is in its place.
func TextsOf(n *Node) []string {
	var all []string
	add := func(n *Node) {
		if n.Is(String) && n.Text() != "" {
			all = append(all, n.Text())
		}
	}
	add(n)
	if n.Is(Array) {
		for _, item := range n.Items {
			add(item)
		}
	}
	return all
}

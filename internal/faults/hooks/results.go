package hooks

import "github.com/loopproof/loopproof/internal/refloop/neutral"

// OnResults changes the text of every result that is not an error.
func OnResults(change func(string) string) func() Mutation {
	return EachResult(func(x *neutral.Result) {
		if !x.Failed && x.Image == nil {
			x.Text = change(x.Text)
		}
	})
}

// DropResults drops results from a request, and messages that had nothing else.
func DropResults(r *Request, drop func(*neutral.Result) bool) {
	r.Each(neutral.Tool, func(m *neutral.Message) {
		m.Parts = KeepParts(m.Parts, func(p neutral.Part) bool {
			x, is := p.(*neutral.Result)
			return !is || !drop(x)
		})
	})
	r.Drop(func(m neutral.Message) bool { return m.Role == neutral.Tool && len(m.Parts) == 0 })
}

// WithoutImages puts a word instead of the images in results.
func WithoutImages(r *Request) {
	EachPart(r, func(x *neutral.Result) {
		if x.Image != nil || x.Text == "(an image)" {
			x.Text, x.Image = "[image]", nil
		}
	})
}

// The words with which the reference loop answers calls that cannot be run, or may not.
const (
	NoSuchTool   = "Error: there is no tool"
	BadArguments = "Error: the argument"
	Denied       = "Error: not run, since the user did not allow it: "
	Undecided    = "Error: not run, since the user did not decide"
)

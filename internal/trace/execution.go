package trace

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// Execution is one run of a tool.
type Execution struct {
	Tool      string
	CallID    string // where the loop exposes it
	Arguments string
	Start     time.Duration
	End       time.Duration // both since the start of the run; 0: the run was over before the tool was
	Result    string
	Image     *wire.Image // the result, instead of a text
	Failed    bool
	Unknown   bool // no tool of that name exists, or none of its results fits the arguments
	Dropped   bool // the loop did not wait for the result
}

// GivenUp reports whether the loop did not wait for the tool: it closed the connection, or the run ended before the tool did.
func (e *Execution) GivenUp() bool { return e.Dropped || e.End == 0 }

// Said returns what the tool returned: its text, or a description of the image.
func (e *Execution) Said() string {
	switch {
	case e.Image == nil:
		return e.Result
	case len(e.Image.Data) == 1:
		return fmt.Sprintf("(%s, 1 byte)", e.Image.MediaType)
	}
	return fmt.Sprintf("(%s, %d bytes)", e.Image.MediaType, len(e.Image.Data))
}

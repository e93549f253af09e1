package trace

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
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
	Image     *wire.Image // the result, instead of a text, or beside the texts of Blocks
	Blocks    *Blocks     // of a result that has several, or nil if it is Result or Image
	Failed    bool
	Unknown   bool // no tool of that name exists, or none of its results fits the arguments
	Dropped   bool // the loop did not wait for the result
}

// Blocks are those of a result that has several texts, a text beside an image, or structured
// content, or that only a server of MCP can return.
type Blocks struct {
	Texts      []string
	Resources  []string // the texts of embedded resources
	Links      []scenarios.Link
	Structured string       // as JSON, "" for none
	Media      []wire.Image // files that are no images: documents and sounds
	Joined     bool         // the loop ran the tool by its URL, and got all in one text
}

// Several reports whether the loop got several blocks, of which a rule of its own looks at each.
func (e *Execution) Several() bool { return e.Blocks != nil && !e.Blocks.Joined }

// Files returns the files in the result that are no images, where the loop got them.
func (e *Execution) Files() []wire.Image {
	if !e.Several() {
		return nil
	}
	return e.Blocks.Media
}

// GivenUp reports whether the loop did not wait for the tool: it closed the connection, or the run
// ended before the tool did.
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

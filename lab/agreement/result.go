package agreement

import (
	"io/fs"

	"github.com/loopproof/loopproof/internal/engine/oracles"
)

// Result is what the code of one server answered, Answer what it answered to one body, and Reply a
// status with the body of an error.
type (
	Result = oracles.Result
	Answer = oracles.Answer
	Reply  = oracles.Reply
)

// Load reads all results of a folder, sorted by profile.
func Load(folder fs.FS) ([]*Result, error) { return oracles.Load(folder, templatesFile) }

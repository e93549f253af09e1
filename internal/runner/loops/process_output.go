package loops

import (
	"errors"
	"io"
	"os"
	"time"
)

// lingering is how long the output of a process is waited for when it has ended: something that it
// started and that left its group may hold the pipes open for ever.
const lingering = 500 * time.Millisecond

// forgotten is after how long the output of a process that has ended is closed although nobody has
// read it.
const forgotten = time.Minute

// output is the standard output of a process. It ends when the process has closed it or, once that
// has ended, when nothing has come for a while. What is in the pipe by then is read in any case,
// however late: a busy machine may let a process write much, and end, before the reader gets the
// processor.
type output struct {
	file   *os.File
	exited <-chan struct{}
}

func (o *output) Read(b []byte) (int, error) {
	for silent := 0; silent < 2; silent++ { // one deadline may have passed before the read began
		if o.ended() {
			o.file.SetReadDeadline(time.Now().Add(lingering))
		}
		n, err := o.file.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
	return 0, io.EOF
}

func (o *output) ended() bool {
	select {
	case <-o.exited:
		return true
	default:
		return false
	}
}

// release has a read that waits look whether the process has ended, which it has.
func (o *output) release() {
	patience := forgotten
	if o.file.SetReadDeadline(time.Now()) != nil { // reads of pipes know no deadlines on this system
		patience = lingering
	}
	time.AfterFunc(patience, func() { o.file.Close() })
}

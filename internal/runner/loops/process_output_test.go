//go:build unix

package loops

import (
	"io"
	"os"
	"testing"
)

// TestOutputIsReadHoweverLate reads what a process wrote after the process has ended, while
// something else holds the pipe open.
func TestOutputIsReadHoweverLate(t *testing.T) {
	t.Parallel()
	file, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	exited := make(chan struct{})
	said := &output{file, exited}
	if _, err := io.WriteString(theirs, "the answer"); err != nil {
		t.Fatal(err)
	}
	close(exited)
	said.release()
	if text, err := io.ReadAll(said); string(text) != "the answer" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
}

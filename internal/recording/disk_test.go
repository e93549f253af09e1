package recording

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/loopproof/loopproof/internal/files"
)

// A disk that fills up leaves what was whole before, and nothing that is half: no part of a file,
// and no step without its answer.
func TestAFullDiskLeavesNoHalfFiles(t *testing.T) {
	dir := t.TempDir()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}`)
	}))
	defer upstream.Close()
	var failed []string
	r, err := New(Config{Upstream: upstream.URL, Dir: dir, Failed: func(err error) { failed = append(failed, err.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	left := 4 // files: the fixtures and the scenarios of two steps
	r.writer.writeFile = func(name string, data []byte) error {
		if left--; left < 0 {
			return &os.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
		}
		return files.WriteBytes(name, data)
	}
	front := httptest.NewServer(r)
	defer front.Close()
	history := `{"role":"user","content":"Hello?"}`
	for i := range 4 {
		resp, err := http.Post(front.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[`+history+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		history += fmt.Sprintf(`,{"role":"assistant","content":"Hi."},{"role":"user","content":"And %d?"}`, i)
	}
	front.Close()
	if err := r.Close(); err == nil || len(failed) != 2 || !strings.Contains(failed[0], "no space left") || !strings.Contains(failed[1], "a step of hello before it could not be written") {
		t.Errorf("this was told: %q, and in the end: %v", failed, err)
	}
	s, err := r.writer.read("hello")
	if err != nil || len(s.Model) != 2 {
		t.Errorf("the recording has not the two steps that were written before: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	if len(files) != 2 {
		t.Errorf("these answers are left: %v", files)
	}
}

// A file that cannot be written leaves nothing alongside it.
func TestWriteWholeLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := files.WriteBytes(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Fatal("a folder was replaced by a file")
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("these files are left: %v", files)
	}
}

package operations

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// disk is a file on a disk with some room.
type disk struct {
	strings.Builder
	room int
}

func (d *disk) Write(b []byte) (int, error) {
	n, _ := d.Builder.Write(b[:min(len(b), d.room)])
	d.room -= n
	if n < len(b) {
		return n, errors.New("no space left")
	}
	return n, nil
}

func (d *disk) Close() error { return nil }

// After a disk was full in the middle of a line, the next line is one of its own.
func TestALineAfterAFullDiskIsWhole(t *testing.T) {
	var told []string
	d := &disk{room: 12}
	s := &Spill{name: "j", told: func(text string) { told = append(told, text) }, out: d}
	write := func(lines ...string) {
		for _, line := range lines {
			s.write([]byte(line+"\n"), nil)
		}
	}
	write(`{"a":1}`, `{"b":2}`, `{"c":3}`, `{"d":4}`)
	d.room = 100
	write(`{"e":5}`, `{"f":6}`)
	if want := "{\"a\":1}\n{\"b\"\n{\"e\":5}\n{\"f\":6}\n"; d.String() != want {
		t.Errorf("the file has %q, want %q", d.String(), want)
	}
	if want := []string{"the journal is not written to j: no space left", "the journal is written to j again; it lacks 3 requests"}; strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("told: %q, want %q", told, want)
	}
}

// A file that ends in half a line goes on in a line of its own.
func TestAFileThatEndsInHalfALine(t *testing.T) {
	for before, want := range map[string]string{"": "{}\n", "{}\n": "{}\n{}\n", "{\"a": "{\"a\n{}\n"} {
		name := filepath.Join(t.TempDir(), "journal.jsonl")
		if err := os.WriteFile(name, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSpill(name, func(text string) { t.Error(text) })
		if err != nil {
			t.Fatal(err)
		}
		s.write([]byte("{}\n"), nil)
		s.Close()
		if got, _ := os.ReadFile(name); string(got) != want {
			t.Errorf("after %q the file has %q, want %q", before, got, want)
		}
	}
}

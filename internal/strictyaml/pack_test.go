package strictyaml_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// everything reads any value, and remembers where it was and how it was written.
type everything struct{ lines []string }

func (e *everything) ReadYAML(n *strictyaml.Node) error {
	value, err := strictyaml.JSON(n)
	if err == nil {
		e.lines = append(e.lines, string(wire.JSON(value)))
	}
	e.places(n)
	return err
}

func (e *everything) places(n *strictyaml.Node) {
	e.lines = append(e.lines, strictyaml.At(n, "%d %s %q %d:%d %v", n.Kind, n.Tag, n.Value, n.Line, n.Column, n.Flow()).Error())
	for _, c := range n.Content {
		e.places(c)
	}
}

// TestPackedFilesSayTheSame: a packed profile has the same values at the same places as its text.
func TestPackedFilesSayTheSame(t *testing.T) {
	for _, file := range []string{"profiles/openai.yaml", "profiles/openai-responses.yaml", "profiles/vllm.yaml", "scenarios/pairing/single-call.yaml"} {
		f, err := loopproof.Files().Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var text bytes.Buffer
		if _, err := text.ReadFrom(f); err != nil {
			t.Fatal(err)
		}
		packed, err := strictyaml.Pack(file, text.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		doc, err := strictyaml.Parse(file, text.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := strictyaml.Checksum(bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		unpacked := strictyaml.Unpack(file, string(packed), sum)
		if unpacked == nil {
			t.Fatalf("%s is not unpacked", file)
		}
		var want, got everything
		if err := doc.Into(&want); err != nil {
			t.Fatal(err)
		}
		if err := unpacked.Into(&got); err != nil {
			t.Fatal(err)
		}
		if len(want.lines) < 10 || strings.Join(got.lines, "\n") != strings.Join(want.lines, "\n") {
			t.Errorf("%s has other values or places when it is unpacked", file)
		}
		if strictyaml.Unpack(file, string(packed), sum+1) != nil {
			t.Errorf("%s is unpacked for another text", file)
		}
		for end := range min(len(packed), 2000) {
			if strictyaml.Unpack(file, string(packed[:end]), sum) != nil {
				t.Errorf("%s is unpacked from its first %d bytes", file, end)
			}
		}
	}
}

// FuzzUnpack: no bytes crash what unpacks them.
func FuzzUnpack(f *testing.F) {
	packed, err := strictyaml.Pack("f.yaml", []byte("a: [1, {b: c}]\nd: null\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed[4:])
	f.Fuzz(func(t *testing.T, rest []byte) { strictyaml.Unpack("f.yaml", "\x00\x00\x00\x00"+string(rest), 0) })
}

package scenarios

import "testing"

// TestSmallestScript reads the smallest script that anybody writes.
func TestSmallestScript(t *testing.T) {
	s, err := Parse("hello.yaml", []byte("loopproof: 1\nmodel: [{text: Hello}]\n"), Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Prompted() || s.When == nil {
		t.Error("it does not answer every request")
	}
}

package wire_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestStandardBase64(t *testing.T) {
	for given, want := range map[string]string{
		"":         "",
		"+/+/":     "+/+/",
		"-_-_":     "+/+/",
		"-_-_-_8":  "+/+/+/8=",
		"-_-_-_8=": "+/+/+/8=",
		"+/+/+A":   "+/+/+A==",
		"abcde":    "abcde", // no base64 at all
	} {
		if got := wire.StandardBase64(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}

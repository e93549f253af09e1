package digest_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"testing"

	"github.com/loopproof/loopproof/internal/digest"
)

func TestSameWordsGiveTheSameBytesAndOthersDoNot(t *testing.T) {
	draw := func(secret string, words ...string) []byte {
		source := digest.New(secret, words...)
		drawn := make([]byte, 100) // more than one block
		for i := range drawn {
			drawn[i] = source.Next()
		}
		return drawn
	}
	first := draw("secret", "call", "oslo")
	if !bytes.Equal(first, draw("secret", "call", "oslo")) {
		t.Error("the same words gave other bytes")
	}
	if bytes.Equal(first[:32], first[32:64]) {
		t.Error("the second block repeats the first")
	}
	for name, other := range map[string][]byte{
		"secret":          draw("another", "call", "oslo"),
		"word":            draw("secret", "call", "lima"),
		"cut of the same": draw("secret", "callo", "slo"),
		"number of words": draw("secret", "calloslo"),
		"empty word":      draw("secret", "call", "oslo", ""),
	} {
		if bytes.Equal(first, other) {
			t.Errorf("another %s gave the same bytes", name)
		}
	}
}

func TestSign(t *testing.T) {
	if a, b := digest.Sign("secret", "text"), digest.Sign("secret", "text"); a != b || len(a) != 43 {
		t.Errorf("signed %q and %q, want the same text of 43 characters", a, b)
	}
	if digest.Sign("secret", "text") == digest.Sign("other", "text") {
		t.Error("another secret gave the same signature")
	}
}

func TestSeal(t *testing.T) {
	seal := digest.Seal("secret", "I think.", "turn", "1")
	if again := digest.Seal("secret", "I think.", "turn", "1"); again != seal || digest.Seal("secret", "I think.", "turn", "2") == seal {
		t.Errorf("the same words gave %q and %q", seal, again)
	}
	if _, err := base64.StdEncoding.DecodeString(seal); err != nil {
		t.Errorf("%q is not base64: %v", seal, err)
	}
	if digest.Broken("secret", "I think.", seal) {
		t.Error("a seal is broken as it was made")
	}
	for what, broken := range map[string]bool{
		"of another text":   digest.Broken("secret", "I thought.", seal),
		"of another secret": digest.Broken("another", "I think.", seal),
		"cut":               digest.Broken("secret", "I think.", seal[:len(seal)-1]),
		"cut to its name":   digest.Broken("secret", "I think.", seal[:12]),
		"changed":           digest.Broken("secret", "I think.", seal[:20]+"x"+seal[21:]),
	} {
		if !broken {
			t.Errorf("a seal %s is not broken", what)
		}
	}
	for _, foreign := range []string{"", "EqQBCgIYAhIM", "forged"} {
		if digest.Broken("secret", "I think.", foreign) {
			t.Errorf("%q is no seal, and called a broken one", foreign)
		}
	}
}

// TestSignIsAnHMAC: of a secret of any length.
func TestSignIsAnHMAC(t *testing.T) {
	for _, length := range []int{0, 1, 63, 64, 65, 200} {
		secret := bytes.Repeat([]byte("s"), length)
		word := bytes.Repeat([]byte("w"), 3*length)
		mac := hmac.New(sha256.New, secret)
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(word))))
		mac.Write(word)
		if want, got := base64.RawStdEncoding.EncodeToString(mac.Sum(nil)), digest.Sign(string(secret), string(word)); got != want {
			t.Errorf("with a secret of %d bytes it is %s, want %s", length, got, want)
		}
	}
}

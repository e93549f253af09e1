package wire

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestUnquote(t *testing.T) {
	for _, c := range []struct{ quoted, want string }{
		{`""`, ""},
		{`"assistant"`, "assistant"},
		{`"plain"`, "plain"},
		{`"\n"`, "\n"},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"a\nb\\nc\\\"d"`, "a\nb\\nc\\\"d"},
		{`"é\n€"`, "é\n€"},
		{`"a\nb\u00e9\tc"`, "a\nbé\tc"},
		{`"\ud83d\ude00\n"`, "😀\n"},
		{`"\ud83d\n"`, "\ufffd\n"},
		{`"` + strings.Repeat(`\n`, 5000) + `"`, strings.Repeat("\n", 5000)},
	} {
		if got := unquote([]byte(c.quoted)); got != c.want {
			t.Errorf("%.40s: %.40q, want %.40q", c.quoted, got, c.want)
		}
	}
}

// FuzzUnquote compares with the library.
func FuzzUnquote(f *testing.F) {
	for _, seed := range []string{`""`, `"a\nb\u00e9\tc"`, `"\\\\\""`, `"\ud83d\n\ude00"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, quoted []byte) {
		if !utf8.Valid(quoted) || !isDocument(quoted) || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
			return
		}
		want, _ := jsontext.AppendUnquote(nil, quoted)
		if got := unquote(quoted); got != string(want) {
			t.Errorf("%q: %q, want %q", quoted, got, want)
		}
	})
}

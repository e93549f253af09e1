package transcript_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/transcript"
)

func TestChecksum(t *testing.T) {
	for _, c := range []struct{ name, tool, arguments, want string }{
		{"one argument", "get_weather", `{"city":"NYC"}`, "70cf2fe956ae0039f7eca6061ee1b7a9042aa920133faa9a3b77832341cb09ce"},
		{"any order of keys", "get_weather", `{"units":"metric", "city":"NYC"}`, "f3238b1ae29b4938a5c4c0222f2268c0d90be6adc9b0e08ac1f6fe7e3b293c3b"},
		{"no arguments", "noargs", `{}`, "5fb187fc26364f508d7b90b77a0062f7fcb4aca5a671964ee9da333ca78dcc42"},
		{"nested, and keys that are numbers", "f", `{"b":{"d":1,"c":2},"10":1,"9":2,"A":1,"a":2}`, "48d1a79beefa62d359a5af8cf5a800a27c253d2514bf8eb2efec7161e7269a69"},
		{"numbers of all kinds", "f", `{"n":0.1,"m":-0,"big":12345678901234567890}`, "8b0139e0ad4e40729bca2ec8bfe7a7776053e42f87413a4b0576ef5a4c615dac"},
		{"arguments that are no object", "noargs", `[1]`, "5fb187fc26364f508d7b90b77a0062f7fcb4aca5a671964ee9da333ca78dcc42"},
		{"arguments that are no JSON", "noargs", `{"a":`, "5fb187fc26364f508d7b90b77a0062f7fcb4aca5a671964ee9da333ca78dcc42"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := transcript.Checksum(c.tool, c.arguments); got != c.want {
				t.Errorf("the checksum of %s %s is %s, want %s", c.tool, c.arguments, got, c.want)
			}
		})
	}
}

package pythonliteral_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
)

func TestJSON(t *testing.T) {
	for _, test := range []struct{ text, want string }{ // "": an error
		{`{'stream': True, 'stop': None, 'n': 1, 't': 0.5, 'x': False}`, `{"stream":true,"stop":null,"n":1,"t":0.5,"x":false}`},
		{`{'a': "it's", 'b': 'say "no"', 'c': 'a\nb\\'}`, `{"a":"it's","b":"say \"no\"","c":"a\nb\\"}`},
		{`{'nbsp': 'a\xa0b', 'path': 'C:\\xa0'}`, `{"nbsp":"a` + "\u00a0" + `b","path":"C:\\xa0"}`},
		{`{'é': '\u2028'}`, `{"é":"\u2028"}`},
		{`[(1, -2), []]`, `[[1,-2],[]]`},
		{`{'timeout': Timeout(connect=5.0), 'files': NOT_GIVEN}`, `{"timeout":null,"files":null}`},
		{`{1: 'a'}`, `{"1":"a"}`},
		{`{'a': <object at 0x7f>}`, ""},
		{`{'a': 1`, ""},
		{`{'a': 'b`, ""},
		{`{x: 'a'}`, ""},
		{`{'a': -inf, 'b': - 1, 'c': 'not -- #'}`, `{"a":null,"b":-1,"c":"not -- #"}`},
		{`{'a': --1}`, ""},
		{`{'a': - \t-1}`, ""},
		{`{'a': not True}`, ""},
		{`{'a': ` + strings.Repeat("9", 4300) + `}`, `{"a":` + strings.Repeat("9", 4300) + `}`},
		{`{'a': ` + strings.Repeat("9", 4301) + `}`, ""},
		{`{'a': '` + strings.Repeat("9", 4301) + `'}`, `{"a":"` + strings.Repeat("9", 4301) + `"}`},
		{strings.Repeat("[", 1001) + strings.Repeat("]", 1001), ""},
		{``, ""},
	} {
		written, err := pythonliteral.JSON([]byte(test.text))
		if string(written) != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%s is read as %s, %v, want %s", test.text, written, err, test.want)
		}
	}
}

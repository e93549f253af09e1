package pythonliteral

import (
	"fmt"
	"slices"
)

// Python prints no number with more digits ([sys.set_int_max_str_digits]), and reading them takes
// more than linear time.
//
// [sys.set_int_max_str_digits]: https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
const maxDigits = 4300

// maxDepth is how deep lists and dictionaries may be nested: the reader takes stack for each level.
const maxDepth = 1000

// operators are words that no value is printed with outside of quotes, and that make expressions of
// any depth.
var operators = []string{"not", "lambda", "if", "else", "and", "or", "in"}

// plausible reports what in a text no print of Python has and the reader of expressions spends much
// time or stack on.
func plausible(text []byte) error {
	depth, signed := 0, false // signed: after a sign
	for i := 0; i < len(text); {
		c := text[i]
		sign := false
		switch {
		case c == '\'' || c == '"':
			i = afterString(text, i)
		case isWord(c):
			begin := i
			for i < len(text) && (isWord(text[i]) || text[i] == '.') {
				i++
			}
			if err := plausibleWord(text[begin:i]); err != nil {
				return err
			}
		case c == '#':
			return fmt.Errorf("it has a comment")
		case c == '-' || c == '+' || c == '~':
			if signed {
				return fmt.Errorf("it has two signs in a row")
			}
			sign = true
			i++
		case c == '(' || c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return fmt.Errorf("it is nested more than %d levels deep", maxDepth)
			}
			i++
		case c == ')' || c == ']' || c == '}':
			depth--
			i++
		default:
			sign = signed && (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\')
			i++
		}
		signed = sign
	}
	return nil
}

func plausibleWord(word []byte) error {
	if len(word) > maxDigits && word[0] >= '0' && word[0] <= '9' {
		return fmt.Errorf("it has a number of more than %d digits, which Python does not print", maxDigits)
	}
	if slices.Contains(operators, string(word)) {
		return fmt.Errorf("it has the operator %s", word)
	}
	return nil
}

// afterString returns where the string ends that begins at a place.
func afterString(text []byte, begin int) int {
	quote := text[begin]
	triple := begin+2 < len(text) && text[begin+1] == quote && text[begin+2] == quote
	i := begin + 1
	if triple {
		i = begin + 3
	}
	for ; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] != quote:
		case !triple:
			return i + 1
		case i+2 < len(text) && text[i+1] == quote && text[i+2] == quote:
			return i + 3
		}
	}
	return len(text)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

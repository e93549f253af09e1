package wire

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// words are texts that most requests have many times, and that need no memory each time: roles, and
// types of what messages have.
var words, longestWord = func() (map[string]string, int) {
	all, longest := map[string]string{"": ""}, 0
	for word := range strings.FieldsSeq(`
		system developer user assistant tool model
		text input_text output_text summary_text message image image_url document content
		function function_call function_call_output function_result tool_use tool_result thinking thought reasoning user_input model_output
		object array string integer number boolean completed success`) {
		all[word], longest = word, max(longest, len(word))
	}
	return all, longest
}()

// scratches are buffers that nobody uses now, as *[]byte.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch is how long a buffer is that is kept.
const maxScratch = 1 << 20

// unquote returns the text of a JSON string.
func unquote(quoted []byte) string {
	text := quoted[1 : len(quoted)-1]
	if len(text) <= longestWord {
		if word, known := words[string(text)]; known {
			return word
		}
	}
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	plain, simple := appendSimple(slices.Grow((*scratch)[:0], len(text)), text)
	if !simple {
		plain, _ = jsontext.AppendUnquote(plain[:0], quoted)
	}
	if cap(plain) <= maxScratch {
		*scratch = plain
	}
	return string(plain)
}

// TextLen returns how many bytes the text of a string has.
func (n *Node) TextLen() int {
	if !n.Is(String) {
		return 0
	}
	text := n.Raw[1 : len(n.Raw)-1]
	length := len(text)
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return length
		}
		if escaped[text[i+1]] == 0 { // by a number
			return len(n.Text())
		}
		length, text = length-1, text[i+2:]
	}
}

// appendSimple appends the text between the quotes of a JSON string. It copies what is between
// escapes as a whole, which takes a fraction of the time of a look at each byte; that there is an
// escape by a number it reports as false.
func appendSimple(plain, text []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(plain, text...), true
		}
		c := escaped[text[i+1]]
		if c == 0 {
			return plain, false
		}
		plain = append(append(plain, text[:i]...), c)
		text = text[i+2:]
	}
}

// escaped are the characters that have an escape of one letter, by that letter.
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

package strictyaml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v4"
)

// SyntaxError returns where a document breaks the syntax of YAML, and what may be meant, by the
// error with which the YAML library ended.
func SyntaxError(file string, data []byte, err error) *Error {
	e := &Error{File: file, Message: "not YAML: " + err.Error()}
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	switch {
	case errors.As(err, &one):
	case errors.As(err, &many) && len(many.Errors) > 0:
		one = many.Errors[0]
	default:
		return e
	}
	e.Message = "not YAML: " + one.Message
	if begin := one.ContextMark.Line; one.ContextMsg != "" && begin != 0 && begin != one.Mark.Line {
		e.Message += fmt.Sprintf(" (%s that begins in line %d)", one.ContextMsg, begin)
	} else if one.ContextMsg != "" {
		e.Message += " (" + one.ContextMsg + ")"
	}
	e.Line, e.Column = one.Mark.Line, one.Mark.Column
	if e.Line == 0 {
		e.Line, e.Column = placeOfControl(data)
	}
	if strings.HasPrefix(lineOf(data, e.Line), "\t") {
		e.Message += "; the line begins with a tab, and YAML is indented with spaces"
	}
	if quoted := quoteHint(lineOf(data, e.Line)); quoted != "" {
		e.Message += quoted
	} else if e.Line > 1 && misplaced(one.Message) {
		e.Message += "; see whether this line and those above are indented alike"
	}
	return e
}

// placeOfControl returns where the first character is that YAML does not have, of which its reader
// does not tell the place; 0 for none.
func placeOfControl(data []byte) (line, column int) {
	line, column = 1, 1
	for _, r := range string(data) {
		switch {
		case r == '\n':
			line, column = line+1, 1
			continue
		case unicode.IsControl(r) && r != '\t' && r != '\r' && r != '\u0085', r == '\ufffe', r == '\uffff':
			return line, column
		}
		column++
	}
	return 0, 0
}

// misplaced reports whether an error says that something is in a place where YAML expects another
// thing.
func misplaced(message string) bool {
	return strings.Contains(message, "not allowed in this context") || strings.Contains(message, "did not find expected key") || strings.Contains(message, "did not find expected '-'")
}

// plain is a line with a key and a value that is not a block of lines.
var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:- +)*(?:[{[] *)?([\w-]+): +([^|>\s].*?)\s*$`)
})

// quoteHint says how the value of a line is written as a text, if that is what YAML cannot read in
// it; else it is "".
func quoteHint(line string) string {
	found := plain().FindStringSubmatch(line)
	if found == nil {
		return ""
	}
	key, value := found[1], found[2]
	switch first := value[0]; {
	case first == '"' || first == '\'':
		if len(value) < 2 || value[len(value)-1] != first || !strings.ContainsRune(value[1:len(value)-1], rune(first)) {
			return ""
		}
		return fmt.Sprintf("; quotes within a text are others than those around it: %s: %s", key, quoted(value[1:len(value)-1]))
	case strings.HasPrefix(value, "{{"):
		return fmt.Sprintf("; a text that begins with a bracket is between quotes: %s: %s", key, quoted(value))
	case first == '{' || first == '[':
		return ""
	case strings.ContainsRune("@`%*&!?", rune(first)) || strings.HasPrefix(value, "- "):
		return fmt.Sprintf("; a text that begins with %c is between quotes: %s: %s", first, key, quoted(value))
	case strings.Contains(value, ": ") || strings.HasSuffix(value, ":"):
		return fmt.Sprintf("; a text with a colon is between quotes: %s: %s", key, quoted(value))
	default:
		return ""
	}
}

// quoted returns a text between quotes of YAML that need no escapes, if that is possible.
func quoted(text string) string {
	if strings.Contains(text, "'") && !strings.ContainsAny(text, `"\`) {
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// lineOf returns a line of a file, counted from 1.
func lineOf(data []byte, number int) string {
	lines := strings.Split(string(data), "\n")
	if number < 1 || number > len(lines) {
		return ""
	}
	return lines[number-1]
}

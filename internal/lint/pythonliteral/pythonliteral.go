// Package pythonliteral reads values as Python prints them, such as the requests in the logs of
// Python SDKs.
//
//	json, err := pythonliteral.JSON([]byte(`{'stream': True, 'stop': None}`)) // {"stream":true,"stop":null}
package pythonliteral

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"

	"go.starlark.net/syntax"
)

// JSON reads a list or dictionary, and returns it as JSON. What JSON cannot say, such as an object
// of a class, becomes null. It takes time in proportion to the length of the text.
func JSON(literal []byte) ([]byte, error) {
	if err := plausible(literal); err != nil {
		return nil, err
	}
	// The literals of Starlark are those of Python, but that it allows \xa0 in bytes alone.
	source := highByte().ReplaceAll(literal, []byte(`$1\u00$2`))
	options := syntax.FileOptions{}
	expression, err := options.ParseExpr("", source, 0)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := write(&out, expression); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

var highByte = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`((?:^|[^\\])(?:\\\\)*)\\x([89a-fA-F][0-9a-fA-F])`) })

func write(out *bytes.Buffer, e syntax.Expr) error {
	switch e := e.(type) {
	case *syntax.Literal:
		return writeLiteral(out, e)
	case *syntax.UnaryExpr:
		if n, ok := e.X.(*syntax.Literal); ok && e.Op == syntax.MINUS && (n.Token == syntax.INT || n.Token == syntax.FLOAT) {
			out.WriteByte('-')
			return write(out, n)
		}
	case *syntax.ParenExpr:
		return write(out, e.X)
	case *syntax.ListExpr:
		return writeList(out, e.List)
	case *syntax.TupleExpr:
		return writeList(out, e.List)
	case *syntax.DictExpr:
		return writeDict(out, e)
	case *syntax.Ident:
		switch e.Name {
		case "True":
			out.WriteString("true")
			return nil
		case "False":
			out.WriteString("false")
			return nil
		}
	}
	out.WriteString("null")
	return nil
}

// writeLiteral writes a number with a fraction or an exponent as it was written, where JSON can: as
// a whole number it would be read more exactly than it is.
func writeLiteral(out *bytes.Buffer, l *syntax.Literal) error {
	if l.Token == syntax.FLOAT && json.Valid([]byte(l.Raw)) {
		out.WriteString(l.Raw)
		return nil
	}
	return writeJSON(out, l.Value)
}

func writeList(out *bytes.Buffer, list []syntax.Expr) error {
	out.WriteByte('[')
	for i, item := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := write(out, item); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

func writeDict(out *bytes.Buffer, dict *syntax.DictExpr) error {
	out.WriteByte('{')
	for i, entry := range dict.List {
		pair := entry.(*syntax.DictEntry)
		key, isLiteral := pair.Key.(*syntax.Literal)
		if !isLiteral {
			return fmt.Errorf("a key is %T", pair.Key)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeJSON(out, fmt.Sprint(key.Value)); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := write(out, pair.Value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeJSON(out *bytes.Buffer, value any) error {
	written, err := json.Marshal(value)
	out.Write(written)
	return err
}

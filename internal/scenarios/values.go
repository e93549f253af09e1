package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/loopproof/loopproof/internal/wire"
)

// values are what the places of a template are filled with.
type values struct {
	ask    Ask
	groups *Pattern // of what the user said last

	call CallValues // of a call of an MCP server, instead of those
}

// functions returns the words of a template as functions, the names of which are in words.
func (v values) functions() template.FuncMap {
	return template.FuncMap{
		"user":       func() string { return v.ask.User() },
		"first_user": func() string { return v.ask.FirstUser() },
		"system":     func() string { return v.ask.System() },
		"model":      func() string { return v.ask.Request.Model },
		"turn":       func() int { return v.ask.Turn() },
		"round":      func() int { return v.ask.Round() },
		"result":     v.result,
		"field":      v.field,
		"header":     v.header,
		"group":      v.group,
		"argument":   v.call.argument,
		"answer":     v.call.answer,
		"at":         valueAt,
		"json":       func(text any) string { return string(wire.Quote(fmt.Sprint(text))) },
		"in_json":    inJSON,
	}
}

// result returns the last result of a tool, or of any tool where none is named or the name is "".
func (v values) result(args ...string) (string, error) {
	results := v.ask.Results()
	for _, r := range slices.Backward(results) {
		if len(args) == 0 || args[0] == "" || args[0] == r.Tool {
			return r.Text, nil
		}
	}
	switch {
	case len(args) == 2:
		return args[1], nil
	case len(args) == 0 || args[0] == "":
		return "", errors.New("the request carries no tool result")
	default:
		return "", fmt.Errorf("the request carries no result of the tool %s", args[0])
	}
}

func (v values) field(pointer string, instead ...string) (string, error) {
	n := v.ask.Field(pointer)
	switch {
	case n != nil:
		return n.TextOrJSON(), nil
	case len(instead) > 0:
		return instead[0], nil
	default:
		return "", fmt.Errorf("the request has no field %s", pointer)
	}
}

func (v values) header(name string, instead ...string) (string, error) {
	text := v.ask.Header.Get(name)
	switch {
	case text != "":
		return text, nil
	case len(instead) > 0:
		return instead[0], nil
	default:
		return "", fmt.Errorf("the request has no header %s", name)
	}
}

// group returns a group of the regular expression that the user's text matches, by its number or
// name.
func (v values) group(which any) (string, error) {
	found := v.groups.FindStringSubmatch(v.ask.User())
	number, ok := which.(int)
	if name, named := which.(string); named {
		number, ok = v.groups.SubexpIndex(name), true
	}
	if !ok || number < 0 || number >= len(found) {
		return "", fmt.Errorf("the regular expression /%s/ has no group %v", v.groups, which)
	}
	return found[number], nil
}

// valueAt returns the value in a JSON text to which a pointer points.
func valueAt(pointer, text string) (string, error) {
	root, err := wire.ParseNode([]byte(text))
	if err != nil {
		return "", fmt.Errorf("%s is not JSON, so it has no %s", quoted(text), pointer)
	}
	n := root.At(pointer)
	if n == nil {
		return "", fmt.Errorf("%s has no %s", quoted(text), pointer)
	}
	return n.TextOrJSON(), nil
}

// fill fills a text.
func (f filling) fill(text string, v values) (string, error) {
	if f.tree == nil {
		return text, nil
	}
	t, err := f.tree.Clone()
	if err != nil {
		return "", err
	}
	b := &bounded{}
	if err := t.Funcs(v.functions()).Execute(b, nil); err != nil {
		return "", cause(err)
	}
	return b.String(), nil
}

// cause returns what a function of a template complained about, without the words of the package
// around it.
func cause(err error) error {
	var exec template.ExecError
	if !errors.As(err, &exec) {
		return err
	}
	if inner := errors.Unwrap(exec.Err); inner != nil {
		return inner
	}
	_, text, _ := strings.Cut(exec.Err.Error(), ">: ")
	return errors.New(text)
}

var errTooLong = fmt.Errorf("the answer has more than %d MB", maxResult>>20)

// bounded takes a text up to the size that an answer may have.
type bounded struct{ strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxResult {
		return 0, errTooLong
	}
	return b.Builder.Write(p)
}

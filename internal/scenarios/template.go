package scenarios

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"github.com/loopproof/loopproof/internal/suggest"
)

// An answer may hold values of the request that it answers, between double braces in the syntax of
// text/template, of which only values, pipes and if are read:
//
//	text: 'You said {{ user }}, and it is {{ result "get_weather" | at "/degrees" }} degrees.'
//
// A filling is one such text, ready to be filled.
type filling struct{ tree *template.Template } // nil if the text is as it is

// word is a function of templates: how many arguments it takes and what it gives.
type word struct{ least, most int }

// words are the functions that templates know; [values] has them.
var words = map[string]word{
	"user": {0, 0}, "first_user": {0, 0}, "system": {0, 0}, "model": {0, 0}, "turn": {0, 0}, "round": {0, 0},
	"result": {0, 2}, "field": {1, 2}, "header": {1, 2}, "group": {1, 1}, "at": {2, 2}, "json": {1, 1}, "in_json": {1, 1},
	"eq": {2, 2}, "ne": {2, 2}, "not": {1, 1}, "and": {1, 9}, "or": {1, 9},
}

// templated reports whether a text has places to fill.
func templated(text string) bool { return strings.Contains(text, "{{") }

// newFilling reads a text with places. groups is the regular expression whose groups it may use, or
// nil.
func newFilling(text string, groups *Pattern) (filling, error) {
	return newFillingOf(text, scope{words, groups})
}

// scope is what a template may use: functions, and groups of a regular expression, if not nil.
type scope struct {
	words  map[string]word
	groups *Pattern
}

func newFillingOf(text string, may scope) (filling, error) {
	if !templated(text) {
		return filling{}, nil
	}
	tree, err := readTemplate(text)
	if err != nil {
		return filling{}, syntax(err)
	}
	if err := checkNode(tree.Root, may); err != nil {
		return filling{}, err
	}
	t, err := template.New("answer").Funcs(values{}.functions()).AddParseTree("answer", tree)
	return filling{t}, err
}

// readTemplate reads a template, the functions of which need not exist.
func readTemplate(text string) (*parse.Tree, error) {
	reader := parse.New("answer")
	reader.Mode = parse.SkipFuncCheck
	return reader.Parse(text, "", "", map[string]*parse.Tree{})
}

var syntaxPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^template: answer:(\d+): ?`) })

// syntax words an error of the reader of templates.
func syntax(err error) error {
	text := err.Error()
	m := syntaxPlace().FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("the template cannot be read: %s", text)
	}
	place := ""
	if m[1] != "1" {
		place = " in its line " + m[1]
	}
	return fmt.Errorf("the template cannot be read%s: %s", place, text[len(m[0]):])
}

func checkNode(n parse.Node, may scope) error {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, inner := range n.Nodes {
			if err := checkNode(inner, may); err != nil {
				return err
			}
		}
		return nil
	case *parse.TextNode, *parse.CommentNode:
		return nil
	case *parse.ActionNode:
		return checkPipe(n.Pipe, may)
	case *parse.IfNode:
		for _, inner := range []parse.Node{n.List, n.ElseList} {
			if err := checkNode(inner, may); err != nil {
				return err
			}
		}
		return checkPipe(n.Pipe, may)
	default:
		return fmt.Errorf("a template has values, pipes and if, and not %s", n)
	}
}

func checkPipe(p *parse.PipeNode, may scope) error {
	if len(p.Decl) > 0 {
		return fmt.Errorf("a template has no variables: %s", p)
	}
	for i, c := range p.Cmds {
		if err := checkCommand(c, i > 0, may); err != nil {
			return err
		}
	}
	return nil
}

func checkCommand(c *parse.CommandNode, piped bool, may scope) error {
	for i, arg := range c.Args {
		var err error
		switch arg := arg.(type) {
		case *parse.IdentifierNode:
			if i == 0 {
				err = checkWord(arg.Ident, c.Args[1:], piped, may)
			} else {
				err = checkWord(arg.Ident, nil, false, may)
			}
		case *parse.PipeNode:
			err = checkPipe(arg, may)
		case *parse.StringNode, *parse.NumberNode, *parse.BoolNode:
		default:
			err = fmt.Errorf("a template knows no %s; the values are %s", arg, may.known())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s scope) known() string { return strings.Join(slices.Sorted(maps.Keys(s.words)), ", ") }

func checkWord(name string, args []parse.Node, piped bool, may scope) error {
	w, ok := may.words[name]
	if !ok {
		return fmt.Errorf("a template knows no %q%s; the values are %s", name, suggest.Hint(name, slices.Collect(maps.Keys(may.words))), may.known())
	}
	n := len(args)
	if piped {
		n++
	}
	if n < w.least || n > w.most {
		return fmt.Errorf("in a template %s takes %s, not %d", name, w.arguments(), n)
	}
	if name == "group" {
		return checkGroup(args, may.groups)
	}
	if text, ok := first(args).(*parse.StringNode); ok && slices.Contains([]string{"field", "at", "argument", "answer"}, name) && !strings.HasPrefix(text.Text, "/") {
		return fmt.Errorf("in a template %s takes a JSON pointer such as \"/metadata/tenant\", not %s", name, text)
	}
	return nil
}

func first(args []parse.Node) parse.Node {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func (w word) arguments() string {
	switch {
	case w.most == 0:
		return "no arguments"
	case w.least == w.most:
		return strconv.Itoa(w.least) + " arguments"
	default:
		return fmt.Sprintf("%d to %d arguments", w.least, w.most)
	}
}

// checkGroup checks that there is a group of a name or number.
func checkGroup(args []parse.Node, groups *Pattern) error {
	if groups == nil {
		return fmt.Errorf("a template has groups where `when` lets `user` match a regular expression, and there is none here")
	}
	switch arg := first(args).(type) {
	case *parse.NumberNode:
		if !arg.IsInt || arg.Int64 < 0 || int(arg.Int64) > groups.NumSubexp() {
			return fmt.Errorf("the regular expression /%s/ has no group %s", groups, arg)
		}
	case *parse.StringNode:
		if groups.SubexpIndex(arg.Text) < 0 {
			return fmt.Errorf("the regular expression /%s/ has no group named %s", groups, arg)
		}
	}
	return nil
}

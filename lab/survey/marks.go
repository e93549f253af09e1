package main

import (
	"fmt"
	"strings"
)

// A part of a document that is written again is between two marks.
func markBegin(name string) string {
	return fmt.Sprintf("<!-- %s: written by lab/survey -->\n", name)
}
func markEnd(name string) string { return fmt.Sprintf("<!-- end of %s -->\n", name) }

// between returns what is between the marks of a part.
func between(file, text, name string) (string, error) {
	_, behind, begins := strings.Cut(text, markBegin(name))
	part, _, ends := strings.Cut(behind, markEnd(name))
	if !begins || !ends {
		return "", fmt.Errorf("%s: expected a part between the lines\n%s%s", file, markBegin(name), markEnd(name))
	}
	return part, nil
}

// replaced returns a document with another part between its marks.
func replaced(file, text, name, part string) (string, error) {
	old, err := between(file, text, name)
	if err != nil {
		return "", err
	}
	return strings.Replace(text, markBegin(name)+old+markEnd(name), markBegin(name)+part+markEnd(name), 1), nil
}

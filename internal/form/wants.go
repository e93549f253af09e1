package form

import (
	"fmt"
	"strconv"
	"strings"
)

// wants says what a keyword expects.
func (n *Node) wants(keyword string) string {
	if n.Expected != "" {
		return n.Expected
	}
	switch keyword {
	case "required":
		if len(n.Type) > 0 {
			return either(typeWords(n.Type), "or")
		}
		return "such a key"
	case "type":
		return either(typeWords(n.Type), "or")
	case "enum":
		if n.Or != "" {
			return "one of " + strings.Join(n.Enum, ", ") + ", or an " + n.Or
		}
		return "one of " + strings.Join(n.Enum, ", ")
	case "exclusiveMinimum":
		return fmt.Sprintf("more than %d", *n.ExclusiveMinimum)
	case "minimum", "maximum":
		return n.wantsRange()
	case "maxLength":
		return fmt.Sprintf("at most %d characters", n.MaxLength)
	case "pattern":
		return "a text that matches " + n.Pattern
	case "prefix":
		return "an id that begins with " + n.Prefix
	case "minItems":
		return fmt.Sprintf("a list with at least %d", n.MinItems)
	case "keys":
		return "only " + strings.Join(n.known, ", ")
	case "anyOf":
		return either(n.AnyOf, "or")
	case "onlyWith":
		return "such a key only beside " + n.OnlyWith[0].Name + ": " + n.OnlyWith[0].Says
	case "notWith":
		return "no such key beside " + n.NotWith
	case "insteadOf":
		return "no such key"
	default:
		return "one of " + strings.Join(n.Enum, ", ")
	}
}

func (n *Node) wantsRange() string {
	switch {
	case n.Maximum == nil:
		return fmt.Sprintf("%d or more", *n.Minimum)
	case n.Minimum == nil:
		return fmt.Sprintf("%d or less", *n.Maximum)
	default:
		return fmt.Sprintf("from %d to %d", *n.Minimum, *n.Maximum)
	}
}

var wordsOfTypes = map[string]string{
	"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false", "object": "an object", "array": "a list",
}

func typeWords(types []string) (all []string) {
	for _, t := range types {
		all = append(all, wordsOfTypes[t])
	}
	return all
}

func either(all []string, or string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " " + or + " " + all[len(all)-1]
}

// wantsOneOf returns the types, the words or the keys of which a keyword expects one.
func (n *Node) wantsOneOf(keyword string) []string {
	switch keyword {
	case "type":
		return n.Type
	case "enum", "by":
		return n.Enum
	case "keys":
		return n.known
	case "anyOf":
		return n.AnyOf
	case "notWith":
		return []string{n.NotWith}
	default:
		return nil
	}
}

// limit returns the limit of a keyword that has one and not the same one for both its sides.
func (n *Node) limit(keyword string) string {
	switch keyword {
	case "maxLength":
		return strconv.Itoa(n.MaxLength)
	case "minItems":
		return strconv.Itoa(n.MinItems)
	case "pattern":
		return n.Pattern
	default:
		return ""
	}
}

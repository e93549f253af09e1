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
			return either(typeWords(n.Type))
		}
		return "such a key"
	case "type":
		return either(typeWords(n.Type))
	case "deprecated", "forbidden":
		return "no such key"
	case "exclusiveMinimum":
		return fmt.Sprintf("more than %d", *n.ExclusiveMinimum)
	case "minimum", "maximum":
		return n.wantsRange()
	case "format":
		return "base64"
	case "minLength":
		if n.MinLength == 1 {
			return "a text that is not empty"
		}
		return fmt.Sprintf("at least %d characters", n.MinLength)
	case "maxLength":
		return fmt.Sprintf("at most %d characters", n.MaxLength)
	case "pattern":
		return "a text that matches " + n.Pattern
	case "prefix":
		return "an id that begins with " + n.Prefix
	case "minItems":
		return fmt.Sprintf("a list with at least %d", n.MinItems)
	case "maxItems":
		return fmt.Sprintf("at most %d", *n.MaxItems)
	case "minProperties":
		return fmt.Sprintf("%d keys or more", n.MinProperties)
	case "itemsBy":
		return "objects with a " + n.ItemsBy
	case "maxProperties":
		return fmt.Sprintf("at most %d keys", *n.MaxProperties)
	case "propertyNames":
		if n.PropertyNames.Pattern != "" {
			return n.PropertyNames.wants("pattern")
		}
		return n.PropertyNames.wants("maxLength")
	case "oneOf":
		return "one of " + strings.Join(n.OneOf, ", ")
	case "keys":
		return "only " + strings.Join(n.known, ", ")
	case "anyOf":
		return either(n.AnyOf)
	case "onlyWith":
		return "such a key only beside " + n.OnlyWith[0].Name + ": " + either(n.OnlyWith[0].Says)
	case "with":
		return "the key " + n.With + " beside it"
	case "notWith":
		return "no such key beside " + n.NotWith
	case "insteadOf":
		return "no such key"
	default: // enum and by
		return n.wantsWord(n.Enum)
	}
}

// wantsWord says that one of some words is expected.
func (n *Node) wantsWord(words []string) string {
	switch {
	case n.Expected != "":
		return n.Expected
	case n.Or != "":
		return "one of " + strings.Join(words, ", ") + ", or an " + n.Or
	default:
		return "one of " + strings.Join(words, ", ")
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
	"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false", "object": "an object", "array": "a list", "null": "null",
}

func typeWords(types []string) (all []string) {
	for _, t := range types {
		all = append(all, wordsOfTypes[t])
	}
	return all
}

func either(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
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
	case "with":
		return []string{n.With}
	case "notWith":
		return []string{n.NotWith}
	default:
		return nil
	}
}

// limit returns the limit of a keyword that has one and not the same one for both its sides.
func (n *Node) limit(keyword string) string {
	switch keyword {
	case "minLength":
		return strconv.Itoa(n.MinLength)
	case "maxLength":
		return strconv.Itoa(n.MaxLength)
	case "minItems":
		return strconv.Itoa(n.MinItems)
	case "maxItems":
		return strconv.Itoa(*n.MaxItems)
	case "minProperties":
		return strconv.Itoa(n.MinProperties)
	case "maxProperties":
		return strconv.Itoa(*n.MaxProperties)
	case "pattern":
		return n.Pattern
	default:
		return ""
	}
}

package selfcheck

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
)

// otherTypes are the properties whose type in the form is not that in Google's Go SDK, and why.
var otherTypes = map[string]string{
	"GenerationConfig.topK": "an int32 in the protos of the Gemini API, and a float in those of Vertex AI, for which the SDK is, too",
}

// TestFormOfGeminiIsThatOfGenAI: the values that the form of Gemini gives a type have it in
// Google's Go SDK.
func TestFormOfGeminiIsThatOfGenAI(t *testing.T) {
	checked, differ := 0, map[string]bool{}
	for name, message := range genaiMessages {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(message)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			ours, typed := typeInForm(propertyOf(name, key))
			if theirs := typeInGo(f.Type); typed && theirs != "" {
				checked++
				if ours != theirs {
					differ[name+"."+key] = true
					if otherTypes[name+"."+key] == "" {
						t.Errorf("%s.%s is %s in the form, and %s in the SDK", name, key, ours, theirs)
					}
				}
			}
		}
	}
	for at := range otherTypes {
		if !differ[at] {
			t.Errorf("%s is no difference", at)
		}
	}
	t.Logf("%d types of the form are held against the SDK", checked)
}

func propertyOf(node, key string) *form.Node {
	of := gemini.Form().Node(node)
	i := slices.IndexFunc(of.Properties, func(p form.Named) bool { return p.Name == key })
	if i < 0 {
		return nil
	}
	return of.Properties[i].Node
}

// typeInForm returns the type of a node, and false where it has none.
func typeInForm(n *form.Node) (string, bool) {
	switch {
	case n == nil:
		return "", false
	case n.Items != nil:
		item, typed := typeInForm(n.Items)
		return "list of " + item, typed
	case n.Is != "":
		return typeInForm(gemini.Form().Node(n.Is))
	case len(n.Type) == 0:
		return "", false
	case len(n.Type) > 1 && slices.Contains(n.Type, "number"): // or its number
		return "enum", true
	default:
		return strings.TrimSuffix(n.Type[0]+"/"+n.Format, "/"), true
	}
}

// typeInGo returns a type of Go in the words of the form, "" for any value.
func typeInGo(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeInGo(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string/byte"
		}
		return "list of " + typeInGo(t.Elem())
	case reflect.String:
		return cmp.Or(map[bool]string{true: "enum"}[t.Name() != "string"], "string")
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Interface:
		return ""
	default:
		return map[reflect.Kind]string{
			reflect.Bool: "boolean", reflect.Int32: "integer/int32", reflect.Int64: "integer/int64", reflect.Float32: "number/float", reflect.Float64: "number/double",
		}[t.Kind()]
	}
}

package cassettes

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
)

// value is a value of a YAML or JSON document.
type value struct{ any }

// get returns what a path of keys leads to.
func (v value) get(keys ...string) value {
	for _, key := range keys {
		m, _ := v.any.(map[string]any)
		v = value{m[key]}
	}
	return v
}

func (v value) isList() bool { _, is := v.any.([]any); return is }

func (v value) list() []value {
	items, _ := v.any.([]any)
	all := make([]value, len(items))
	for i, item := range items {
		all[i] = value{item}
	}
	return all
}

// text returns a text, also one that YAML has as binary.
func (v value) text() string {
	switch said := v.any.(type) {
	case string:
		return said
	case []byte:
		return string(said)
	default:
		return ""
	}
}

func (v value) number() int {
	switch n := v.any.(type) {
	case int:
		return n
	case int64:
		return int(n)
	case uint64:
		return int(n)
	case float64:
		return int(n)
	default:
		return 0
	}
}

// written returns a text as it is, and anything else as JSON.
func (v value) written() ([]byte, error) {
	switch v.any.(type) {
	case nil:
		return nil, nil
	case string, []byte:
		return []byte(v.text()), nil
	default:
		return json.Marshal(v.any)
	}
}

// body returns the body of a request or a response: a text, a mapping with a text or with base64,
// or, as a serializer that many Python projects use writes it, the value that was parsed.
func (v value) body() ([]byte, error) {
	if parsed := v.get("parsed_body"); parsed.any != nil {
		return parsed.written()
	}
	body := v.get("body")
	switch body.any.(type) {
	case map[string]any:
		if packed := body.get("base64_string").text(); packed != "" {
			return base64.StdEncoding.DecodeString(packed)
		}
		return body.get("string").written()
	case []any:
		return nil, fmt.Errorf("its body is a list")
	default:
		return body.written()
	}
}

// headers adds the headers of a mapping, with a value or a list of them each.
func (v value) headers(to http.Header) {
	m, _ := v.any.(map[string]any)
	for name, said := range m {
		to.Add(name, value{said}.text())
		if all := (value{said}).list(); len(all) > 0 {
			to.Del(name)
			for _, one := range all {
				to.Add(name, one.text())
			}
		}
	}
}

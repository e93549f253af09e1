package secret

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// words are words in the names of headers and query values that carry keys.
var words = []string{"auth", "key", "token", "secret", "cookie", "password", "credential", "signature"}

// names are whole names of values that carry keys: of signed URLs, and of logins.
var names = []string{"sig", "code"}

// IsName reports whether a header or a query value of a name carries a key.
func IsName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) }) || slices.Contains(names, name)
}

// notSecret are headers with such a word in their names whose values are not secret, and those that
// most requests have, so that nothing has to be searched for in their names.
var notSecret = map[string]bool{
	"Idempotency-Key": true, "Sec-Websocket-Key": true,
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Anthropic-Version": true, "Connection": true,
	"Content-Length": true, "Content-Type": true, "User-Agent": true,
}

// shortest is the least length of a key: a shorter one is found in any text.
const shortest = 8

// Keys are those that a client sends with a request, which it may repeat elsewhere. The zero value
// has none.
type Keys []string

// Of returns the keys of a request: the values of all headers, cookies and query values whose names
// say so, and the password of a Basic authorization.
func Of(h http.Header, u *url.URL) Keys {
	var all Keys
	for name, values := range h {
		if notSecret[name] || strings.HasPrefix(name, "X-Stainless-") || !IsName(name) {
			continue
		}
		for _, value := range values {
			all = all.add(value)
			if strings.Contains(name, "Cookie") {
				for pair := range strings.SplitSeq(value, ";") {
					_, one, _ := strings.Cut(pair, "=")
					all = all.add(strings.Trim(one, `"`))
				}
			}
			scheme, key, _ := strings.Cut(strings.TrimSpace(value), " ")
			all = all.add(key)
			if strings.EqualFold(scheme, "Basic") {
				if pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(key)); err == nil {
					_, password, _ := strings.Cut(string(pair), ":")
					all = all.add(string(pair)).add(password)
				}
			}
		}
	}
	if u != nil && u.RawQuery != "" {
		for name, values := range u.Query() {
			for _, value := range values {
				if IsName(name) {
					all = all.add(value)
				}
			}
		}
	}
	return all
}

func (k Keys) add(key string) Keys {
	if key = strings.TrimSpace(key); len(key) < shortest || slices.Contains(k, key) {
		return k
	}
	return append(k, key)
}

// Find returns the places of the keys in a text, also of what is encoded as in a URL, in JSON or in
// base64, and of all that looks like a key, in order. Places may overlap.
func (k Keys) Find(text string) [][]int {
	found := Find(text)
	for _, key := range k {
		for _, form := range plainForms(key) {
			found = appendAll(found, text, form, false)
		}
		for _, form := range base64Forms(key) {
			found = appendAll(found, text, form, true)
		}
	}
	slices.SortStableFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}

// Redact replaces the keys in a text, and all that looks like one.
func (k Keys) Redact(text, by string) string { return replaced(text, by, k.Find(text)) }

// Has reports whether one of the keys is in a text as it is.
func (k Keys) Has(text string) bool {
	return slices.ContainsFunc(k, func(key string) bool { return strings.Contains(text, key) })
}

// appendAll appends the places of a form in a text, with the letters of base64 around them where it
// is a part of such a text.
func appendAll(found [][]int, text, form string, part bool) [][]int {
	for from := 0; ; {
		i := strings.Index(text[from:], form)
		if i < 0 {
			return found
		}
		start, end := from+i, from+i+len(form)
		for part && start > from && isBase64(text[start-1]) {
			start--
		}
		for part && end < len(text) && isBase64(text[end]) {
			end++
		}
		if part {
			end = padded(text, end)
		}
		found, from = append(found, []int{start, end}), end
	}
}

// plainForms returns how a key is written in a text, in a query, in a path and in JSON.
func plainForms(key string) []string {
	quoted, _ := json.Marshal(key)
	forms := []string{key}
	for _, form := range []string{url.QueryEscape(key), url.PathEscape(key), strings.ReplaceAll(url.QueryEscape(key), "+", "%20"), string(quoted[1 : len(quoted)-1]), strings.ReplaceAll(key, "/", `\/`)} {
		for _, form := range []string{form, smallEscapes(form)} {
			if !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// smallEscapes returns a text of a URL with the letters of its escapes in small letters.
func smallEscapes(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i:], strings.ToLower(text[i:i+3]))
		}
	}
	return string(b)
}

// base64Forms returns what the text of a key is in base64, whatever is before and after it: three
// bytes are four letters, so that there are three ways, of which the letters at the ends also
// depend on the neighbours.
func base64Forms(key string) []string {
	var forms []string
	for before := range 3 {
		coded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + key))
		first := (before*8 + 5) / 6
		last := (before + len(key)) * 8 / 6
		part := coded[first:last]
		for _, form := range []string{part, strings.NewReplacer("+", "-", "/", "_").Replace(part)} {
			if len(form) >= shortest && !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

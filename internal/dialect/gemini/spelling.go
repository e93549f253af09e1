package gemini

import "strings"

// Camel returns a key in the spelling of JSON: Google takes function_call for functionCall.
func Camel(key string) string {
	if strings.IndexByte(key, '_') < 0 {
		return key
	}
	var b []byte
	for i := 0; i < len(key); i++ {
		if key[i] == '_' && i+1 < len(key) && key[i+1] >= 'a' && key[i+1] <= 'z' {
			i++
			b = append(b, key[i]-'a'+'A')
			continue
		}
		b = append(b, key[i])
	}
	return string(b)
}

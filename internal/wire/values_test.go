package wire

import (
	"errors"
	"strings"
	"testing"
)

func TestHasMoreValues(t *testing.T) {
	for _, c := range []struct {
		data   string
		values int
	}{
		{`{"a":1}`, 2},
		{`[1,2,3]`, 4},
		{`{"a":[1,{"b":2}],"c":"x"}`, 6},
		{`["a,[{","\"\\","\\",7]`, 5},
	} {
		if hasMoreValues([]byte(c.data), c.values) || !hasMoreValues([]byte(c.data), c.values-1) {
			t.Errorf("%s is not taken for a document of %d values", c.data, c.values)
		}
	}
	if hasMoreValues([]byte(`[1,2,3`), 1) {
		t.Error("what is no document has values")
	}
	body := `{"messages":[` + strings.Repeat("1,", MostValues) + `1]}`
	if _, err := openRequest(&Dialect{}, []byte(body), nil); !errors.Is(err, ErrTooManyValues) {
		t.Errorf("%d values are read: %v", MostValues, err)
	}
}

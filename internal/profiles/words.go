package profiles

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// Words fill an envelope.
type Words struct {
	Message string  `yaml:"message"`
	Type    *string `yaml:"type"` // of a refusal that names none: that of the words for its status
	Param   *string `yaml:"param"`
	Code    *string `yaml:"code"`

	// Details are what an error says besides, for providers whose envelope has a place for them.
	Details []wire.Fields `yaml:"details"`
}

// errorPlaces are the places of an envelope.
var errorPlaces = []string{"code", "details", "message", "param", "status", "type"}

func (w Words) values(status int) wire.Values {
	v := wire.Values{
		"message": w.Message, "type": orNull(w.Type), "param": orNull(w.Param), "code": orNull(w.Code), "status": status,
	}
	if len(w.Details) > 0 {
		v["details"] = w.Details
	}
	return v
}

func orNull(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// Fill returns the words with every {name} replaced by its value. Braces inside of a value stay as
// they are.
func (w Words) Fill(values map[string]string) Words {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	replace := strings.NewReplacer(pairs...).Replace
	filled := Words{Message: replace(w.Message), Details: w.Details}
	for _, field := range []struct{ from, to **string }{{&w.Type, &filled.Type}, {&w.Param, &filled.Param}, {&w.Code, &filled.Code}} {
		if *field.from != nil {
			text := replace(**field.from)
			*field.to = &text
		}
	}
	return filled
}

// variable is a name in braces. Braces around anything else, such as JSON, are text.
var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([A-Za-z0-9_-]+)\}`) })

// Variables returns the names that are in braces in the words, sorted.
func (w Words) Variables() []string {
	found := map[string]bool{}
	for _, text := range []*string{&w.Message, w.Type, w.Param, w.Code} {
		if text == nil {
			continue
		}
		for _, match := range variable().FindAllStringSubmatch(*text, -1) {
			found[match[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

package form_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/form"
)

// protos is a form of messages of protobuf.
const protos = `loopproof: 1
json: protobuf
types: e/type
request:
  keys: [user]
  rule: {keys: e/keys}
  properties:
    theList: {items: {is: Thing}, maxItems: 2, rule: e/few}
    first: {is: Thing}
    topK: {type: integer, format: int32, minimum: 1, rule: e/range}
    size: {type: integer, format: int64}
    part: {type: number, format: float}
    isOn: {type: boolean}
    word: {is: Word}
    words: {items: {type: [string, "null"], minLength: 1, rule: {minLength: e/word}}}
    map: {type: object, additionalProperties: {is: Thing}, minProperties: 1, maxProperties: 2, rule: e/map}
    otherWord: {notWith: word, onlyWith: {isOn: [yes, no]}, at: object, rule: e/with}
nodes:
  Thing:
    type: object
    oneOf: [text, theData]
    rule: {oneOf: e/one}
    properties:
      text: {type: string, required: true, rule: {required: e/text}}
      theData: {type: string, format: byte, rule: {format: e/data}}
  Word: {type: [string, number], enum: [LOW, VERY_HIGH], or: number, rule: {enum: e/word}}
rules:
  e/keys: {text: T., why: W.}
  e/type: {text: T., why: W.}
  e/few: {text: T., why: W.}
  e/range: {text: T., why: W.}
  e/word: {text: T., why: W.}
  e/map: {text: T., why: W.}
  e/with: {text: T., why: W.}
  e/one: {text: T., why: W.}
  e/text: {text: T., why: W., about: Thing}
  e/data: {text: T., why: W.}
`

// TestProtobuf: requests are read as protobuf reads JSON.
func TestProtobuf(t *testing.T) {
	f := form.Lazy("protos.yaml", []byte(protos), nil)()
	for _, c := range []struct{ body, want string }{
		{`{"theList":[{"text":"x"}],"the_list":null,"topK":1,"is_on":true,"word":"LOW"}`, ``},
		{`{"the_list":{"text":"x","the_data":null},"top_k":"4","size":"9007199254740993","part":"0.5","isOn":"Yes","word":"very-high","words":"x"}`, ``},
		{`{"word":2,"words":["x",null],"map":{"a_b":{"text":""},"c":null}}`, ``},
		{`{"a_b":1,"user":1}`, `e/keys keys "" /a_b`},
		{`{"first":{}}`, `e/text required "string" /first/text`},
		{`{"first":{"text":null}}`, `e/text required "string" /first/text`},
		{`{"the_list":"x"}`, `e/type type "Thing" /the_list`},
		{`{"the_list":[null,{"text":5}]}`, `e/type type "Thing" /the_list/0, e/type type "string" /the_list/1/text`},
		{`{"the_list":[{"text":"x"},{"text":"x"},{"text":"x"}]}`, `e/few maxItems "" /the_list`},
		{`{"first":{"text":"x","the_data":"aQ=="}}`, `e/one oneOf "Thing" /first`},
		{`{"first":{"text":"x","the_data":"a b"}}`, `e/one oneOf "Thing" /first, e/data format "string/byte" /first/the_data`},
		{`{"top_k":"0"}`, `e/range minimum "integer/int32" /top_k`},
		{`{"top_k":3000000000,"size":3000000000,"part":1e999}`, `e/type type "integer/int32" /top_k, e/type type "number/float" /part`},
		{`{"size":0.5,"isOn":1}`, `e/type type "integer/int64" /size, e/type type "boolean" /isOn`},
		{`{"word":"high","words":["",5]}`, `e/word enum "Word" /word, e/word minLength "string" /words/0, e/type type "string" /words/1`},
		{`{"word":true}`, `e/type type "Word" /word`},
		{`{"map":{}}`, `e/map minProperties "object" /map`},
		{`{"map":{"a":{"text":""},"b":{"text":""},"c":{}}}`, `e/map maxProperties "object" /map`},
		{`{"other_word":{},"is_on":"yes"}`, ``},
		{`{"other_word":{},"word":"LOW","is_on":"maybe"}`, `e/with notWith "" , e/with onlyWith "" /other_word, e/type type "boolean" /is_on`},
	} {
		var found []string
		for _, b := range check(f, []byte(c.body), nil).Breaches {
			found = append(found, fmt.Sprintf("%s %s %q %s", b.Rule, b.Keyword, b.Type, b.Pointer()))
		}
		if got := strings.Join(found, ", "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}
	if !check(f, []byte(`{"the_list":{"text":"x"}}`), nil).Kinds["e/text"] || check(f, []byte(`{"map":{}}`), nil).Kinds["e/text"] {
		t.Error("the rule about Things has evidence without one, or none with one")
	}
}

package wire

import "testing"

func TestValueForms(t *testing.T) {
	forms := MustForms(`
		tools[type=search].ids        required list min=1
		tools[type=search].most       integer range=1..50
		tools[type=search].filters    object keys=allowed
		tools[type=search|find].name  text max=3 like=^[a-z]+$
		bias.*                        number range=-100..100 named=^\d+$
		text.format(type=schema).size words=low|high
		text.format(type=schema)      needs=a|b
		last                          begins=resp text|object
		stop                          most=2
		kinds[].type                  words=a|b wrong=c|d
		said                          with=name without=other
		given[type=own|].text         text
	`)
	for _, row := range []struct{ body, want string }{
		{`{"tools":[{"type":"search","ids":["a"],"most":50,"filters":{"allowed":[]},"name":"abc"}],"bias":{"7":-100},"stop":["a","b"],"last":"resp_1"}`, ""},
		{`{"tools":[{"type":"other","ids":7,"name":7}],"text":{"format":{"type":"text","size":"x"}}}`, ""},
		{`{"tools":"none","bias":[1],"text":"x","last":null}`, ""},
		{`{"tools":[{"type":"search"}]}`, "/tools/0 ids missing"},
		{`{"tools":[{"type":"search","ids":null}]}`, "/tools/0 ids type"},
		{`{"tools":[{"type":"search","ids":[]}]}`, "/tools/0 ids short"},
		{`{"tools":[{"type":"search","ids":[1],"most":51}]}`, "/tools/0 most range"},
		{`{"tools":[{"type":"search","ids":[1],"most":1.5}]}`, "/tools/0 most type"},
		{`{"tools":[{"type":"search","ids":[1],"most":null}]}`, ""},
		{`{"tools":[{"type":"search","ids":[1],"filters":{"domains":[]}}]}`, "/tools/0/filters domains key"},
		{`{"tools":[{"type":"find","name":"abcd"}]}`, "/tools/0 name long"},
		{`{"tools":[{"type":"find","name":"a.b"}]}`, "/tools/0 name like"},
		{`{"bias":{"1":1,"2":101}}`, "/bias 2 range"},
		{`{"bias":{"hello":1}}`, "/bias hello name"},
		{`{"bias":{"1":"x"}}`, "/bias 1 type"},
		{`{"text":{"format":{"type":"schema","size":"max","a":1}}}`, "/text/format size word"},
		{`{"text":{"format":{"type":"schema"}}}`, "/text format needs"},
		{`{"last":"chatcmpl"}`, " last begins"},
		{`{"stop":"abc"}`, ""},
		{`{"stop":["a","b","c"]}`, " stop long"},
		{`{"kinds":[{"type":"a"},{"type":"new"}]}`, ""},
		{`{"kinds":[{"type":"c"}]}`, "/kinds/0 type word"},
		{`{"said":1,"name":"x","other":null}`, ""},
		{`{"name":"x","other":1}`, ""},
		{`{"said":1}`, " said alone"},
		{`{"said":1,"name":null}`, " said alone"},
		{`{"said":1,"name":"x","other":1}`, " said beside"},
		{`{"given":[{"text":1}]}`, "/given/0 text type"},
		{`{"given":[{"type":"else","text":1},{"type":"own","text":"x"}]}`, ""},
	} {
		body, err := ParseNode([]byte(row.body))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range forms {
			for _, b := range f.Breaches(body) {
				got += b.In.Pointer() + " " + b.Key + " " + b.Problem
			}
		}
		if got != row.want {
			t.Errorf("%s: %q, not %q", row.body, got, row.want)
		}
	}
}

package dialect_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// pairsOfRequests are two requests each, without what both begin with: the first one of a conversation
// and one that goes on from it, or from a part of it.
var pairsOfRequests = [][2]string{
	{`],"tools":[]}`, `,{"role":"user","content":"Hi"}],"tools":[7]}`},
	{`,{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]}],"tools":[]}`,
		`,{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"a","content":"4 C"},{"role":"tool","tool_call_id":"a","content":"\u00e9"}]}`},
	{`,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"role":"robot","content":[{"type":"text","text":7}]}]}`,
		`,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"4 C"}],"tools":3}`},
	{`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","content":"Hi","cache_control":{"type":"ephemeral"}}] }`,
		`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","content":"Hi"},{"role":"user","role":"user"}] }`},
	{`,{"toolUse":{}},12]}`, `,{"toolUse":{}},123]}`},
	{`,{"role":"user","content":"Hi"}]}`, `,{"role":"user","content":"Hi"} , {"a":[{"b":"\ud800"}]} ]}`},
	{`,{"role":"user","content":"Hi"}]}`, `,{"role":"user","content":"Hi"}`},
	{`,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"role":"robot","content":[{"type":"text","text":7}]}]}`,
		`,{"type":"function_call","call_id":"a","3ame":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"4 C"}],"tools":3}`},
	{`,{"role":"user","content":"Hi"}]}`, `,{"role":"user","content":"Hi"}{}]}`},
	{`,{"role":"user","content":"Hi"}],"tools":1}`, `,{"role":"user","content":"Hi"}],"tools":2,"tools":3}`},
}

// What is read and found of a request by what was read of one before it is what is read and found of
// it alone.
func FuzzContinued(f *testing.F) {
	for _, pair := range pairsOfRequests {
		f.Add(pair[0], pair[1])
	}
	all := profiles.All()
	long := strings.Repeat("It is warm. ", 400)
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, d := range dialect.All() {
			const opening = `{"model":"m","KEY":[{"role":"user","content":"LONG","parts":[{"text":"LONG"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"role":"assistant","content":"Yes"}`
			head := strings.NewReplacer("KEY", d.Request.Messages, "LONG", long).Replace(opening)
			before, err := d.Read([]byte(head + first))
			if err != nil {
				continue
			}
			findings(d, all, before)
			alone, err := d.Read([]byte(head + second))
			continued, errOfContinued := d.ReadAfter([]byte(head+second), before)
			if (err == nil) != (errOfContinued == nil) {
				t.Fatalf("%s: alone it is read with the error %v, else with %v", d.Name, err, errOfContinued)
			}
			if err != nil {
				continue
			}
			if continued.Body.Get(d.Request.Messages).Items[0] != before.Body.Get(d.Request.Messages).Items[0] {
				t.Fatalf("%s: all is read again", d.Name)
			}
			if diff := cmp.Diff(parts(alone), parts(continued)); diff != "" {
				t.Errorf("%s: read (-alone +continued):\n%s", d.Name, diff)
			}
			if diff := cmp.Diff(findings(d, all, alone), findings(d, all, continued)); diff != "" {
				t.Errorf("%s: found (-alone +continued):\n%s", d.Name, diff)
			}
		}
	})
}

// part is a value of a request.
type part struct {
	Pointer, Raw string
	Offset       int
	Index        int
}

func partOf(n *wire.Node) *part {
	if n == nil {
		return nil
	}
	return &part{n.Pointer(), string(n.Raw), n.Offset(), n.Index()}
}

// parts returns all that was read of a request.
func parts(req *wire.Request) (all []any) {
	req.Body.Walk(func(n *wire.Node) { all = append(all, partOf(n)) })
	for i, m := range req.Messages {
		all = append(all, m.Role, m.RoleWord, partOf(m.Node), m.Content.Text, partOf(m.Content.Node), partOf(m.Reasoning.Text), m.Reasoning.Field, len(m.Reasoning.Details), m.Reasoning.Thought())
		for _, p := range m.Content.Parts {
			all = append(all, partOf(p.Node), p.Type, p.Text)
		}
		for _, c := range m.Calls {
			all = append(all, partOf(c.Node), c.ID, partOf(c.IDNode), c.Name, c.Arguments, partOf(c.ArgsNode))
		}
		for _, r := range m.Results {
			all = append(all, partOf(r.Node), r.CallID, r.Content.Text, r.Failed)
		}
		results, next := req.AnswersTo(i)
		all = append(all, len(results), next)
	}
	return append(all, len(req.Tools), len(req.ToolChanges), req.Stream, req.Body.HasNumberedEscapes())
}

// findings returns what is found of a request.
func findings(d *wire.Dialect, all []*profiles.Profile, req *wire.Request) (found []any) {
	doubled := req.DoubledKey()
	found = append(found, doubled != nil, scenarios.Tokens(req))
	for _, p := range all {
		if p.Speaks != d {
			continue
		}
		refusal, words, _ := rulebook.Refuse(p, req)
		found = append(found, refusal, words, rulebook.CheckRequest(context.Background(), p, nil, &trace.Exchange{Request: req, Number: 1}))
		for _, b := range req.Form(p).Breaches {
			found = append(found, b.Rule, b.Keyword, b.Place())
		}
		found = append(found, req.Form(p).Kinds)
	}
	return found
}

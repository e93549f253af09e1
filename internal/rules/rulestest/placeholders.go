package rulestest

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// placeholders fill in what only the compiled script knows.
type placeholders struct {
	t      *testing.T
	script *scenarios.Script
	caller *placeholders // of a sub-agent
	other  *placeholders // of the other of two wire APIs
}

var placeholder = regexp.MustCompile(`\{\{([\w ]+)\}\}`)

func (p *placeholders) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(place string) string {
		first, second, _ := strings.Cut(strings.Trim(place, "{}"), " ")
		if first == "other" {
			return p.other.fill("{{" + second + "}}")
		}
		if call, _, ok := p.call(first); ok {
			if second == "call" && p.inBlocks() {
				return string(p.callBlock(call).JSON())
			}
			if second == "call" && p.inItems() {
				return string(callItem(call).JSON())
			}
			if second == "call" && p.inContents() {
				return p.callPart(first)
			}
			if second == "call" {
				return string(callJSON(call).JSON())
			}
			return call.ID
		}
		if call, _, ok := p.call(second); ok && first == "signed" {
			return rules.Quote(call.Signature)
		}
		if call, _, ok := p.call(second); ok {
			return p.picture(first, call)
		}
		if turn, item, ok := strings.Cut(second, " "); ok && first == "provided" {
			return p.provided(turn, item)
		}
		n, err := strconv.Atoi(second)
		if err != nil || n < 1 || n > len(p.script.Turns) {
			p.t.Fatalf("nothing is called %s", place)
		}
		if first == "question" {
			return p.script.Turns[n-1].Answer.Approvals()[0].ID
		}
		if first == "caller" {
			return p.script.Turns[n-1].Answer.Program.ID
		}
		if first == "container" {
			return p.script.Turns[n-1].Answer.Container
		}
		message := p.sent(p.script.Turns[n-1])
		if p.inBlocks() {
			return p.fillBlocks(first, message)
		}
		if p.inItems() && first == "message" {
			return strings.TrimSuffix(strings.TrimPrefix(string(message.Raw), "["), "]")
		}
		if p.inItems() && first == "data" {
			return firstOf(message, "encrypted_content")
		}
		if p.inContents() && first == "signature" {
			return firstOf(message.Get("parts"), "thoughtSignature")
		}
		switch first {
		case "message":
			return string(message.Raw)
		case "details":
			return string(message.Get("reasoning_details").Raw)
		case "signature", "data":
			return firstOf(message.Get("reasoning_details"), first)
		}
		p.t.Fatalf("nothing is called %s", place)
		return ""
	})
}

// picture returns the image of a call: all of it, its first half, or its bytes as numbers.
func (p *placeholders) picture(how string, call wire.AnswerCall) string {
	tool := p.script.Scenario.Tool(call.Name)
	result, _ := tool.Answer(call.Arguments)
	if part, is := strings.CutSuffix(how, "file"); is {
		return p.file(part, p.script.Media(call.Name, call.Arguments, result)[0].Data)
	}
	data := p.script.Picture(call.Name, call.Arguments, result).Data
	switch how {
	case "picture":
		return base64.StdEncoding.EncodeToString(data)
	case "half":
		return base64.StdEncoding.EncodeToString(data[:len(data)/2])
	case "bytes":
		return strconv.Itoa(len(data))
	case "halfbytes":
		return strconv.Itoa(len(data) / 2)
	case "numbers":
		return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(data)), ", "), "[]")
	}
	p.t.Fatalf("nothing of a picture is called %s", how)
	return ""
}

// file returns the first file of a call, "" for all of it, or its first "half".
func (p *placeholders) file(part string, data []byte) string {
	if part == "half" {
		data = data[:len(data)/2]
	}
	return base64.StdEncoding.EncodeToString(data)
}

// firstOf returns the first text under a key of the objects in a list.
func firstOf(list *wire.Node, key string) string {
	for _, n := range list.Items {
		if text := n.Get(key).Text(); text != "" {
			return text
		}
	}
	return ""
}

// sent returns the message of a turn as its provider sends it.
func (p *placeholders) sent(turn *scenarios.Turn) *wire.Node {
	answer, err := wire.ParseNode(p.script.Profile.Shape.Write(turn.Answer, wire.Reply{}))
	if err != nil {
		p.t.Fatal(err)
	}
	if p.inBlocks() {
		return answer.Get("content")
	}
	if p.inSteps() {
		return answer.Get("steps")
	}
	if p.inItems() {
		return answer.Get("output")
	}
	if p.inContents() {
		return answer.Get("candidates").Child("0").Get("content")
	}
	return answer.Get("choices").Child("0").Get("message")
}

// call returns the call of a name and its turn.
func (p *placeholders) call(name string) (wire.AnswerCall, *scenarios.Turn, bool) {
	for _, t := range p.script.Turns {
		if t.Answer == nil {
			continue
		}
		for _, c := range t.Answer.Calls {
			if c.As == name {
				return c, t, true
			}
		}
	}
	if p.caller != nil {
		return p.caller.call(name)
	}
	return wire.AnswerCall{}, nil, false
}

func callJSON(c wire.AnswerCall) wire.Fields {
	function := wire.Fields{{Key: "name", Value: c.Name}, {Key: "arguments", Value: c.Arguments}}
	return wire.Fields{{Key: "id", Value: c.ID}, {Key: "type", Value: "function"}, {Key: "function", Value: function}}
}

// returned is the assistant message that returns calls, with the reasoning of their turn where the
// provider wants it.
func (p *placeholders) returned(names []string, text string) string {
	if p.inBlocks() {
		return p.returnedBlocks(names, text)
	}
	if p.inSteps() {
		return p.returnedSteps(names)
	}
	if p.inItems() {
		return p.returnedItems(names, text)
	}
	if p.inContents() {
		return p.returnedParts(names, text)
	}
	var calls []wire.Fields
	f := wire.Fields{{Key: "role", Value: "assistant"}, {Key: "content", Value: nil}}
	for i, name := range names {
		call, turn, ok := p.call(name)
		if !ok {
			p.t.Fatalf("there is no call %q", name)
		}
		calls = append(calls, callJSON(call))
		if i > 0 {
			continue
		}
		if text == "" {
			text = turn.Answer.Text
		}
		if p.script.Profile.Reasoning.Resend.OnToolTurns() && turn.Answer.Reasoning != nil {
			f = p.withReasoning(f, turn)
		}
	}
	if text != "" {
		f[1].Value = text
	}
	return string(f.With("tool_calls", calls).JSON())
}

func (p *placeholders) withReasoning(f wire.Fields, turn *scenarios.Turn) wire.Fields {
	if len(turn.Answer.Details) > 0 {
		return f.With("reasoning_details", wire.Raw(p.sent(turn).Get("reasoning_details").Raw))
	}
	return f.With(p.script.Profile.Traits.ReasoningField, *turn.Answer.Reasoning)
}

// provided returns the id of an item of the provider's own in a turn, both counted from 1.
func (p *placeholders) provided(turn, item string) string {
	t, err := strconv.Atoi(turn)
	if err != nil {
		p.t.Fatalf("no turn is called %s", turn)
	}
	i, err := strconv.Atoi(item)
	if err != nil {
		p.t.Fatalf("no item is called %s", item)
	}
	return p.script.Turns[t-1].Answer.Items[i-1].ID
}

package fuzzing

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// The texts that are drawn, the plainest first. A number makes each of them unlike the others of
// its conversation.
var (
	prompts = []string{
		"Question %d.",
		"Question %d: how much is it?\nTell me the price, too.",
		"Question %d, об Осло и 東京 👩‍🚀.",
		"Question %d about {city} and {{user}}.",
	}

	systemPrompts = []string{
		"You are terse.",
		"You are terse.\n\nUse the tools.",
		"You are terse. Answer as {\"city\": \"{city}\"}.",
	}

	texts = []string{
		"Text %d.",
		"Text %d: naïve, 東京, 👩‍🚀.",
		"Text %d\n\n- one\n- two\n",
		"Text %d with \"quotes\", a \\ and a \ttab.",
		"{\"text\": %d}",
		"Text %d: <tool_call>{\"name\": \"get_time\"}</tool_call>",
	}

	results = []string{
		"Result %d.",
		"Result %d\nof two lines",
		"{\"result\":%d,\"list\":[1,2]}",
		"Result %d: naïve, 東京, 👩‍🚀.",
		"Result %d says \"no\", with a \\.",
	}

	// results that a loop could take for none.
	voidResults = []string{"", "false", "0", "null", "[]", "{}", " "}

	failures = []string{"failure %d", "failure %d\nin two lines", ""}

	words = []string{"Oslo", "Lima", "Rome", "São Paulo", "東京 👩‍🚀", "say \"hi\"", "C:\\new\\table", "two\nlines", "", "null", "{x}", "constructor", "a<b>&c", "ha ha ha ha ha ha ha ha ha ha ha ha", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}
)

// How long slow tools take.
const (
	slow     = 20 * time.Millisecond
	verySlow = 250 * time.Millisecond
)

// result draws what a tool returns.
func (d *drawing) result() scenarios.Result {
	switch kind := d.hundred("kind of result"); {
	case kind >= 90:
		text := d.pick("failure", failures)
		if strings.Contains(text, "%d") {
			text = fmt.Sprintf(text, d.number())
		}
		return scenarios.Result{Fail: &text}
	case kind >= 80:
		return scenarios.Result{Text: voidResults[d.one(len(voidResults), "void result")]}
	case kind >= 79 && d.grammar.claims(protocol.Images):
		return scenarios.Result{Image: d.pick("image", []string{"png", "jpeg", "gif"})}
	case kind >= 76:
		return scenarios.Result{Text: fmt.Sprintf("Long result %d. ", d.number()), Repeat: 1500}
	default:
		return scenarios.Result{Text: fmt.Sprintf(d.pick("result", results), d.number())}
	}
}

// arguments draws the arguments of a call as the model writes them.
func (d *drawing) arguments(tool *scenarios.Tool) string {
	var fields wire.Fields
	for _, p := range tool.Parameters {
		kind, optional := strings.CutSuffix(p.Type, "?")
		if optional && !d.chance(50, "optional argument") {
			continue
		}
		fields = fields.With(p.Name, wire.Raw(d.value(kind)))
	}
	if len(fields) > 1 && d.chance(20, "order of keys") {
		fields[0], fields[1] = fields[1], fields[0]
	}
	compact := string(fields.JSON())
	if d.chance(20, "spaces in JSON") {
		return spaced(fields)
	}
	return compact
}

// mayWriteArguments reports whether a provider may write the arguments of all calls of a
// conversation as they are.
func mayWriteArguments(p *profiles.Profile, c *Conversation) bool {
	for _, t := range c.turns() {
		for _, call := range t.Calls {
			if tool := toolNamed(call.Tool); (tool == nil || !tool.FreeText) && !mayWrite(p, call.Arguments) {
				return false
			}
		}
	}
	return true
}

// mayWrite reports whether a provider may write arguments as they are: not in every dialect servers
// were seen to leave them blank, or to send null.
func mayWrite(p *profiles.Profile, arguments string) bool {
	switch arguments {
	case "":
		return p.Abilities&wire.BlankCalls != 0
	case "null":
		return p.Abilities&wire.NullCalls != 0
	default:
		return true
	}
}

// badCall draws a call that cannot be run as it is.
func (d *drawing) badCall() Call {
	c := Call{Tool: toolbox[0].Name, Result: d.result()}
	nothing := slices.DeleteFunc([]string{"", "null"}, func(arguments string) bool { // that some provider writes for none
		return !d.grammar.offers(func(p *profiles.Profile) bool { return mayWrite(p, arguments) })
	})
	switch n := d.one(5+len(nothing), "kind of bad call"); n {
	case 0:
		c.Tool, c.Arguments = d.pick("unknown tool", unknownTools), fmt.Sprintf(`{"url":"https://example.com/%d"}`, d.number())
	case 1:
		c.Arguments = "{}"
	case 2:
		c.Arguments = fmt.Sprintf(`{"city":%d}`, d.number())
	case 3:
		c.Arguments = fmt.Sprintf("{city: %d}", d.number())
	case 4:
		c.Tool, c.Arguments = "plot", `["[1,2]"]`
	default:
		c.Tool, c.Arguments = "get_time", nothing[n-5]
	}
	return c
}

// spaced writes an object with spaces and line ends, as some models do.
func spaced(fields wire.Fields) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n  %s: %s", wire.Quote(f.Key), wire.JSON(f.Value))
	}
	b.WriteString("\n}")
	return b.String()
}

// value draws a JSON value of a type.
func (d *drawing) value(kind string) string {
	switch kind {
	case "string":
		return string(wire.Quote(d.pick("word", words)))
	case "integer":
		return fmt.Sprint(d.integer("integer"))
	case "number":
		return d.pick("number", []string{"0", "1.5", "-0.25", "100"})
	case "boolean":
		return fmt.Sprint(d.flip("boolean"))
	case "array":
		return d.pick("array", []string{"[]", "[1,2]", `["a",null,{"b":[]}]`})
	default:
		return d.pick("object", []string{"{}", `{"colour":"red"}`, `{"colour":null,"grid":null}`, `{"line":{"width":2},"on":true}`})
	}
}

// bigInteger is how an integer beyond 2^53 begins.
const bigInteger = "25122920421210"

// callWithBigInteger draws a call whose argument is an integer beyond 2^53.
func (d *drawing) callWithBigInteger() Call {
	return Call{Tool: "get_price", Arguments: fmt.Sprintf(`{"share":"ACME","day":%s%05d}`, bigInteger, d.number()*2+1), Result: d.result()}
}

// takesBigIntegers reports whether integers beyond 2^53 keep their digits at a provider: in
// Gemini's arguments, numbers are doubles.
func takesBigIntegers(p *profiles.Profile) bool {
	known := []string{"anthropic", "deepseek", "mistral", "openai", "openai-responses", "openrouter", "vllm"}
	return slices.Contains(known, p.Name)
}

// longCall draws a call with long arguments.
func (d *drawing) longCall() Call {
	return Call{Tool: toolbox[0].Name, Arguments: `{"city":` + string(wire.Quote(d.longText("long argument"))) + `}`, Result: d.result()}
}

// longText draws a text of some ten thousand letters.
func (d *drawing) longText(what string) string {
	return strings.Repeat(d.text(what)+" ", 1500)
}

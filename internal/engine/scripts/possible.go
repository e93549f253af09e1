package scripts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// impossible is an answer of a script that no provider, or not this one, could give to the request. It is an error of
// the script, and no fallback answers instead.
type impossible struct {
	script *scenarios.Script
	step   int    // from 0
	since  string // "no provider would answer so"
	why    []string
}

func (e impossible) Error() string {
	where := ""
	if line := e.script.Scenario.Line(e.step); line > 0 {
		where = fmt.Sprintf(" (line %d)", line)
	}
	return fmt.Sprintf("step %d of %s%s cannot answer this request, since %s: %s", e.step+1, e.script.Scenario.ID, where, e.since, strings.Join(e.why, "; "))
}

// IsImpossible reports whether an error says that no provider would answer as the script does.
func IsImpossible(err error) bool { return errors.As(err, &impossible{}) }

// Possible checks that the answer of a turn is possible for the request, and returns the turn to
// send: the same one, or with its text truncated if the script says so. Answers that end early,
// have quirks or are recorded are not checked.
func Possible(t *scenarios.Turn, script *scenarios.Script, step int, req *wire.Request, p *profiles.Profile, conforms func(schema, document []byte) error) (*scenarios.Turn, error) {
	if !t.Whole() || t.Step.Recorded() != nil || len(t.Quirks) > 0 || t.Disguised() {
		return t, nil
	}
	d := scenarios.Ask{Request: req}.Demands()
	if t.Step.Truncate {
		t = truncated(t, d)
	}
	bound := possibility{answer: t.Answer, demands: d, profile: p}
	bound.tools(req)
	bound.length()
	bound.stops()
	bound.format(conforms)
	bound.inputs(req)
	bound.arguments(req, conforms)
	if len(bound.why) > 0 {
		return t, impossible{script, step, "no provider would answer so", bound.why}
	}
	if most := d.MaxTokens; most > 0 && t.Asked != "" { // an answer to this request alone
		t.Answer.Usage.Completion = min(t.Answer.Usage.Completion, most)
	}
	return t, nil
}

// possibility finds out what no provider could have answered.
type possibility struct {
	answer  *wire.Answer
	demands wire.Demands
	profile *profiles.Profile
	why     []string
}

func (j *possibility) expect(holds bool, format string, args ...any) {
	if !holds {
		j.why = append(j.why, fmt.Sprintf(format, args...))
	}
}

// binds reports whether an answer of the provider is held to a key of the request.
func (j *possibility) binds(key string) bool {
	_, free := j.profile.NotBoundBy[key]
	return !free
}

// ends reports whether the model says all that it wants to say, in words: it neither refuses nor is
// stopped.
func (j *possibility) ends() bool {
	a := j.answer
	return len(a.Calls) == 0 && a.Finish == wire.FinishStop && a.Refusal == "" && strings.TrimSpace(a.Text) != ""
}

func (j *possibility) tools(req *wire.Request) {
	if !j.binds("tool_choice") {
		return
	}
	d := j.demands.Tools
	if d.Choice == wire.ChoiceAuto && len(d.Only) == 0 {
		return
	}
	for _, call := range j.answer.Calls {
		j.expect(d.Choice != wire.ChoiceNone, "its tool_choice forbids calls of tools, and the step calls %s", call.Name)
		j.expect(len(d.Only) == 0 || slices.Contains(d.Only, call.Name), "its tool_choice allows to call %s, and the step calls %s", strings.Join(d.Only, ", "), call.Name)
	}
	wanted := "a tool"
	if len(d.Only) > 0 {
		wanted = strings.Join(d.Only, " or ")
	}
	offered := slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool { return len(d.Only) == 0 || slices.Contains(d.Only, t.Name) })
	j.expect(d.Choice != wire.ChoiceRequired || !offered || !j.ends(), "its tool_choice demands a call of %s, and the step answers with a text", wanted)
}

// The most that a token may hold. No tokenizer in use has tokens of several words; twice that is
// certain.
const (
	maxTokenWords = 2
	maxTokenBytes = 128
)

// leastTokens returns how many tokens a text takes at least, whichever tokenizer counts them.
func leastTokens(text string) int {
	words := 0
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words++
		}
	}
	return max((words+maxTokenWords-1)/maxTokenWords, (len(text)+maxTokenBytes-1)/maxTokenBytes)
}

func (j *possibility) length() {
	most := j.demands.MaxTokens
	if most == 0 {
		return
	}
	if len(j.answer.Text) <= most && len(j.answer.Calls) == 0 { // no token is shorter than a byte
		return
	}
	least := leastTokens(j.answer.Text)
	for _, call := range j.answer.Calls {
		least += leastTokens(call.Arguments)
	}
	fit := ""
	if len(j.answer.Calls) == 0 {
		fit = "; `truncate: true` at the step cuts the text and ends it by length"
	}
	j.expect(least <= most, "its %s is %d, and the answer takes at least %d tokens%s", j.demands.MaxKey, most, least, fit)
}

func (j *possibility) stops() {
	for _, stop := range j.demands.Stop {
		j.expect(!strings.Contains(j.answer.Text, stop), "its %s has %s, and the text goes on after that; `truncate: true` at the step ends the text there", j.demands.StopKey, inShort(stop))
	}
}

// format checks a text by the JSON format that the request requires.
func (j *possibility) format(conforms func(schema, document []byte) error) {
	if !j.ends() || !j.demands.JSON {
		return
	}
	text := []byte(j.answer.Text)
	if _, err := wire.ParseNode(text); err != nil {
		j.expect(false, "its %s wants JSON, and the text is none: %v", j.demands.FormatKey, err)
		return
	}
	if schema := j.demands.Schema; schema != nil && conforms != nil {
		err := conforms(schema.Raw, text)
		j.expect(err == nil, "the text does not fit the schema of its %s: %v", j.demands.FormatKey, err)
	}
}

// inputs wants the inputs of calls to be objects where the answer is one document, which has no
// place for anything else.
func (j *possibility) inputs(req *wire.Request) {
	if j.profile.Abilities&wire.TextArguments != 0 || req.Stream || j.answer.Finish != wire.FinishCalls {
		return
	}
	for _, call := range j.answer.Calls {
		_, err := wire.ParseNode([]byte(call.Arguments))
		j.expect(err == nil || wire.BlankArguments(call.Arguments), "the input of %s is not JSON, which only a stream can carry: %v", call.Name, err)
	}
}

// arguments checks the arguments of calls by the schemas of strict tools.
func (j *possibility) arguments(req *wire.Request, conforms func(schema, document []byte) error) {
	if conforms == nil || j.answer.Finish != wire.FinishCalls {
		return
	}
	for _, call := range j.answer.Calls {
		at := slices.IndexFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Name == call.Name })
		if at < 0 || !req.Tools[at].Strict || req.Tools[at].Parameters == nil || wire.BlankArguments(call.Arguments) {
			continue
		}
		err := conforms(req.Tools[at].Parameters.Raw, []byte(call.Arguments))
		j.expect(err == nil, "the arguments of %s do not fit its strict schema: %v", call.Name, err)
	}
}

package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// The bounds of what a scenario may ask for, so that a slip of the pen does not eat the machine.
const (
	maxResult = 8 << 20 // bytes
	maxTimes  = 1000
)

// checker collects what is wrong in a scenario beyond its shape.
type checker struct {
	s    *Scenario
	errs []error

	dialects []*wire.Dialect

	ofMCPServer bool // the tools that are checked are those of an MCP server for applications
}

func (s *Scenario) check(v Vocabulary) error {
	c := &checker{s: s, dialects: v.Dialects}
	c.expect(s.Format == 1, "/loopproof", "this is not a file of format 1: it needs the line `loopproof: 1`")
	c.expect(s.Title != "" || !c.prompted(), "/title", "a scenario needs a title")
	c.prompts()
	c.embeddings()
	c.endpoints()
	c.mcpServers()
	c.expect(len(s.Model) > 0 || len(s.Embeddings) > 0 || len(s.Endpoints) > 0 || len(s.MCPServers) > 0, "/model", "a scenario needs at least one step of the model")
	c.expect(s.MaxTurns > 0 || !s.doc.Has("/max-turns"), "/max-turns", "the turn limit is a whole number from 1, not %d", s.MaxTurns)
	c.expect(s.ContextLimit > 0 || !s.doc.Has("/context-limit"), "/context-limit", "the limit of a request is a number of tokens from 1, not %d", s.ContextLimit)
	c.expect(s.ContextLimit == 0 || c.needs(protocol.Compaction), "/context-limit", "a scenario that limits the length of requests needs loops that keep to it: `needs: [compaction]`")
	c.compaction()
	c.budget()
	c.answerSchema()
	c.answerCalls()
	c.expect(s.Summary == "" || s.ContextLimit > 0, "/summary", "a loop asks for a summary where the length of requests is limited: add `context-limit`")
	c.expect(s.Timeout > 0 || !s.doc.Has("/timeout"), "/timeout", "the time limit is a time above zero, such as 2s")
	for i, r := range s.Rules {
		c.word(at("rules", i), "rule", r, v.Rules)
	}
	for i, f := range s.Needs {
		c.word(at("needs", i), "feature", string(f), wire.Words(protocol.Features()))
	}
	c.patterns("profiles", "profile", s.Profiles, append(slices.Clone(v.Profiles), standard))
	c.patterns("deliveries", "delivery", s.Deliveries, append(wire.Words(wire.Deliveries()), string(wire.DeliverSocket)))
	if s.Transcript != "" {
		c.word("/transcript", "transcript format", s.Transcript, v.Transcripts)
	}
	c.toolsAt("/tools/", s.Tools)
	c.agents()
	c.steps()
	c.quirks(v)
	c.seen(v)
	c.cancels()
	c.crashes()
	c.approvals()
	c.steering()
	c.changingTools()
	c.programs()
	c.models()
	c.resumes()
	c.promptsTellApart()
	c.ends()
	c.conditions()
	c.behaviours()
	c.cuts()
	if s.Expect.Status != "" {
		c.word("/expect/status", "status", string(s.Expect.Status), wire.Words(statuses))
	}
	return errors.Join(c.errs...)
}

func (c *checker) expect(ok bool, at, format string, args ...any) {
	if !ok {
		c.errs = append(c.errs, c.s.doc.Errorf(at, format, args...))
	}
}

func (c *checker) fail(at, message string) { c.expect(false, at, "%s", message) }

// few is how many known words an error lists at most.
const few = 16

// word reports a word that is not one of the known ones.
func (c *checker) word(at, kind, word string, known []string) {
	if !slices.Contains(known, word) {
		c.fail(at, unknown(kind, word, known))
	}
}

func unknown(kind, word string, known []string) string {
	all := "it is one of " + strings.Join(known, ", ")
	if len(known) > few {
		all = "`loopproof list` shows all"
	}
	return fmt.Sprintf("unknown %s %q%s; %s", kind, word, suggest.Hint(word, known), all)
}

func (c *checker) needs(f protocol.Feature) bool { return slices.Contains(c.s.Needs, f) }

// returns reports whether the tools that are checked may return what needs a feature of a loop. An
// application says nothing of its features.
func (c *checker) returns(f protocol.Feature) bool { return c.ofMCPServer || c.needs(f) }

// ends checks that the model has something to say to the results of the last calls. A recording
// ends where it was stopped.
func (c *checker) ends() {
	if !c.prompted() || len(c.s.Model) == 0 || c.s.MaxTurns > 0 {
		return
	}
	last := c.s.Model[len(c.s.Model)-1]
	asks := len(last.Calls) > 0 && slices.Contains([]wire.Finish{"", wire.FinishStop, wire.FinishCalls}, wire.Finish(last.Finish))
	ended := last.recorded != nil || last.Cancel != nil || last.breaksOff()
	c.expect(!asks || ended, at("model", len(c.s.Model)-1), "the last step has calls, and the model says nothing to their results; add a step with a text, or max-turns")
}

func (c *checker) prompts() {
	c.expect(c.prompted() || c.s.conditional(), "/prompt", "a scenario needs a prompt, or `when` to say which requests it answers; `when: {}` at a step answers all")
	c.expect(c.s.Prompt == "" || len(c.s.Prompts) == 0, "/prompts", "a scenario has a prompt or prompts, not both")
	said := strings.TrimSpace(c.s.Prompt) != "" || !c.s.doc.Has("/prompt")
	c.expect(said, "/prompt", "a prompt says something; a script for an application has no such key")
	c.expect(len(c.s.Prompts) > 0 || !c.s.doc.Has("/prompts"), "/prompts", "there is no prompt in the list; a script for an application has no such key")
	for i, p := range c.s.Prompts {
		c.expect(strings.TrimSpace(p) != "", at("prompts", i), "a prompt says something")
	}
}

func (c *checker) patterns(key, kind string, patterns, known []string) {
	for i, p := range patterns {
		matches := slices.ContainsFunc(known, func(name string) bool {
			ok, _ := doublestar.Match(p, name)
			return ok
		})
		if !matches {
			c.fail(at(key, i), unknown(kind, p, known))
		}
	}
}

// namesProfile reports whether the patterns of the scenario match a profile.
func (c *checker) namesProfile(name string) bool {
	return c.s.names(name, slices.ContainsFunc(c.dialects, func(d *wire.Dialect) bool { return d.Standard == name }))
}

var (
	types    = []string{"string", "integer", "number", "boolean", "object", "array"}
	statuses = []Status{StatusCompleted, StatusFailed, StatusStopped, StatusNotCompleted}
	blocks   = []wire.BlockType{wire.BlockText, wire.BlockSummary, wire.BlockEncrypted}

	// toolName is what the providers take as the name of a function.
	toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`) })
)

func (c *checker) toolsAt(place string, tools []Tool) {
	for _, t := range tools {
		here := place + t.Name
		c.expect(toolName().MatchString(t.Name), here, "a tool has a name of at most 64 letters, digits, _ and -, not %q", t.Name)
		for _, p := range t.Parameters {
			c.word(here+"/parameters/"+p.Name, "type", strings.TrimSuffix(p.Type, "?"), types)
		}
		c.schema(here, t)
		c.freeText(here, t)
		c.expect(len(t.Results) > 0, here, "the tool %s needs results", t.Name)
		for i, r := range t.Results {
			c.result(here+at("results", i), t, r)
			first := slices.IndexFunc(t.Results[:i], func(earlier Result) bool { return earlier.covers(r) })
			c.expect(first < 0, here+at("results", i), "this result is never given: the one at %s comes first, and is for the same arguments; put that one after it, or write what comes later into its `then`", here+at("results", first))
		}
	}
}

// schema checks a tool whose parameters are given as a JSON Schema, so far as it is read: the
// properties of an object, and which of them are required.
func (c *checker) schema(here string, t Tool) {
	if len(t.JSONSchema) == 0 {
		return
	}
	here += "/schema"
	c.expect(len(t.Parameters) == 0, here, "a tool has parameters or a schema, not both")
	c.objectSchema(here, "a tool", t.JSONSchema)
}

// objectSchema checks the schema of an object.
func (c *checker) objectSchema(here, of string, fields wire.Fields) {
	schema := wire.Parsed(fields.JSON())
	properties, required := schema.Get("properties"), schema.Get("required")
	c.expect(schema.Get("type").Text() == "object", here, "the schema of %s is one of an object: `type: object`", of)
	c.expect(properties.Is(wire.Object), here, "the schema of %s has `properties`; those of one without parameters are {}", of)
	for name, property := range properties.Fields() {
		c.expect(property.Is(wire.Object), here+"/properties/"+name, "a property is a schema, such as {type: string}")
	}
	c.expect(required == nil || required.Is(wire.Array), here+"/required", "`required` is a list of names")
	for i, name := range required.All() {
		c.expect(name.Text() != "" && properties.Has(name.Text()), here+at("required", i), "the property %q is required and is not among the properties", name.Text())
	}
}

func (c *checker) result(here string, t Tool, r Result) {
	c.expect(r.Text == "" || !r.Fails(), here, "a result has a text or fails, not both")
	c.expect(r.Repeat >= 0 && (r.Text == "" || r.Repeat <= maxResult/len(r.Text)), here, "a result has at most %d MB", maxResult>>20)
	c.expect(len(r.Then) == 0 || r.Text != "" && r.Repeat == 0, here+"/then", "later texts come behind a `text`, which is not repeated")
	c.image(here, r)
	c.several(here, r)
	c.mcpResult(here, r)
	for _, argument := range r.When {
		known := t.FreeText && argument.Key == FreeInput || slices.ContainsFunc(t.Properties(), func(p Property) bool { return p.Name == argument.Key })
		c.expect(known, here+"/when/"+argument.Key, "the tool %s has no parameter %q", t.Name, argument.Key)
	}
}

// several checks a result of several blocks.
func (c *checker) several(here string, r Result) {
	c.expect(!r.Several() || r.Image == "" && len(r.Then) == 0 && r.Repeat == 0, here, "a result with `more` or `structured` is given once, and its images are in `more`")
	images := 0
	for i, b := range r.More {
		block := here + at("more", i)
		kinds := slices.DeleteFunc([]string{b.Text, b.Image, b.Resource, b.Link, b.Media}, func(s string) bool { return s == "" })
		c.expect(len(kinds) == 1, block, "a block is one thing: a text, an image, a resource, a link or media")
		c.expect(b.Resource == "" && b.Link == "" && b.Media == "" || c.returns(protocol.MCPTools), block, "only a server of MCP returns resources and files: `needs: [mcp-tools]`")
		if b.Media != "" {
			c.word(block+"/media", "kind of media", b.Media, mediaKinds)
		}
		if b.Image != "" {
			images++
			c.word(block+"/image", "kind of image", b.Image, imageKinds)
			c.expect(c.returns(protocol.Images), block+"/image", "a scenario whose tools return images needs loops that take them: `needs: [images]`")
			c.expect(!r.Fails(), block+"/image", "a failure is told in texts")
		}
	}
	c.expect(images <= 1, here+"/more", "a result has one image at most")
}

func (c *checker) image(here string, r Result) {
	if r.Image == "" {
		return
	}
	c.word(here+"/image", "kind of image", r.Image, imageKinds)
	c.expect(r.Text == "" && !r.Fails() && r.File == "", here+"/image", "a result is an image, or a text, or fails")
	c.expect(c.returns(protocol.Images), here+"/image", "a scenario whose tools return images needs loops that take them: `needs: [images]`")
}

func (c *checker) steps() {
	names, asked := map[string]string{}, map[string]bool{}
	for i, step := range c.s.Model {
		here := at("model", i)
		if !c.prompted() {
			names, asked = map[string]string{}, map[string]bool{} // each step is an answer of its own
		}
		c.step(here, step)
		c.providerItems(here, step, asked)
		for j, b := range step.ReasoningDetails {
			c.word(here+at("reasoning-details", j)+"/type", "type of a block", string(b.Type), wire.Words(blocks))
		}
		for j, raw := range step.Blocks {
			n, err := wire.ParseNode([]byte(raw))
			c.expect(err == nil && n.Is(wire.Object) && n.Get("type").Text() != "", here+at("blocks", j), "a block is a JSON object with a type, not %s", raw)
		}
		for j, call := range step.Calls {
			c.call(here+at("calls", j), call, names)
			if t := c.s.Tool(call.Tool); t != nil && !step.breaksOff() && step.Finish == "" {
				c.answered(here+at("calls", j), call, t)
			}
		}
	}
}

// counted checks how often something happens. Without the key that is not limited, so 0 would mean
// the opposite of what it says.
func (c *checker) counted(here, key string, n int) {
	given := c.s.doc.Has(here + "/" + key)
	c.expect(!given || n > 0 && n <= maxTimes, here+"/"+key, "%s is a whole number from 1 to %d, not %d", key, maxTimes, n)
}

func (c *checker) step(here string, step Step) {
	c.expect(step.Status == 0 || step.Status == 200 || step.Status >= 300 && step.Status <= 599, here+"/status", "a step fails with a status from 300 to 599, not %d", step.Status)
	c.expect(step.Status != 0 || step.RetryAfter == nil && step.Error == nil, here, "retry-after and error go with a status")
	c.expect(!step.TooLong || step.Status == 0, here+"/too-long", "the status of a request that is too long is that of the profile")
	c.retryAfter(here, step.RetryAfter)
	c.expect(step.Error == nil || step.Error.Message != "", here+"/error", "an error needs a message")
	c.counted(here, "requests", step.Requests)
	c.counted(here, "times", step.Times)
	if finishes := wire.Words(wire.Finishes()); step.Finish != "" && step.Fixture == "" && !slices.Contains(finishes, step.Finish) { // it may be one that no dialect defines, and a recorded one is no typing mistake
		hint := suggest.Hint(step.Finish, finishes)
		c.expect(hint == "", here+"/finish", "unknown finish reason %q%s", step.Finish, hint)
	}
	c.transport(here, step)
	c.breaks(here, step)
	c.hold(here, step)
	if step.Phase != "" {
		c.word(here+"/phase", "phase", string(step.Phase), wire.Words(wire.Phases()))
		c.expect(step.Text != nil && *step.Text != "", here+"/phase", "only a text has a phase")
	}
	c.expect(step.Commentary == "" || step.Text != nil && *step.Text != "", here+"/commentary", "a commentary is before a text")
	c.usage(here, step)
	c.compacts(here, step)
	c.expect(len(step.Quirks) == 0 || step.answers(), here+"/quirks", "only an answer shows quirks")
}

func (c *checker) breaks(here string, step Step) {
	count := 0
	for _, b := range []struct {
		key string
		at  *Break
	}{{"cut", step.Cut}, {"reset", step.Reset}, {"stall", step.Stall.place()}, {"in-band-error", step.InBandError.place()}} {
		if b.at == nil {
			continue
		}
		count++
		places := []string{"", "finish", "done", "headers"}
		if b.key == "in-band-error" {
			places = places[:3]
		}
		c.expect(slices.Contains(places, b.at.Before), here+"/"+b.key, "before is %s, not %q", alternatives(places[1:]), b.at.Before)
		c.expect((b.at.Before == "") != (b.at.After.Unit == ""), here+"/"+b.key, "an answer breaks after an amount or before a place: `after: 3 events` or `before: finish`")
	}
	each := func(b *Break) bool { return b != nil && b.After.Each }
	c.expect(!each(step.Reset) && !each(step.Stall.place()) && !each(step.InBandError.place()), here, "only a cut comes after each event")
	c.expect(count < 2, here, "an answer breaks once: it has a cut, a reset, a stall or an in-band-error")
	c.expect(count == 0 || step.Status == 0, here, "only an answer breaks; the step has a status")
	if step.Damaged != "" {
		c.word(here+"/damaged", "part of a frame", string(step.Damaged), wire.Words(wire.DamagedParts()))
		c.expect(step.Cut != nil && step.Cut.After.Unit == "events" && !step.Cut.After.Each, here+"/damaged", "say which event is damaged: `cut: {after: 3 events}`")
		c.expect(c.streamedAlone(), here+"/damaged", "only a stream is damaged: the scenario needs %s, and deliveries such as [sse]", protocol.Streaming)
	}
	if e := step.InBandError; e != nil {
		c.expect(e.Error == nil || e.Error.Message != "", here+"/in-band-error/error", "an error needs a message")
	}
}

// alternatives lists words: "finish, done or headers".
func alternatives(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (e *BandError) place() *Break {
	if e == nil {
		return nil
	}
	return &e.Break
}

func (c *checker) call(here string, call Call, names map[string]string) {
	first, taken := names[call.As]
	c.expect(!taken, here+"/as", "the name %q is taken by the call at %s", call.As, first)
	if r := call.Repeat; r != nil {
		c.expect(r.Text != "" && strings.Contains(call.Arguments, r.Text), here+"/repeat/text", "the text %q is not in the arguments", r.Text)
		c.expect(r.Times > 0 && len(r.Text) <= maxResult/max(r.Times, 1), here+"/repeat/times", "arguments have at most %d MB, and a text is written at least once", maxResult>>20)
	}
	if call.SameIDAs != "" {
		_, known := names[call.SameIDAs]
		c.expect(known, here+"/same-id-as", "there is no call %q before this one%s", call.SameIDAs, suggest.Hint(call.SameIDAs, slices.Sorted(maps.Keys(names))))
	}
	names[call.As] = here
	if !c.prompted() && len(c.s.Tools) == 0 {
		c.expect(toolName().MatchString(call.Tool), here+"/tool", "a tool has a name of at most 64 letters, digits, _ and -, not %q", call.Tool)
		return // the tools are those of the application
	}
	offered := c.s.Tool(call.Tool) != nil
	c.expect(offered || call.NotOffered, here+"/tool", "there is no tool %q%s; to let the model call one that does not exist, add `not-offered: true`", call.Tool, suggest.Hint(call.Tool, c.toolNames()))
	c.expect(!offered || !call.NotOffered, here+"/not-offered", "the tool %q is offered", call.Tool)
}

// answered reports a good call of a whole turn for which its tool has no result: it would fail,
// which no one asked for.
func (c *checker) answered(here string, call Call, t *Tool) {
	args, err := wire.ParseNode([]byte(call.Arguments))
	if err != nil || len(t.Results) == 0 || call.Repeat != nil || !t.takes(args) {
		return
	}
	_, fits := t.Answer(call.Arguments)
	c.expect(fits, here+"/arguments", "no result of %s is for these arguments; add one with this `when`, or one without `when` for all others", t.Name)
}

func (c *checker) toolNames() []string {
	var names []string
	for _, t := range c.s.AllTools() {
		names = append(names, t.Name)
	}
	return names
}

func at(key string, index int) string { return fmt.Sprintf("/%s/%d", key, index) }

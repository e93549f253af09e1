package agents

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	embedded "github.com/loopproof/loopproof/agents"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Names returns the names of the descriptions that come with Loopproof.
func Names() []string {
	files, _ := fs.Glob(embedded.Files, "*.yaml")
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ".yaml")
	}
	return files
}

// Find returns the description of a name, or that in a file.
func Find(name string) (*Description, error) {
	if strings.HasSuffix(name, ".yaml") {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return Parse(name, data)
	}
	data, err := embedded.Files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("there is no agent %q%s; there are %s, and loopproof init agent writes a description of another one, which is named by its file", name, suggest.Hint(name, Names()), strings.Join(Names(), ", "))
	}
	return Parse(name+".yaml", data)
}

// Parse reads a description. Like every file of Loopproof it is read strictly, and the error names
// each mistake.
func Parse(file string, data []byte) (*Description, error) {
	d := &Description{ID: strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".yaml")}
	doc, unread := strictyaml.Read(file, data, d)
	if doc == nil {
		return nil, unread
	}
	c := &checker{Description: d, doc: doc}
	c.check()
	if err := doc.With(unread, c.errs...); err != nil {
		return nil, err
	}
	return d, nil
}

// IsDescription reports whether a file with some keys at its top describes an agent.
func IsDescription(keys map[string]any) bool {
	for _, only := range []string{"command", "answer", "next", "install", "keep-env", "side-requests", "acp"} {
		if _, has := keys[only]; has {
			return true
		}
	}
	return false
}

// checker looks for what is wrong in a description that could be read.
type checker struct {
	*Description
	doc  *strictyaml.Document
	errs []error
}

func (c *checker) fail(at, format string, args ...any) {
	c.errs = append(c.errs, c.doc.Errorf(at, format, args...))
}

func (c *checker) check() {
	if c.Version != 1 {
		c.fail("/loopproof", "expected loopproof: 1, the version of this format")
	}
	if c.Name == "" {
		c.fail("", "the name is missing, such as name: My Agent")
	}
	c.oneOf("/dialect", "dialect", c.Dialect, dialect.Names(dialect.Known()))
	c.checkCommands()
	c.checkPlaceholders()
	c.checkTools()
	c.checkAnswer()
	c.checkClaims()
	c.checkDesigns()
	c.checkFiles("/files/", c.Files)
	c.checkACP()
	if c.Timeout < 0 {
		c.fail("/timeout", "a timeout is a duration such as 60s")
	}
}

func (c *checker) checkFiles(at string, files map[string]string) {
	for name := range files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			c.fail(at+name, "a file is named by its path below the home of the agent, without .. in it")
		}
	}
}

func (c *checker) oneOf(at, what, word string, known []string) {
	switch {
	case word == "":
		c.fail("", "the %s is missing; there are %s", what, strings.Join(known, ", "))
	case !slices.Contains(known, word):
		c.fail(at, "unknown %s %q%s; there are %s", what, word, suggest.Hint(word, known), strings.Join(known, ", "))
	}
}

func (c *checker) checkCommands() {
	if len(c.Command) == 0 && c.ACP == nil {
		c.fail("", `the command is missing, such as command: [my-agent, --print, "{prompt}"]`)
	}
	for _, command := range []struct {
		at    string
		words []string
	}{{"/command", c.Command}, {"/next", c.Next}, {"/version", c.AsksVersion}} {
		if len(command.words) > 0 && command.words[0] == "" {
			c.fail(command.at, "the first word is the program")
		}
	}
	if len(c.Next) > 0 && !slices.Contains(c.Claims, protocol.MultiPrompt) {
		c.fail("/next", "next says how the agent is given a further prompt: claim %s", protocol.MultiPrompt)
	}
	if len(c.Next) == 0 && len(c.Command) > 0 && slices.Contains(c.Claims, protocol.MultiPrompt) {
		c.fail("/claims", "the claim %s needs next, the command for a further prompt", protocol.MultiPrompt)
	}
}

// placeholder is what is replaced by a value of the task.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[a-z_]+\}`) })

// checkPlaceholders reports those that are not known. Files may have braces of their own, and so
// only what is nearly one of ours is a mistake there.
func (c *checker) checkPlaceholders() {
	c.checkWords("/command", c.Command)
	c.checkWords("/next", c.Next)
	c.checkTexts("", c.Env, c.Files)
}

func (c *checker) checkWords(at string, words []string) {
	for i, word := range words {
		c.checkText(fmt.Sprintf("%s/%d", at, i), word, true)
	}
}

func (c *checker) checkTexts(at string, env, files map[string]string) {
	for name, value := range env {
		c.checkText(at+"/env/"+name, value, true)
	}
	for name, text := range files {
		c.checkText(at+"/files/"+name, text, false)
	}
}

func (c *checker) checkText(at, text string, ours bool) {
	known := wire.Words(placeholders)
	for _, word := range placeholder().FindAllString(text, -1) {
		hint := suggest.Hint(word, known)
		if !slices.Contains(known, word) && (ours || hint != "") {
			c.fail(at, "unknown placeholder %s%s; there are %s", word, hint, strings.Join(known, ", "))
		}
	}
}

func (c *checker) checkTools() {
	if c.Tools.None != "" && c.Tools.Named != "" {
		c.fail("/tools", "an agent that cannot be given tools has no name for them")
	}
	if c.Tools.Named != "" && strings.Count(c.Tools.Named, toolPlaceholder) != 1 {
		c.fail("/tools/named", "a name has {tool} once, where the name of the tool is, as in mcp__loopproof__{tool}")
	}
	if c.Tools.None == "" && len(c.Command) > 0 && !c.mentions(MCPURL) {
		c.fail("", "%s is nowhere in the command, env or files, so the agent cannot find the tools; if it has no way to take them, say why in tools: {none: ...}", MCPURL)
	}
	for i, side := range c.SideRequests {
		at := fmt.Sprintf("/side-requests/%d", i)
		if side.Tools != "" && side.Tools != "none" {
			c.fail(at+"/tools", "the only word here is none")
		}
		if side.Tools == "" && side.Model == "" && side.System == "" && side.Prompt == "" {
			c.fail(at, "say which requests are meant: by tools, model, system or prompt")
		}
		if !doublestar.ValidatePattern(side.Model) {
			c.fail(at+"/model", "the pattern %q is not well-formed", side.Model)
		}
	}
}

// formats are those of the output.
var formats = []string{"text", "json", "jsonl"}

func (c *checker) checkAnswer() {
	a := c.Answer
	if len(c.Command) == 0 && c.ACP != nil {
		return
	}
	c.oneOf("/answer/format", "format of the answer", a.Format, formats)
	if a.Format == "text" && (a.At != "" || a.Join || len(a.Where)+len(a.Failed)+len(a.Stopped) > 0 || a.Error != "") {
		c.fail("/answer", "all of a text is the answer: at, where, failed, stopped, error and join are for json and jsonl")
	}
	if (a.Format == "json" || a.Format == "jsonl") && a.At == "" {
		c.fail("/answer", "at is missing: a JSON pointer to the answer, such as /result")
	}
	if a.Format == "json" && (a.Join || len(a.Where) > 0) {
		c.fail("/answer", "where and join are for the lines of jsonl")
	}
	pointers := []string{a.At, a.Error}
	for _, fields := range []map[string]string{a.Where, a.Failed, a.Stopped} {
		for pointer := range fields {
			pointers = append(pointers, pointer)
		}
	}
	for _, pointer := range pointers {
		if pointer != "" && !strings.HasPrefix(pointer, "/") {
			c.fail("/answer", "a JSON pointer begins with a slash: /%s", pointer)
		}
	}
}

func (c *checker) checkClaims() {
	c.checkFeatures("/claims", c.Claims, c.Description, len(c.Command) == 0)
	c.checkCompaction()
	for i, pattern := range c.Profiles {
		if !slices.ContainsFunc(profiles.Known{}.Names(), func(name string) bool { ok, _ := doublestar.Match(pattern, name); return ok }) {
			c.fail(fmt.Sprintf("/profiles/%d", i), "no profile is called %q%s", pattern, suggest.Hint(pattern, profiles.Known{}.Names()))
		}
	}
	for i, pattern := range c.Deliveries {
		if !slices.ContainsFunc(wire.AllDeliveries(), func(d wire.Delivery) bool { ok, _ := doublestar.Match(pattern, string(d)); return ok }) {
			c.fail(fmt.Sprintf("/deliveries/%d", i), "no delivery is called %q%s", pattern, suggest.Hint(pattern, wire.Words(wire.AllDeliveries())))
		}
	}
}

// checkFeatures reports the features that an agent cannot have as it is played.
func (c *checker) checkFeatures(at string, list []protocol.Feature, played *Description, overACP bool) {
	known := wire.Words(protocol.Features())
	for i, claim := range list {
		name, _ := claims.Split(claim)
		c.oneOf(fmt.Sprintf("%s/%d", at, i), "feature", string(name), known)
		if problem := played.cannot(name, overACP); problem != "" {
			c.fail(fmt.Sprintf("%s/%d", at, i), "%s", problem)
		}
	}
}

// cannot says why an agent cannot claim a feature, or is "".
func (d *Description) cannot(f protocol.Feature, overACP bool) string {
	switch {
	case f == protocol.TurnLimit && !d.mentions(maxTurns):
		return fmt.Sprintf("the claim %s needs %s in the command", f, maxTurns)
	case claims.Describe(f).By == claims.AnyLoop, overACP && slices.Contains(saidOverACP, f):
		return ""
	case slices.Contains(saidOverACP, f):
		return fmt.Sprintf("an agent cannot claim %s with a command line: claim it in acp, or write an adapter", f)
	default:
		return fmt.Sprintf("an agent cannot claim %s: that takes an adapter", f)
	}
}

// saidOverACP are the features that take more than a command line, and for which the Agent Client
// Protocol has messages.
var saidOverACP = []protocol.Feature{protocol.Cancel, protocol.ToolApprovals}

// checkACP looks for what is wrong in how an agent speaks the Agent Client Protocol.
func (c *checker) checkACP() {
	if c.ACP == nil {
		return
	}
	switch how := c.ACP; {
	case len(how.Command) == 0 || how.Command[0] == "":
		c.fail("/acp", "the command is missing, such as command: [my-agent, --acp]")
	case slices.ContainsFunc(how.Command, func(word string) bool { return strings.Contains(word, "{prompt}") }):
		c.fail("/acp/command", "prompts are sent over the protocol, and {prompt} is not known when the agent starts")
	}
	c.checkWords("/acp/command", c.ACP.Command)
	c.checkTexts("/acp", c.ACP.Env, c.ACP.Files)
	c.checkFiles("/acp/files/", c.ACP.Files)
	over, _ := c.OverACP()
	c.checkFeatures("/acp/claims", c.ACP.Claims, over, true)
	if next := c.ACP.Next; next != "" {
		c.oneOf("/acp/next", "word", next, []string{NextLoads})
	}
}

// checkCompaction reports what an agent lacks that makes its history shorter, or says for nothing.
func (c *checker) checkCompaction() {
	claimed := slices.ContainsFunc(c.Claims, func(claim protocol.Feature) bool {
		name, _ := claims.Split(claim)
		return name == protocol.Compaction
	})
	if !claimed {
		if c.SummaryMark != "" {
			c.fail("/summary-mark", "summary-mark is for an agent with the claim %s", protocol.Compaction)
		}
		return
	}
	if !c.mentions(contextLimit) {
		c.fail("/claims", "the claim %s needs %s in the command, env or files", protocol.Compaction, contextLimit)
	}
	for i, side := range c.SideRequests {
		if side.Tools != "" && side.Model == "" && side.System == "" && side.Prompt == "" {
			c.fail(fmt.Sprintf("/side-requests/%d", i), "this takes requests for a summary of the history, too, which the claim %s is about; say more: model, system or prompt", protocol.Compaction)
		}
	}
}

// checkDesigns reports the mistakes for which the hello of an adapter is refused, too.
func (c *checker) checkDesigns() {
	for i, design := range c.Designs {
		c.oneOf(fmt.Sprintf("/designs/%d", i), "design", string(design), wire.Words(protocol.Designs()))
	}
	switch tool := c.AnswerTool; {
	case tool == nil:
	case !slices.Contains(c.Designs, protocol.AnswersByTool):
		c.fail("/answer-tool", "answer-tool is for an agent with the design %s", protocol.AnswersByTool)
	case tool.Name == "" || tool.Argument == "":
		c.fail("/answer-tool", "answer-tool needs a name and an argument, as in {name: final_answer, argument: answer}")
	}
}

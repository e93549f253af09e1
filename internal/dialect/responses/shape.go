package responses

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// Shape is how one provider writes Responses: templates that look like what it sends, where that
// differs from provider to provider. The yaml tags are the keys of a profile file.
type Shape struct {
	// Answer is a response, whole or within an event. Its places are those of [AnswerPlaces].
	Answer wire.Template `yaml:"answer"`

	// Message is an item with a text or a refusal, with the places of [MessagePlaces], and Text and
	// Refusal are the parts of its content, with those of [TextPlaces]. A provider without Refusal
	// writes refusals as texts.
	Message wire.Template `yaml:"message"`
	Text    wire.Template `yaml:"text"`
	Refusal wire.Template `yaml:"refusal"`

	// Call is an item with a call of a function, with the places of [CallPlaces].
	Call wire.Template `yaml:"call"`

	// Reasoning is an item with reasoning, with the places of [ReasoningPlaces]. Without it the
	// model shows none.
	Reasoning wire.Template `yaml:"reasoning"`

	// RawReasoning says that reasoning comes as the model's own text, and not as a summary of it.
	RawReasoning bool `yaml:"raw-reasoning"`

	// SummaryParts says that a stream has events about the parts of reasoning, alongside those
	// about their texts.
	SummaryParts bool `yaml:"summary-parts"`

	// Encrypted says when reasoning carries its own encrypted form, which the provider wants back.
	Encrypted Encryption `yaml:"encrypted"`

	// ArgumentsWhole says that the arguments of a call come whole in the event that ends them,
	// without pieces before.
	ArgumentsWhole bool `yaml:"arguments-whole"`

	// Usage are the token counts, with the places of [UsagePlaces].
	Usage wire.Template `yaml:"usage"`

	// Finish gives the provider's words for the reasons to stop early, where they are not OpenAI's.
	Finish map[wire.Finish]string `yaml:"finish"`

	// Logprobs says that events with a text have an empty list of logprobs.
	Logprobs bool `yaml:"logprobs"`

	// Obfuscation is a key of every event with a piece, of random letters in real traffic. "":
	// there is none.
	Obfuscation string `yaml:"obfuscation"`

	// NameWhenDone says that the end of the arguments of a call names the tool, too.
	NameWhenDone bool `yaml:"name-when-done"`

	// DoneMark ends a stream with [DONE], as that of other dialects.
	DoneMark bool `yaml:"done-mark"`

	// Streams are the quirks that every stream has, in the order in which they change it:
	// sequence-missing is the last one, since others count the events again.
	Streams []string `yaml:"streams"`

	// Items are the types of items that the provider has alongside messages, functions and
	// reasoning: custom_tool_call, web_search_call, file_search_call, code_interpreter_call,
	// mcp_list_tools, mcp_call, mcp_approval_request, tool_search_call, tool_search_output and
	// compaction.
	Items []string `yaml:"items"`

	// Keeps says that the provider keeps responses for clients that then send only what is new.
	Keeps bool `yaml:"keeps"`
}

// itemTypes returns the types of items that a provider need not have.
func itemTypes() []string {
	return append(slices.Sorted(maps.Keys(prefixes)), customItem, compactionItem, programItem)
}

// Encryption says when reasoning carries its encrypted form.
type Encryption string

// When there is an encrypted form: "" is never, WhenIncluded for a request that includes it.
const (
	Always       Encryption = "always"
	WhenIncluded Encryption = "when-included"
)

// Encryptions returns all of them.
func Encryptions() []Encryption { return []Encryption{Always, WhenIncluded} }

// The places that the templates may have.
var (
	AnswerPlaces = []string{
		"id", "created", "completed", "model", "status", "error", "incomplete", "output", "usage", "tier",
		"background", "conversation", "instructions", "limit", "max-tool-calls", "metadata", "parallel", "previous", "cache-key", "prompt", "reasoning", "safety", "store",
		"temperature", "text", "tool-choice", "tools", "top-logprobs", "top-p", "truncation", "user",
	}
	MessagePlaces   = []string{"id", "status", "content", "phase"}
	TextPlaces      = []string{"text"}
	CallPlaces      = []string{"id", "call", "name", "arguments", "status"}
	ReasoningPlaces = []string{"id", "summary", "content", "encrypted", "status"}
	UsagePlaces     = []string{"prompt", "completion", "reasoning", "total", "cached", "written"}
)

// standardFinish holds OpenAI's words for the reasons to stop early.
var standardFinish = map[wire.Finish]string{
	wire.FinishLength:        "max_output_tokens",
	wire.FinishContentFilter: "content_filter",
}

// incomplete returns the provider's word for why an answer stopped early, and "" for one that is
// whole.
func (s *Shape) incomplete(f wire.Finish) string {
	if _, own := s.Finish[f]; !own && (f == wire.FinishStop || f == wire.FinishCalls) {
		return ""
	}
	return wire.FinishWord(f, s.Finish, standardFinish)
}

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) {
	why := s.incomplete(f)
	if why == "" {
		return fmt.Sprintf("status: %q", completed), ""
	}
	said, word = API.Terms.StopWith(why)
	return fmt.Sprintf("status: %q and %s", incomplete, said), word
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape {
	c := *s
	c.Finish = maps.Clone(s.Finish)
	c.Items = slices.Clone(s.Items)
	c.Streams = slices.Clone(s.Streams)
	return &c
}

// ItemKeys returns the keys that the provider's own items of a type have, for those that are
// written by a template.
func (s *Shape) ItemKeys(kind string) []string {
	t := map[string]wire.Template{messageItem: s.Message, callItem: s.Call, reasoningItem: s.Reasoning}[kind]
	if t.Empty() {
		return nil
	}
	filled := wire.Values{}
	for _, place := range t.Places() {
		filled[place] = nil
	}
	return wire.Parsed(t.JSON(filled)).Keys()
}

// Traits returns what answers of the provider can show.
func (s *Shape) Traits() wire.Traits {
	reasons := !s.Reasoning.Empty()
	own := map[string]string{}
	for _, kind := range s.Items {
		if prefix := prefixes[kind]; prefix != "" {
			own[kind] = prefix
		}
	}
	return wire.Traits{
		Compacts:        slices.Contains(s.Items, compactionItem),
		RunsPrograms:    slices.Contains(s.Items, programItem),
		CustomTools:     slices.Contains(s.Items, customItem),
		Phases:          s.Message.Has("phase"),
		ProviderItems:   own,
		Reasoning:       reasons,
		ReasoningBlocks: reasons,
		ReasoningSealed: reasons && s.Encrypted != "",
		UnsignedBlocks:  s.Encrypted == "",
		ReadableBlocks:  s.Encrypted == "",
		Refusals:        !s.Refusal.Empty(),
		KeepsThreads:    s.Keeps,
	}
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/message", s.Message, true, MessagePlaces)
	c.Template("/text", s.Text, true, TextPlaces)
	c.Template("/refusal", s.Refusal, false, TextPlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/reasoning", s.Reasoning, false, ReasoningPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	for i, kind := range s.Items {
		c.Word("/items/"+strconv.Itoa(i), "type of an item", kind, itemTypes())
	}
	for i, name := range s.Streams {
		c.Word("/streams/"+strconv.Itoa(i), "quirk of streams", name, streamQuirks())
	}
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
	if s.Encrypted != "" {
		c.Word("/encrypted", "time of the encrypted reasoning", string(s.Encrypted), wire.Words(Encryptions()))
		c.Expect(s.Reasoning.Has("encrypted"), "/reasoning", "the reasoning has the place $encrypted where encrypted says when it is filled")
	}
}

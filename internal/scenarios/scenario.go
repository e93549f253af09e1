package scenarios

import (
	"time"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Scenario is a scripted conversation: what the model says at each step, how each tool behaves, and
// the expected outcome. A scenario without a prompt is a set of answers for an application: the
// first step that matches answers a request, any number of times. The yaml tags are the keys of its
// file, which has as many at its top as this struct has fields: an author writes few of them, and
// no groups.
type Scenario struct {
	Format int    `yaml:"loopproof"` // version of the file format: 1
	ID     string `yaml:"-"`
	Why    string `yaml:"-"` // the comment at the top of the file
	Title  string `yaml:"title"`

	// Rules are those for which the scenario gives evidence. The invariants are judged besides.
	Rules []string `yaml:"rules"`

	// Needs are the features that a loop has to claim before the scenario is played to it.
	Needs []protocol.Feature `yaml:"needs"`

	// Profiles and Deliveries are patterns that narrow where the scenario is played; none means
	// everywhere. The word standard stands for the profiles of the dialects' own providers.
	Profiles   []string `yaml:"profiles"`
	Deliveries []string `yaml:"deliveries"`

	// Big scenarios take long or transfer much, and are left out of quick runs.
	Big bool `yaml:"big"`

	// Alone scenarios are played while no other case is: an answer of theirs may keep all of a loop
	// busy for so long that its other cases would run out of time.
	Alone bool `yaml:"alone"`

	// When says to which requests a server answers by this scenario; without it to those that begin
	// with its first prompt.
	When *When `yaml:"when"`

	// Behaviour is how the provider behaves that plays the scenario, which only a server does.
	Behaviour *Behaviour `yaml:"behaviour"`

	System   string   `yaml:"system"`
	Prompt   string   `yaml:"prompt"`
	Prompts  []string `yaml:"prompts"` // instead of prompt: several user turns of one conversation
	Tools    []Tool   `yaml:"tools"`
	Model    []Step   `yaml:"model"`
	Expect   Expect   `yaml:"expect"`
	MaxTurns int      `yaml:"max-turns"` // the turn limit that the loop is given; 0 means plenty

	// ContextLimit is how many tokens a request may have; 0 means that there is no limit. A longer
	// one is refused, in the words of the profile. Summary is what the model answers when the loop
	// asks for a summary of its history.
	ContextLimit int    `yaml:"context-limit"`
	Summary      string `yaml:"summary"`

	// CompactThreshold is at how many input tokens the loop asks the provider to make the history
	// shorter; 0 means that it does not ask.
	CompactThreshold int `yaml:"compact-threshold"`

	// TokenBudget is how many tokens the answer to a prompt may cost, which the loop is given; 0
	// means any number.
	TokenBudget int `yaml:"token-budget"`

	// AnswerSchema is the JSON Schema of the answer, an object, which the loop is given; none: the
	// answer is a text of any form. A last text of the model that does not fit it is followed by
	// another one, for a loop that asks again.
	AnswerSchema wire.Fields `yaml:"answer-schema"`

	// Models are the models that the user chooses for the prompts, one for each; none: the first one
	// for all.
	Models []Which `yaml:"models"`

	// Embeddings are vectors of texts, in a scenario without a prompt.
	Embeddings []Embedding `yaml:"embeddings"`

	// Endpoints are answers to what is asked besides turns, in a scenario without a prompt.
	Endpoints []endpoints.Endpoint `yaml:"endpoints"`

	// MCPServers are the MCP servers of the application, in a scenario without a prompt.
	MCPServers []MCPServer `yaml:"mcp-servers"`

	// Timeout is the time limit of the task; 0 means that of the suite.
	Timeout time.Duration `yaml:"timeout"`

	// Transcript is the format of transcript that the loop is asked for, where it can hand over
	// several.
	Transcript string `yaml:"transcript"`

	// Agents are the sub-agents that the model may call as tools. Threads are what the model says in
	// the conversations with them, by the names of the calls that begin these.
	Agents  []Agent  `yaml:"agents"`
	Threads []Thread `yaml:"threads"`

	facts   *Facts
	doc     *strictyaml.Document
	agents  []Tool      // the tools that are sub-agents
	threads []*Scenario // the conversations with them
}

// Tool is a tool that the model may call and that Loopproof hosts.
type Tool struct {
	Name        string     `yaml:"~key"`
	Description string     `yaml:"description"`
	Parameters  []Property `yaml:"parameters"`

	// JSONSchema is the schema of the parameters, where it says more than their types: what is in
	// an object, which words there are, what they are for. It is in place of Parameters.
	JSONSchema wire.Fields `yaml:"schema"`

	Results []Result `yaml:"results"`

	// NeedsApproval says that the loop has to ask the user before each run of the tool.
	NeedsApproval bool `yaml:"needs-approval"`

	// Programmatic says that code of the provider may call the tool.
	Programmatic bool `yaml:"programmatic"`

	// Listed says when the server of MCP lists the tool.
	Listed `yaml:",inline"`

	// FreeText says that the input of the tool is a text of any form, and not JSON. A result that
	// is given for one text alone says so by `when: {input: TEXT}`.
	FreeText bool `yaml:"free-text"`

	// Agent is the sub-agent that the tool is, or nil.
	Agent *Agent `yaml:"-"`
}

// Property is one parameter of a tool. Its type is a JSON Schema type; a question mark after it
// makes it optional.
type Property struct {
	Name string `yaml:"~key"`
	Type string `yaml:"~value"`
}

// Result is how a tool answers. The first whose When fits the arguments is taken.
type Result struct {
	// When are arguments that a call must have, with these values; without any, the result is for
	// every call.
	When wire.Fields `yaml:"when"`

	// After is how long the tool takes.
	After time.Duration `yaml:"after"`

	// Text is the result; Repeat writes it that many times in a row.
	Text   string `yaml:"text"`
	Repeat int    `yaml:"repeat"`

	// Then holds the texts when it applies again, one after the other; the last one stays.
	Then []string `yaml:"then"`

	// File is the name of a file alongside the scenario that holds the result.
	File string `yaml:"file"`

	// Image makes the result an image that is drawn again for each run: png, jpeg or gif.
	Image string `yaml:"image"`

	// Fail is the message of a tool that fails; "" is a failure without a message.
	Fail *string `yaml:"fail"`

	// More are further blocks behind the text, or behind the message of a failure.
	More []ResultBlock `yaml:"more"`

	// Structured is the structured content of the result, beside its blocks or instead of them.
	Structured wire.Fields `yaml:"structured"`

	MCPResult `yaml:",inline"`
}

// ResultBlock is a block of a result of several: a text, an image of a kind, the text of an embedded
// resource, a link to a resource with a text, or a file of a kind that is drawn again for each run: a
// PDF is an embedded resource, and a sound in WAV a block of audio.
type ResultBlock struct {
	Text     string `yaml:"text"`
	Image    string `yaml:"image"`
	Resource string `yaml:"resource"`
	Link     string `yaml:"link"`
	Media    string `yaml:"media"`
}

// Step is one thing that the model does when it is asked: it answers, or it fails in some way. Its
// fields are the keys of a step in the file, of which most steps have one or two.
type Step struct {
	// When says which requests the step answers, in a scenario without a prompt.
	When *When `yaml:"when"`

	// Title names the step for people: the page of a server lists the steps that have one, and what
	// clients did after them. It is for scenarios without a prompt.
	Title string `yaml:"title"`

	// ID is that of the answer, where it is not to be drawn, in a scenario without a prompt.
	ID string `yaml:"id"`

	// An answer.
	Reasoning        *string `yaml:"reasoning"`
	ReasoningDetails []Block `yaml:"reasoning-details"`
	Text             *string `yaml:"text,json"` // an object is written as JSON
	Refusal          string  `yaml:"refusal"`   // the refusal of the model, instead of a text
	Calls            []Call  `yaml:"calls"`

	// AnswerCalls are answers that the model gives by calls of a tool, behind those of the step, where
	// the loop offers one for it. The step behind it may be IfAskedAgain: it is left out where the loop
	// has ended at them, and the next prompt follows.
	AnswerCalls  []string `yaml:"answer-calls,json"`
	IfAskedAgain bool     `yaml:"if-asked-again"`

	// FromSchema lets the answer be what the request asks for: a text that fits its schema, or
	// calls whose arguments fit those of tools, in a scenario without a prompt.
	FromSchema FromSchema `yaml:"from-schema"`

	Finish     string     `yaml:"finish"`
	Phase      wire.Phase `yaml:"phase"`       // of the text: commentary or final_answer
	Commentary string     `yaml:"commentary"`  // a text on the way in a message of its own before the text, in the dialect responses alone
	Blocks     []string   `yaml:"blocks,json"` // JSON of further blocks, in the dialect messages alone
	Mixed      bool       `yaml:"mixed"`       // reasoning and calls take turns, in the dialect messages alone
	Container  bool       `yaml:"container"`   // tools of the provider run in a container, which the next request has to name, in the dialect messages alone
	Stream     Stream     `yaml:"stream"`

	// Compaction is a summary of all that was said before, which the provider gives with the answer
	// where the request asks for it; "" is none.
	Compaction string `yaml:"compaction"`

	// Program is code of the provider that calls the tools: the calls of the step are its calls, and
	// those of the steps behind it, up to the one with a ProgramOutput, which it said at its end.
	Program       string  `yaml:"program"`
	ProgramOutput *string `yaml:"program-output"`

	// ProviderItems are what tools on the provider's side did before the model spoke, in dialects
	// whose answers are lists of items.
	ProviderItems []ProviderItem `yaml:"provider-items"`

	// Usage are the tokens that the provider counts for the answer; nil: some number that grows
	// with the conversation.
	Usage *Usage `yaml:"usage"`

	// ModelName is the model that the answer names, where it is not the one that was asked; Created
	// is when the answer was made, in seconds since 1970; SystemFingerprint names the configuration
	// of the provider, where its answers do. They are for scenarios without a prompt.
	ModelName         string `yaml:"model-name"`
	Created           int64  `yaml:"created"`
	SystemFingerprint string `yaml:"system-fingerprint"`

	// Logprobs are the tokens of the text, which a request may ask for, and Annotations its sources, in
	// a scenario without a prompt.
	Logprobs    []TokenChoice `yaml:"logprobs"`
	Annotations []Annotation  `yaml:"annotations"`

	// Truncate ends the text where the request demands it: at a text in stop, or at so many tokens,
	// by length. Without it an answer that continues is an error of the script.
	Truncate bool `yaml:"truncate"`

	// Fixture is the name of a file alongside the scenario that holds the answer, or the error, as
	// a provider sent it. The step is answered by these bytes, in the dialect in which they are,
	// and says nothing else.
	Fixture string `yaml:"fixture"`

	// Quirks are ways in which the answer departs from the regular shape of the profile. The
	// scenario is played only under profiles that show them all.
	Quirks []string `yaml:"quirks"`

	// An answer that breaks off.
	Cut         *Break     `yaml:"cut"`           // the connection ends as if all had been sent
	Reset       *Break     `yaml:"reset"`         // the connection is reset
	InBandError *BandError `yaml:"in-band-error"` // an error follows the status 200

	// Damaged lets all be sent in place of a cut, with the event behind it damaged on its way, which
	// the checksum of its prelude or of its message tells.
	Damaged wire.DamagedPart `yaml:"damaged"`

	// No answer but an error of the provider.
	Status     int             `yaml:"status"`
	RetryAfter *time.Duration  `yaml:"retry-after"`
	Error      *profiles.Words `yaml:"error"`

	Transport `yaml:",inline"`

	// TooLong lets the provider refuse the request as longer than the model takes, in its own
	// words, however long it is.
	TooLong bool `yaml:"too-long"`

	// Cancel lets the user cancel while the step is being played.
	Cancel *Cancel `yaml:"cancel"`

	// Crash lets the process of the loop be killed while the step is being played.
	Crash *Crash `yaml:"crash"`
	// Steers lets the user say the next prompt while the calls of the step run. The step after it
	// is IfQueued: it answers the prompt before alone, and is left out where the loop sends both.
	Steers   bool `yaml:"steers"`
	IfQueued bool `yaml:"if-queued"`

	// IfOffered leaves the step out where the request does not offer a tool, by its name in the
	// scenario.
	IfOffered string `yaml:"if-offered"`

	// ModelDown lets each request that asks the first model fail so, from the step on. The steps
	// behind it are said by the second model.
	ModelDown bool `yaml:"model-down"`

	// Behaviour is how the provider behaves at the step, which only a server does.
	Behaviour *Behaviour `yaml:"behaviour"`

	// Hold holds the answer back, in a scenario without a prompt.
	Hold *Hold `yaml:"hold"`

	// LosesThread lets the provider lose the conversation after this answer, where it kept it for a
	// loop that leaves its history to the provider. For other loops nothing changes.
	LosesThread bool `yaml:"loses-thread"`

	// Times repeats the step. Without it, a step is played once, and one of a scenario without a
	// prompt any number of times.
	Times int `yaml:"times"`

	// Chance is the share of the requests that the step answers, of those that it fits and that no
	// step before it answers, in a scenario without a prompt; nil: all. The shares of several steps
	// are added.
	Chance *Share `yaml:"chance"`

	// State is what the answer sets for the requests of a run after it, which [When.State] may ask
	// for, in a scenario without a prompt.
	State []State `yaml:"state"`

	// Requests is how many requests of a run the step answers, whichever they are, in a scenario
	// without a prompt; without it, any number. It depends on the order of the requests, as the
	// sequences of other mock servers do.
	Requests int `yaml:"requests"`

	recorded *recorded
}

// Usage are the tokens of an answer and of its request, as the provider counts them. Where a
// scenario has no prompt, the tokens that are not said are counted.
type Usage struct {
	Input        int `yaml:"input"`         // all of the request
	Output       int `yaml:"output"`        // all of the answer
	Cached       int `yaml:"cached"`        // of the input, read from a cache
	CacheWritten int `yaml:"cache-written"` // of the input, written into a cache
	Reasoning    int `yaml:"reasoning"`     // of the output
}

// State is a name and the text that it stands for from then on.
type State struct {
	Name string `yaml:"~key"`
	Text string `yaml:"~value"`
}

// Call is a tool call that the model makes.
type Call struct {
	// As is the name by which the scenario speaks of the call, such as in SameIDAs. It may be left
	// out where it does not. Each call has a fresh id in the profile's style.
	As   string `yaml:"as"`
	Tool string `yaml:"tool"`

	// ID is that of the call, where it is not to be drawn, in a scenario without a prompt.
	ID string `yaml:"id"`

	// Arguments is the exact string that the model writes, or an object that is written as JSON.
	Arguments string `yaml:"arguments,json"`

	// Repeat makes the arguments long.
	Repeat *Repeat `yaml:"repeat"`

	// SameIDAs gives the call the id of an earlier one, as providers do that count from zero in
	// every turn.
	SameIDAs string `yaml:"same-id-as"`

	// NotOffered says that the model calls a tool which does not exist.
	NotOffered bool `yaml:"not-offered"`

	// Denied is why the user denies a call that needs an approval, "" for no reason. Without it the
	// user approves the call, with the arguments of ApprovedWith if there are any.
	Denied       *string `yaml:"denied"`
	ApprovedWith string  `yaml:"approved-with,json"`
}

// Repeat writes a text that is in arguments so many times in a row.
type Repeat struct {
	Text  string `yaml:"text"`
	Times int    `yaml:"times"`
}

// Block is a block of structured reasoning. Signatures and encrypted data are drawn at run time.
type Block struct {
	Type   wire.BlockType `yaml:"type"`
	Text   string         `yaml:"text"`
	Signed bool           `yaml:"signed"`
	Index  int            `yaml:"index"`
	Format string         `yaml:"format"`
	ID     string         `yaml:"id"`
}

// Stream says how the stream of an answer is cut beyond what the profile says.
type Stream struct {
	// Interleaved mixes the argument fragments of the calls.
	Interleaved bool `yaml:"interleaved"`
}

// Break is the place at which an answer breaks off. One of its fields is set.
type Break struct {
	After  Amount `yaml:"after"`  // what still arrives: "3 events"
	Before string `yaml:"before"` // "finish": all events before the one with the finish reason; "done": all before the end mark; "headers": nothing
}

// Amount is a number of things: "3 events".
type Amount struct {
	N    int
	Unit string // "events"
	Each bool   // "each event": one number after the other, each in a run of its own
}

// BandError is an error that comes after the status 200.
type BandError struct {
	Break `yaml:",inline"`
	Error *profiles.Words `yaml:"error"`
}

// Expect says what must come out where that does not follow from the last step.
type Expect struct {
	Text   *string `yaml:"text"`
	Status Status  `yaml:"status"`
}

// Status is the status that an outcome must have.
type Status string

// The statuses that a scenario may expect. NotCompleted is for what a loop may report either way.
const (
	StatusCompleted    Status = "completed"
	StatusFailed       Status = "failed"
	StatusStopped      Status = "stopped"
	StatusNotCompleted Status = "not-completed"
)

// Allows reports whether an outcome may have a status.
func (s Status) Allows(got protocol.Status) bool {
	return string(s) == string(got) || s == StatusNotCompleted && got != protocol.Completed
}

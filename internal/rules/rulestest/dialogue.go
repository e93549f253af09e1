package rulestest

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript/transcriptschema"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// A dialogue has a line for each thing that the loop does:
//
//	asks                     a request with the messages below it; without any, system prompt and first prompt
//	asks on                  the same with the messages of the request before in front
//	  after 2s               the time since what came before
//	  held 4s                how long the answer takes
//	  over HTTP              in a task over a WebSocket; so are those behind it
//	  without KEY            a key of the body is left out
//	  with {JSON}            keys of the body, last on its line
//	  keeps N                the provider kept the first N messages of it, system prompt included, and the loop sent the rest
//	  header NAME: VALUE     one of its headers; "header -" is none of them. Without this line nobody knows the headers
//	  header url: PATH       where it was sent, with the query
//	  header key: NAME       the header with its key; "-" is none of them. Without this line it was given no key
//	repeats                  the request before once more, which gets the same answer
//	continues ID: CODE       a request that is refused since the provider does not go on with a thread; "lost" where it did before
//	sends BODY               a request in full
//	gets                     a GET, as redirected clients send it
//	runs oslo                the tool of the call oslo, with its arguments, under its id
//	  with ARGUMENTS         with other arguments
//	  for 50ms                 so long
//	  for 50ms given up        so long, and the loop did not wait for the result
//	  as ID                  under another id; as - is under none
//	runs TOOL ARGUMENTS      a tool, without an id
//	asked oslo               the user is asked about the call oslo, under its id, and decides as the scenario says
//	  with ARGUMENTS         the question shows other arguments
//	  in vain                the user decides nothing
//	asked TOOL ARGUMENTS     a question about a call that the model did not make
//	steers                   the user says the next prompt, as the turn says that was answered last
//	cancels                  the user, as the turn says that was answered last; the loop lets go of a stream
//	cancels in vain          the same, but the stream stays open
//	killed                   the process, in the turn that was answered last, and started again
//	killed, again from N     the same, and the loop asks anew for what follows its N-th request
//	waits 5s                 the time passes
//	completed: TEXT          the outcome; without a text, that of the model's last answer. "TEXT" may have escapes
//	completed (WORD): TEXT   the same with a finish reason
//	failed: ERROR
//	stopped: REASON
//	used 40 20               the tokens of the outcome
//	crashed, hung
//	keeps FORMAT             the transcript of the outcome: the messages below it
//	tells FORMAT             the events of the outcome: the lines of JSON below it
//	thread oslo              what follows is said with the sub-agent that this call asks; thread alone: with its caller
//	second                   what follows is asked of the second model, in its own wire API; first: of the first one again
//	outwaited                the connection of the answer before was left open, and we had to close it
//	counts N in, M out       the tokens of the outcome
//
// and one for each message of a request:
//
//	system: TEXT             also developer, user, assistant
//	prompt N                 the user's N-th prompt
//	calls oslo, lima: TEXT   the assistant message that returns these calls, in the way the provider wants it
//	result oslo: TEXT        the tool message for a call; without a text, what the tool says
//	results oslo, lima       in the dialects messages and gemini: the user message with these results
//	{JSON}                   any message
//
// The model answers each request with the next turn of the scenario. {{oslo}} is the id of a call,
// {{oslo call}} the whole call in JSON, {{signed oslo}} its signature as findings quote it,
// {{message 1}} the message of the model's first turn as the provider sent it, {{details 1}} its
// reasoning_details, {{container 1}} the container that it names, {{picture oslo}} the image that a
// call brings in base64, {{half oslo}} the first half of it, {{numbers oslo}} its bytes one by one
// and {{bytes oslo}} how many there are, {{file oslo}} and {{halffile oslo}} the same of a document,
// and {{signature 1}} and {{data 1}} what the first signed or encrypted block of them holds. Where
// two wire APIs are spoken, {{other signature 1}} is that of the other one.

// Play holds a dialogue and returns the finished run.
func (s Setting) Play(t *testing.T, dialogue string) *rules.Run {
	t.Helper()
	script := scenarios.Compile(s.parse(t), Profile(t, s.profile), "a secret")
	words := &placeholders{t: t, script: script}
	st := &stage{t: t, words: words, run: &rules.Run{Run: trace.Run{
		Case:    trace.Case{Scenario: "test", Dialect: script.Profile.Dialect, Profile: s.profile, Delivery: s.delivery},
		Script:  script,
		Task:    taskOf(script, s.delivery),
		Designs: s.designs,
	}}}
	if s.second != "" {
		st.run.Second = Profile(t, s.second)
		words.other = &placeholders{t: t, script: scenarios.Compile(s.parse(t), st.run.Second, "a second secret"), other: words}
	}
	for line := range strings.Lines(dialogue) {
		switch st.line = strings.TrimSpace(line); {
		case st.line == "first" || st.line == "second":
			st.goTo(st.line == "second")
		case strings.HasPrefix(st.line, "thread"):
			st = st.thread(strings.TrimSpace(strings.TrimPrefix(st.line, "thread")))
		case st.line != "":
			st.do()
		}
	}
	st = st.thread("")
	st.send()
	st.handOver()
	if s.plain != "" {
		beside := s
		beside.plain, beside.delivery = "", wire.DeliverSSE
		if s.delivery == wire.DeliverSSE {
			beside.delivery = wire.DeliverJSON
		}
		st.run.Baseline = beside.Play(t, s.plain)
	}
	return st.run.Examine(transcriptschema.Check)
}

var parsed sync.Map // of scenarios by their text: many cases share one

func (s Setting) parse(t *testing.T) *scenarios.Scenario {
	t.Helper()
	if known, ok := parsed.Load(s.Scenario); ok {
		return known.(*scenarios.Scenario)
	}
	text := "loopproof: 1\ntitle: a test\n" + strings.ReplaceAll(s.Scenario, "\t", "")
	vocabulary := rulebook.Vocabulary(profiles.Known{})
	vocabulary.Known = nil // a test is about one dialect, and needs no reason for the others
	scenario, err := scenarios.Parse("test.yaml", []byte(text), vocabulary)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	parsed.Store(s.Scenario, scenario)
	return scenario
}

// Profile returns the built-in profile of a name.
func Profile(t *testing.T, name string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func taskOf(script *scenarios.Script, d wire.Delivery) protocol.Task {
	s := script.Scenario
	task := protocol.Task{Model: scenarios.FirstModel, PromptModels: s.PromptModels(), Stream: d.Streams(), Socket: d == wire.DeliverSocket, System: s.System, Prompts: s.Prompts, MaxTurns: s.MaxTurns, ContextLimit: s.ContextLimit, CompactThreshold: s.CompactThreshold, TokenBudget: s.TokenBudget, AnswerSchema: s.AnswerForm(), ResumeAfterFailure: s.Facts().Resumes, TimeoutMS: int(cmp.Or(s.Timeout, 10*time.Second).Milliseconds())}
	if s.Facts().FallsBack {
		task.FallbackModel = scenarios.SecondModel
	}
	if task.MaxTurns == 0 {
		task.MaxTurns = len(script.Turns) + 8
	}
	for _, tool := range s.AllTools() {
		if tool.ListedAfter != "" {
			continue
		}
		offered := protocol.Tool{Name: tool.Name, Description: tool.Description, FreeText: tool.FreeText, Programmatic: tool.Programmatic}
		if !tool.FreeText {
			offered.Parameters = tool.Schema()
		}
		if tool.Agent != nil {
			offered.Agent = &protocol.Agent{System: tool.Agent.System}
		}
		task.Tools = append(task.Tools, offered)
	}
	return task
}

// stage is a dialogue being held.
type stage struct {
	t      *testing.T
	words  *placeholders
	run    *rules.Run
	line   string
	clock  time.Duration
	next   int  // turn of the script
	paused bool // the provider has begun it with what stands for the history alone

	handing  string // the record that is being put together: keeps or tells
	format   string
	asking   bool          // a request is being put together
	held     time.Duration // its answer takes
	overHTTP bool          // requests come so, though the task is one over a WebSocket
	fields   wire.Fields
	messages []string
	headers  map[string]string
	key      *string
	url      string // where a request was sent; "" is unknown
	kept     int    // messages that the provider kept

	caller *stage // of a sub-agent
	second bool   // the second model is asked, in its own wire API
}

// goTo lets what follows be asked of the second model, or of the first one.
func (s *stage) goTo(second bool) {
	s.send()
	if s.second != second {
		s.second, s.words = second, s.words.other
	}
}

// tick is how long everything takes.
const tick = 10 * time.Millisecond

func (s *stage) do() {
	word, rest, _ := strings.Cut(s.line, " ")
	word, _, _ = strings.Cut(word, ":")
	switch word {
	case "asks", "sends", "gets", "repeats", "continues", "runs", "asked", "steers", "cancels", "killed", "killed,", "waits", "used", "completed", "failed", "stopped", "crashed", "hung":
		s.send()
		s.clock += tick
	case "keeps", "tells":
		if s.asking {
			s.kept = 1 // at least, so that what is not a number shows
			_, err := fmt.Sscan(rest, &s.kept)
			s.must(err)
			return
		}
		s.send()
		s.handOver()
		s.handing, s.format, s.messages = word, rest, nil
		return
	}
	switch word {
	case "asks":
		s.asks(rest)
	case "gets":
		s.run.Exchanges = append(s.run.Exchanges, &trace.Exchange{Number: len(s.run.Exchanges) + 1, Method: "GET", Problem: "the method of the request is GET", Start: s.clock, End: s.clock})
	case "repeats":
		last := s.run.Exchanges[len(s.run.Exchanges)-1]
		again := *last
		again.Number, again.Repeats, again.Start, again.End = last.Number+1, last.Number, s.clock, s.clock+tick/2
		s.run.Exchanges = append(s.run.Exchanges, &again)
	case "continues":
		s.continues(rest)
	case "header":
		s.header(rest)
	case "sends":
		s.exchange(s.words.fill(rest))
	case "runs":
		s.runs(rest)
	case "used":
		s.run.Outcome.Usage = &protocol.Usage{}
		_, err := fmt.Sscan(rest, &s.run.Outcome.Usage.InputTokens, &s.run.Outcome.Usage.OutputTokens)
		s.must(err)
	case "steers":
		s.send()
		s.run.Steering = &trace.Steering{Request: len(s.run.Exchanges), Prompt: s.run.Script.Scenario.SteeredPrompt(), At: s.clock}
	case "asked":
		s.asked(rest)
	case "cancels":
		s.cancels(rest)
	case "killed", "killed,":
		s.killed(rest)
	case "waits":
		wait, err := time.ParseDuration(rest)
		s.must(err)
		s.clock += wait
	case "completed", "failed", "stopped":
		s.ends(protocol.Status(word), strings.TrimPrefix(s.line, word))
	case "outwaited":
		s.send()
		s.run.Exchanges[len(s.run.Exchanges)-1].HeldOpenUntilTimeout = true
	case "counts":
		s.run.Outcome.Usage = &protocol.Usage{}
		_, err := fmt.Sscanf(s.line, "counts %d in, %d out", &s.run.Outcome.Usage.InputTokens, &s.run.Outcome.Usage.OutputTokens)
		s.must(err)
	case "crashed", "hung":
		s.run.Ending = trace.Ending{How: trace.How(word), Note: "exit code 1", At: s.clock}
		if word == "hung" {
			s.run.Ending.At = max(s.clock, s.run.TimeLimit())
		}
	default:
		s.messages = append(s.messages, s.message(word, rest))
	}
}

// handOver puts a record into the outcome.
func (s *stage) handOver() {
	record := []byte("[" + strings.Join(s.messages, ",") + "]")
	switch o := s.run.Outcome; s.handing {
	case "keeps":
		o.TranscriptFormat, o.Transcript = s.format, record
	case "tells":
		o.EventsFormat, o.Events = s.format, record
	}
	s.handing = ""
}

func (s *stage) must(err error) {
	if err != nil {
		s.t.Helper()
		s.t.Fatalf("%s: %v", s.line, err)
	}
}

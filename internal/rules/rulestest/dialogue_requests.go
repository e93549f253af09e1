package rulestest

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

func (s *stage) asks(options string) {
	before := s.messages
	s.asking, s.messages, s.fields = true, nil, s.body()
	for options != "" {
		var option, rest string
		option, options, _ = strings.Cut(options, " ")
		switch option {
		case "on":
			s.messages = before
			continue
		case "with":
			s.add(options)
			return
		}
		rest, options, _ = strings.Cut(options, " ")
		switch option {
		case "after":
			wait, err := time.ParseDuration(rest)
			s.must(err)
			s.clock += wait - tick
		case "held":
			held, err := time.ParseDuration(rest)
			s.must(err)
			s.held = held
		case "over":
			s.overHTTP = rest == "HTTP"
		case "without":
			s.fields = s.fields.Without(rest)
		default:
			s.t.Fatalf("%s: asks has no option %q", s.line, option)
		}
	}
}

func (s *stage) dialect() *wire.Dialect { return s.words.script.Profile.Speaks }

// model returns the model that is asked, where the line says no other.
func (s *stage) model() string {
	if s.second {
		return scenarios.SecondModel
	}
	return s.run.Task.Model
}

// body returns the keys of an ordinary request.
func (s *stage) body() wire.Fields {
	if s.words.inBlocks() {
		return s.messagesBody()
	}
	if s.words.inItems() {
		return s.itemsBody()
	}
	if s.words.inContents() {
		return s.contentsBody()
	}
	f := wire.Fields{{Key: "model", Value: s.model()}, {Key: s.dialect().Request.Messages, Value: nil}}
	if s.run.Task.Stream {
		f = f.With("stream", true)
	}
	var tools []wire.Fields
	for _, t := range s.run.Task.Tools {
		function := wire.Fields{{Key: "name", Value: t.Name}, {Key: "description", Value: t.Description}, {Key: "parameters", Value: wire.Raw(t.Parameters)}}
		tools = append(tools, wire.Fields{{Key: "type", Value: "function"}, {Key: "function", Value: function}})
	}
	if len(tools) > 0 {
		f = f.With("tools", tools)
	}
	return f
}

func (s *stage) add(object string) {
	node, err := wire.ParseNode([]byte(s.words.fill(object)))
	s.must(err)
	for _, m := range node.Members {
		s.fields = s.fields.Without(m.Key).With(m.Key, wire.Raw(m.Value.Raw))
	}
}

// send sends the request that is being put together.
func (s *stage) send() {
	if !s.asking {
		return
	}
	s.asking = false
	if len(s.messages) == 0 {
		if s.run.Task.System != "" && !s.words.inBlocks() && !s.words.inItems() && !s.words.inContents() {
			s.messages = append(s.messages, says("system", s.run.Task.System))
		}
		s.messages = append(s.messages, s.words.says("user", s.run.Task.Prompts[0]))
	}
	body := wire.Fields{}
	for _, f := range s.fields {
		if f.Key == s.dialect().Request.Messages && f.Value == nil {
			f.Value = wire.Raw("[" + strings.Join(s.messages, ",") + "]")
		}
		body = append(body, f)
	}
	s.exchange(string(body.JSON()))
}

func (s *stage) exchange(body string) {
	x := &trace.Exchange{Number: s.number(), Socket: s.run.Task.Socket && !s.overHTTP, Start: s.clock, End: s.clock + max(s.held, tick/2)}
	s.clock, s.held = max(s.clock, x.End-tick/2), 0
	s.run.Exchanges = append(s.run.Exchanges, x)
	var err error
	if x.Request, err = s.dialect().Read([]byte(body)); err != nil {
		x.Problem = err.Error()
		return
	}
	if x.Request.Dialect.Request.ModelInURL {
		x.Request.Model, x.Request.Stream = s.model(), s.run.Task.Stream
	}
	x.Request.Headers, x.Request.Key = s.headers, s.key
	if s.url != "" {
		at, err := url.Parse(s.url)
		s.must(err)
		x.Request.NoteURL(at)
	}
	x.Request.Altered = scenarios.Altered("a secret") // that of the script
	x.Request.OfAnotherModel = s.ofAnotherModel(x.Request.Model)
	if thread := x.Request.Body.Get("thread"); thread != nil {
		x.Thread = &trace.Thread{Previous: thread.Get("previous_message_id").Text(), KeptMessages: s.kept}
	}
	if previous := x.Request.Body.Get("previous_response_id").Text(); previous != "" {
		x.Thread = &trace.Thread{Previous: previous, KeptMessages: s.kept}
	}
	if x.Request.Body.Get("conversation") != nil {
		x.Thread = &trace.Thread{KeptMessages: s.kept}
	}
	s.headers, s.key, s.url, s.kept = nil, nil, "", 0
	if x.Turn, x.Summary = s.run.Script.Aside(x.Request, ""); x.Turn != nil {
		return
	}
	if c := s.run.Crash; c != nil && c.Resumed == 0 {
		c.Resumed = x.Number
	}
	if s.next == len(s.run.Script.Turns) {
		x.Overrun = true
		return
	}
	answerBy, said := cmp.Or(claims.AnswerTool(protocol.Hello{Designs: s.run.Designs}), s.run.Script.Scenario.AnswerToolIn(x.Request)), s.words.script
	x.Turn = said.Turns[s.next].AnsweredBy(answerBy, said).CountedIn(x.Request, said).RunBy(x.Request)
	if x.Turn.Answer != nil && x.Turn.Answer.Compaction != nil {
		paused, rest := x.Turn.AtCompaction()
		if !s.paused && x.Request.Dialect.PausesAtCompaction(x.Request) {
			x.Turn, s.paused = paused, true
			return
		}
		if s.paused {
			x.Turn = rest
		}
	}
	s.next++
}

// ofAnotherModel returns what tells encrypted reasoning that other models than one have given.
func (s *stage) ofAnotherModel(model string) func(string) bool {
	said := slices.Clone(s.run.Exchanges)
	return func(data string) bool {
		return slices.ContainsFunc(said, func(x *trace.Exchange) bool {
			return x.Turn != nil && x.Turn.Answer != nil && x.Request.Model != model &&
				slices.ContainsFunc(x.Turn.Answer.Details, func(b wire.ReasoningBlock) bool { return b.Data == data })
		})
	}
}

// continues is a request that the provider refuses, and so one that carries no conversation.
func (s *stage) continues(what string) {
	id, code, _ := strings.Cut(what, ": ")
	code, lost := strings.CutSuffix(code, " lost")
	s.run.Exchanges = append(s.run.Exchanges, &trace.Exchange{
		Number: len(s.run.Exchanges) + 1, Start: s.clock, End: s.clock + tick/2, Problem: code,
		Thread: &trace.Thread{Previous: id, Problem: s.historyProblem(code), Code: code, Lost: lost},
	})
}

// historyProblem returns the problem for which a provider has a code.
func (s *stage) historyProblem(code string) wire.HistoryProblem {
	for problem, refusal := range s.dialect().KeptHistory.Refusals {
		if refusal.Code == code {
			return problem
		}
	}
	panic("no provider answers " + code)
}

func (s *stage) header(line string) {
	if where, ok := strings.CutPrefix(line, "key: "); ok {
		where = strings.TrimPrefix(where, "-")
		s.key = &where
		return
	}
	if path, ok := strings.CutPrefix(line, "url: "); ok {
		s.url = path
		return
	}
	if s.headers == nil {
		s.headers = map[string]string{}
	}
	if name, value, ok := strings.Cut(line, ": "); ok {
		s.headers[name] = value
	}
}

func (s *stage) message(word, rest string) string {
	switch word {
	case "system", "developer", "user", "assistant":
		return s.words.says(word, s.words.fill(rest))
	case "prompt":
		n, err := strconv.Atoi(rest)
		s.must(err)
		return s.words.says("user", s.run.Task.Prompts[n-1])
	case "calls":
		names, text, _ := strings.Cut(rest, ":")
		return s.words.returned(strings.Split(names, ", "), strings.TrimSpace(text))
	case "results":
		if s.words.inContents() {
			return s.responses(strings.Split(rest, ", "))
		}
		return s.resultBlocks(strings.Split(rest, ", "))
	case "result":
		name, text, given := strings.Cut(rest, ":")
		call, _, ok := s.words.call(name)
		if !ok {
			s.t.Fatalf("%s: there is no call %q", s.line, name)
		}
		text = s.words.fill(strings.TrimSpace(text))
		if !given {
			text = s.run.ToolOutput(call)
		}
		if s.words.inBlocks() {
			return blockMessage("user", resultBlock(call, text))
		}
		if s.words.inSteps() {
			return resultStep(call, text)
		}
		if s.words.inItems() {
			return outputItem(call, text)
		}
		if s.words.inContents() {
			return content("user", responsePart(call, text))
		}
		return string(wire.Fields{{Key: "role", Value: "tool"}, {Key: "tool_call_id", Value: call.ID}, {Key: "content", Value: text}}.JSON())
	}
	message := s.words.fill(s.line)
	if !json.Valid([]byte("["+message+"]")) && !strings.Contains(message, `\ud`) {
		s.t.Fatalf("neither a line of a dialogue nor JSON: %s", message)
	}
	return message
}

func says(role, text string) string {
	return string(wire.Fields{{Key: "role", Value: role}, {Key: "content", Value: text}}.JSON())
}

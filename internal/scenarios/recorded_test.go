package scenarios_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	recordedHead = "HTTP/1.1 200 OK\nContent-Type: application/json\nLoopproof-Dialect: chat\n\n"
	recordedCall = recordedHead + `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"call_9","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},"finish_reason":"tool_calls"}]}`
	recordedText = recordedHead + `{"choices":[{"message":{"content":"It is 4 C."},"finish_reason":"stop"}]}`
	busy         = "HTTP/1.1 503 Service Unavailable\nLoopproof-Dialect: chat\n\n{}"
	halfAnswer   = "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nLoopproof-Dialect: chat\nLoopproof-Ending: severed\n\n" +
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"It\"}}]}\n\n"

	replay = `# Played again.
loopproof: 1
title: A recorded conversation
prompt: What is the weather?
tools:
  get_weather:
    parameters: {city: string}
    results:
      - {when: {city: Oslo}, file: rec/oslo.txt}
model:
  - fixture: rec/busy.http
  - fixture: rec/half.http
  - fixture: rec/call.http
  - fixture: rec/text.http
`
)

func folderWith(scenario string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, text := range map[string]string{
		"mine/replay.yaml": scenario, "mine/rec/oslo.txt": "4 C\n", "mine/rec/busy.http": busy, "mine/rec/half.http": halfAnswer,
		"mine/rec/call.http": recordedCall, "mine/rec/text.http": recordedText, "mine/rec/hello.http": "hello",
	} {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

func TestFixturesSayWhatAStepDoes(t *testing.T) {
	all, err := scenarios.Load(folderWith(replay), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	s := all[0]
	openai, _ := profiles.Get("openai")
	anthropic, _ := profiles.Get("anthropic")
	if !s.Plays(openai) || s.Plays(anthropic) {
		t.Error("the scenario is to be played in the dialect of its fixtures, and in no other")
	}
	if result, ok := s.Tool("get_weather").Answer(`{"city":"Oslo"}`); !ok || result.Output() != "4 C\n" {
		t.Errorf("the tool answers %+v, want what is in its file", result)
	}
	turns := scenarios.Compile(s, openai, "secret").Turns
	if !turns[0].Errs() || turns[0].Step.Status != 503 {
		t.Errorf("the first turn is %+v, want an error 503", turns[0].Step)
	}
	if !turns[1].Breaks() || turns[1].Answer.Text != "It" {
		t.Errorf("the second turn is %+v, want an answer that breaks off", turns[1])
	}
	want := wire.AnswerCall{ID: "call_9", Name: "get_weather", Arguments: `{"city":"Oslo"}`, As: "call-3-1"}
	if !turns[2].Asks() || turns[2].Answer.Calls[0] != want {
		t.Errorf("the third turn is %+v, want the call with its own id", turns[2].Answer)
	}
	if !turns[3].Final() || turns[3].Answer.Text != "It is 4 C." {
		t.Errorf("the last turn is %+v, want the answer", turns[3].Answer)
	}
}

func TestWrongFixturesSayWhere(t *testing.T) {
	for _, c := range []struct{ of, to, want string }{
		{"rec/call.http", "rec/cal.http", "mine/replay.yaml:13:14: there is no file rec/cal.http alongside the scenario"},
		{"rec/call.http", "../call.http", `13:14: "../call.http" is no name of a file alongside or below the scenario`},
		{"rec/call.http", "rec/hello.http", "13:14: the file rec/hello.http is no fixture"},
		{"fixture: rec/call.http", "{fixture: rec/call.http, text: Hm}", "a fixture says all that the step does"},
		{"file: rec/oslo.txt", "file: rec/oslo.txt, text: 4 C", "a result has a text, or fails, or is in a file"},
	} {
		_, err := scenarios.Load(folderWith(strings.Replace(replay, c.of, c.to, 1)), scenarios.Vocabulary{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "says nothing") {
			t.Errorf("%s instead of %s gives %v, want %s", c.to, c.of, err, c.want)
		}
	}
	if _, err := scenarios.Parse("replay.yaml", []byte(replay), scenarios.Vocabulary{}); err == nil || !strings.Contains(err.Error(), "has to be read with its folder") {
		t.Errorf("fixtures of nowhere give %v", err)
	}
}

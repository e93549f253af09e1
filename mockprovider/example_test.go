package mockprovider_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// A loop forgets the result of a call, and is told so in the words of OpenAI.
func ExampleServer() {
	scenario, err := scenarios.Parse("weather.yaml", []byte(`
loopproof: 1
title: One call
prompt: What is the weather in Oslo?
tools: {get_weather: {parameters: {city: string}, results: [{text: 4 C}]}}
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`), scenarios.Vocabulary{})
	if err != nil {
		panic(err)
	}
	profile, err := profiles.Get("openai")
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{})
	defer srv.Close()
	run := srv.StartRun(mockprovider.RunConfig{Scenario: scenario, Profile: profile})

	resp, err := http.Post(run.Task(srv.URL).BaseURL+"/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[
		{"role":"user","content":"What is the weather in Oslo?"},
		{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}]}`))
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	exchanges, _ := run.Record()
	fmt.Println(resp.StatusCode, string(body))
	fmt.Println(exchanges[0].Refusal.Rule)
	// Output:
	// 400 {"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1","type":"invalid_request_error","param":"messages.[2].role","code":null}}
	// pairing/every-call-answered
}

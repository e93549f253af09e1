package mockprovider_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/mockprovider"
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

const exampleScript = `
loopproof: 1
title: A greeting
prompt: Hello?
model:
  - text: Good day.
`

// A provider is an http.Handler, to be mounted anywhere. It plays a script and remembers what it was asked.
func ExampleNew() {
	script, err := mockprovider.ParseScript("greeting.yaml", exampleScript)
	if err != nil {
		panic(err)
	}
	provider := mockprovider.New(mockprovider.Config{Scenarios: []*scenarios.Scenario{script}})
	w := httptest.NewRecorder()
	provider.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(
		`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`)))
	fmt.Println(w.Code, strings.Contains(w.Body.String(), "Good day."))
	fmt.Println(provider.Journal().Count(), provider.Journal().Entries()[0].Scenario)
	// Output:
	// 200 true
	// 1 greeting
}

// Scripts are read from a folder. Two that begin with the same prompt cannot be told apart.
func ExampleCheckScenarios() {
	all, err := mockprovider.LoadScripts(fstest.MapFS{
		"a.yaml": {Data: []byte(exampleScript)},
		"b.yaml": {Data: []byte(exampleScript)},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(mockprovider.CheckScenarios(all))
	// Output:
	// the scenarios a and b both begin with the prompt "Hello?", so a request could belong to either: serve one of them, or give them a `when`
}

// What a server plays can change while it runs.
func ExampleProvider_Play() {
	script, err := mockprovider.ParseScript("greeting.yaml", exampleScript)
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{})
	defer srv.Close()
	ask := func() int {
		resp, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(
			`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`))
		if err != nil {
			panic(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	fmt.Println(ask())
	if err := srv.Play([]*scenarios.Scenario{script}); err != nil {
		panic(err)
	}
	fmt.Println(ask())
	// Output:
	// 404
	// 200
}

// A run of its own keeps what one test asks apart from all others.
func ExampleProvider_StartOpenRun() {
	script, err := mockprovider.ParseScript("greeting.yaml", exampleScript)
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: []*scenarios.Scenario{script}})
	defer srv.Close()
	run, err := srv.StartOpenRun(mockprovider.OpenRunConfig{ID: "one-test"})
	if err != nil {
		panic(err)
	}
	defer srv.EndOpenRun(run)
	resp, err := http.Post(run.BaseURL(srv.URL)+"/chat/completions", "application/json", strings.NewReader(
		`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`))
	if err != nil {
		panic(err)
	}
	resp.Body.Close()
	fmt.Println(run.Journal().Count(), srv.Journal().Count())
	// Output:
	// 1 0
}

package mockprovider_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// greeting returns the scripts of the examples.
func greeting() []*scenarios.Scenario {
	script, err := scenarios.Parse("greeting.yaml", `
loopproof: 1
title: A greeting
prompt: Hello?
model:
  - text: Good day.
`)
	if err != nil {
		panic(err)
	}
	return []*scenarios.Scenario{script}
}

// post sends a prompt to a model, and returns the status and the body of the response.
func post(base, says string) (int, string) {
	body := fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%q}]}`, says)
	resp, err := http.Post(base+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(err)
	}
	return resp.StatusCode, string(text)
}

// A provider is an http.Handler. It plays scripts and keeps a journal.
func ExampleNew() {
	provider := mockprovider.New(mockprovider.Config{Scenarios: greeting()})
	w := httptest.NewRecorder()
	provider.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(
		`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`)))
	fmt.Println(w.Code, strings.Contains(w.Body.String(), "Good day."))
	fmt.Println(provider.Journal().Count(), provider.Journal().Entries()[0].Scenario)
	// Output:
	// 200 true
	// 1 greeting
}

// An application asks for more than turns of a model.
func ExampleParseEndpoints() {
	search, err := mockprovider.ParseEndpoints("search.yaml", `
loopproof: 1
endpoints:
  - {name: search, paths: ["GET /search/{city}"], json: {title: "{city}", content: 4 C}}
`)
	if err != nil {
		panic(err)
	}
	provider := mockprovider.New(mockprovider.Config{Endpoints: search})
	w := httptest.NewRecorder()
	provider.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/search/Oslo", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 {"title":"Oslo","content":"4 C"}
}

// A loop forgets the result of a call, and gets the error of OpenAI.
func ExampleNewServer() {
	openai, err := profiles.Get("openai")
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Profile: openai, Scenarios: greeting()})
	defer srv.Close()
	resp, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[
		{"role":"user","content":"Hello?"},
		{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]}]}`))
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(body))
	fmt.Println(srv.Journal().Entries()[0].Findings[0].Rule)
	// Output:
	// 400 {"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1","type":"invalid_request_error","param":"messages.[2].role","code":null}}
	// pairing/every-call-answered
}

// A server on a given port, with middleware.
func ExampleServe() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	logged := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Println(r.Method, r.URL.Path)
			next.ServeHTTP(w, r)
		})
	}
	srv := mockprovider.Serve(l, mockprovider.New(mockprovider.Config{Scenarios: greeting()}), logged)
	defer srv.Close()
	status, _ := post(srv.URL+"/v1", "Hello?")
	fmt.Println(status)
	// Output:
	// POST /v1/chat/completions
	// 200
}

// A test adds an answer while its application runs, and holds it until the application has to have
// it.
func ExampleRun_AddAnswers() {
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: greeting()})
	defer srv.Close()
	run, err := srv.StartRun(mockprovider.RunConfig{})
	if err != nil {
		panic(err)
	}
	if err := run.AddAnswers("{text: It is paid., hold: {until: paid}}", "status: 503"); err != nil {
		panic(err)
	}
	if err := run.Release("paid"); err != nil {
		panic(err)
	}
	for range 3 {
		status, text := post(run.BaseURL, "Hello?")
		fmt.Println(status, strings.Contains(text, "It is paid."), strings.Contains(text, "Good day."))
	}
	// Output:
	// 200 true false
	// 503 false false
	// 200 false true
}

// A run for one test, which ends with the test. In a test, t is its *testing.T.
func ExampleServer_ForTest() {
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: greeting()})
	defer srv.Close()
	t := &tester{name: "TestGreeting"}
	run := srv.ForTest(t)
	status, _ := post(run.BaseURL, "Hello?")
	fmt.Println(status, run.Journal().Count())
	for _, end := range t.cleanups { // which go test calls
		end()
	}
	status, _ = post(run.BaseURL, "Hello?")
	fmt.Println(status, t.told)
	// Output:
	// 200 1
	// 404 []
}

// The scripts can be changed while the server runs.
func ExampleProvider_Play() {
	srv := mockprovider.NewServer(mockprovider.Config{})
	defer srv.Close()
	before, _ := post(srv.URL+"/v1", "Hello?")
	if err := srv.Play(greeting()); err != nil {
		panic(err)
	}
	after, _ := post(srv.URL+"/v1", "Hello?")
	fmt.Println(before, after)

	twice := append(greeting(), greeting()...)
	fmt.Println(srv.Play(twice))
	// Output:
	// 404 200
	// the scenarios greeting and greeting both begin with the prompt "Hello?", so a request could belong to either: serve one of them, or give them a `when`
}

// Watch reports each request with its findings.
func ExampleProvider_Watch() {
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: greeting()})
	defer srv.Close()
	srv.Watch(func(e mockprovider.Entry) { fmt.Println(e.Method, e.Scenario, len(e.Findings)) })
	post(srv.URL+"/v1", "Hello?")
	// Output:
	// POST greeting 0
}

// A run separates the requests of one test from all others.
func ExampleProvider_StartRun() {
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: greeting()})
	defer srv.Close()
	run, err := srv.StartRun(mockprovider.RunConfig{ID: "one-test"})
	if err != nil {
		panic(err)
	}
	defer srv.EndRun(run)
	post(run.BaseURL, "Hello?")
	fmt.Println(run.Journal().Count(), srv.Journal().Count())
	fmt.Println(run.APIKey)
	// Output:
	// 1 0
	// loopproof-one-test
}

// The fallback answers requests that no script matches.
func ExampleConfig_fallback() {
	srv := mockprovider.NewServer(mockprovider.Config{
		Scenarios: greeting(),
		Fallback: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
		}),
	})
	defer srv.Close()
	status, _ := post(srv.URL+"/v1", "Hello?")
	files, err := http.Get(srv.URL + "/v1/files")
	if err != nil {
		panic(err)
	}
	files.Body.Close()
	fmt.Println(status, files.StatusCode)
	// Output:
	// 200 418
}

// The first request fails with the error of an overloaded provider.
func ExampleParseBehaviour() {
	busy, err := mockprovider.ParseBehaviour("busy.yaml", "faults: [{status: 503, times: 1}]")
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: greeting(), Behaviour: busy})
	defer srv.Close()
	first, _ := post(srv.URL+"/v1", "Hello?")
	second, _ := post(srv.URL+"/v1", "Hello?")
	fmt.Println(first, second)
	// Output:
	// 503 200
}

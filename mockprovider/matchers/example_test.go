package matchers_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/loopproof/loopproof/mockprovider"
	. "github.com/loopproof/loopproof/mockprovider/matchers"
	"github.com/loopproof/loopproof/scenarios"
)

const weather = `
loopproof: 1
title: One call
prompt: What is the weather in Oslo?
tools: {get_weather: {parameters: {city: string}, results: [{text: 4 C}]}}
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`

const asks = `{"role":"user","content":"What is the weather in Oslo?"}`

// ask is an application under test: it should run the tool and send the result back.
func ask(base string, messages ...string) {
	body := `{"model":"gpt-4o","messages":[` + strings.Join(messages, ",") + `]}`
	resp, err := http.Post(base+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
}

// start starts a mock provider and a run on it. In a test, [mockprovider.Server.ForTest] does it.
func start() (*mockprovider.Server, *mockprovider.Run) {
	script, err := scenarios.Parse("weather.yaml", weather)
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Secret: "example"})
	run, err := srv.StartRun(mockprovider.RunConfig{ID: "mine", Scenarios: []*scenarios.Scenario{script}})
	if err != nil {
		panic(err)
	}
	return srv, run
}

// The application gives up before the model has begun.
func ExampleBeDisconnected() {
	script, err := scenarios.Parse("slow.yaml", "loopproof: 1\ntitle: Slow\nbehaviour: {first-token: 1m}\nmodel: [{text: Hello.}]")
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: []*scenarios.Scenario{script}})
	defer srv.Close()
	body := strings.NewReader(`{"model":"gpt-4o","messages":[` + asks + `]}`)
	req, _ := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions", body)
	client := http.Client{Timeout: 100 * time.Millisecond}
	_, err = client.Do(req)
	fmt.Println(err != nil)

	failing().Eventually(srv).WithTimeout(10 * time.Second).Should(HaveRequest(BeDisconnected()))
	// Output:
	// true
}

// failing prints the failure message of a test.
func failing() gomega.Gomega {
	return gomega.NewGomega(func(message string, _ ...int) { fmt.Println(message) })
}

// The application does not send the result back. The failure shows what it sent instead.
func ExampleHaveRequest() {
	srv, run := start()
	defer srv.Close()
	ask(run.BaseURL, asks)
	ask(run.BaseURL, asks, `{"role":"user","content":"Well?"}`)

	g := failing()
	g.Expect(run).To(HaveRequest(CarryText("What is the weather in Oslo?"), AnswerWithCall("get_weather")))
	g.Expect(run).To(HaveRequest(CarryResult("get_weather", "4 C")).Times(1))
	// Output:
	// Expected 1 request that carries a result "4 C" of the tool get_weather, but found 0.
	// These came:
	// request 1  POST /run/mine/v1/chat/completions  gpt-4o  (weather)  in the run mine
	//   user       What is the weather in Oslo?
	//   answered   call get_weather {"city":"Oslo"} (call_ARww1d5geutHet6SmGI9E0Jh)
	// request 2  POST /run/mine/v1/chat/completions  gpt-4o  (weather)  in the run mine
	//   user       What is the weather in Oslo?
	//   user       Well?
	//   answered   call get_weather {"city":"Oslo"} (call_ARww1d5geutHet6SmGI9E0Jh)
}

// The requests come in the wrong order.
func ExampleHaveRequestsInOrder() {
	srv, run := start()
	defer srv.Close()
	ask(run.BaseURL, asks)

	failing().Expect(run).To(HaveRequestsInOrder(AnswerWithCall("get_weather"), AnswerWithText(gomega.ContainSubstring("4 C"))))
	// Output:
	// Expected 2 requests in this order, but number 2 is missing: none after request 1 is answered with the text that fits ContainSubstring {Substr:4 C Args:[]}.
	// These came:
	// request 1  POST /run/mine/v1/chat/completions  gpt-4o  (weather)  in the run mine
	//   user       What is the weather in Oslo?
	//   answered   call get_weather {"city":"Oslo"} (call_ARww1d5geutHet6SmGI9E0Jh)
}

// A request that the real provider refuses.
func ExampleHaveNoFindings() {
	srv, run := start()
	defer srv.Close()
	ask(run.BaseURL, asks, `{"role":"tool","tool_call_id":"call_1","content":"4 C"}`)

	failing().Expect(run).To(HaveNoFindings())
	// Output:
	// Expected no findings, but 1 of 1 request went wrong.
	// request 1  POST /run/mine/v1/chat/completions  gpt-4o  (weather)  in the run mine
	//   user       What is the weather in Oslo?
	//   result     call_1: 4 C
	//   answered   400 {"error":{"message":"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.","type":"invalid_request_error","param":"messages.[1].role","code":n… (205 characters)
	//   breaks     pairing/no-orphan-result (must): a tool result that answers no call
}

// holds prints whether the first request of a journal matches.
func holds(run *mockprovider.Run, m types.GomegaMatcher) {
	ok, err := m.Match(run.Journal().Entries()[0])
	fmt.Println(ok, err)
}

// once sends one request and returns the run.
func once() (srv *mockprovider.Server, run *mockprovider.Run) {
	srv, run = start()
	ask(run.BaseURL, asks)
	return srv, run
}

func ExampleCarryText() {
	srv, run := once()
	defer srv.Close()
	holds(run, CarryText(gomega.ContainSubstring("Oslo")))
	// Output:
	// true <nil>
}

func ExampleCarryResult() {
	srv, run := once()
	defer srv.Close()
	holds(run, CarryResult("get_weather", "4 C")) // the first request has none
	// Output:
	// false <nil>
}

func ExampleAskFor() {
	srv, run := once()
	defer srv.Close()
	holds(run, AskFor("gpt-4o"))
	// Output:
	// true <nil>
}

func ExampleOfferTool() {
	srv, run := once()
	defer srv.Close()
	holds(run, OfferTool("get_weather")) // the application forgot it
	// Output:
	// false <nil>
}

func ExampleSatisfy() {
	srv, run := once()
	defer srv.Close()
	holds(run, Satisfy("goes to Chat Completions", func(e mockprovider.Entry) bool { return strings.HasSuffix(e.Path(), "/chat/completions") }))
	// Output:
	// true <nil>
}

func ExampleBeAnswered() {
	srv, run := once()
	defer srv.Close()
	holds(run, BeAnswered(200))
	// Output:
	// true <nil>
}

func ExampleAnswerWithCall() {
	srv, run := once()
	defer srv.Close()
	holds(run, AnswerWithCall("get_weather"))
	// Output:
	// true <nil>
}

func ExampleAnswerWithText() {
	srv, run := once()
	defer srv.Close()
	holds(run, AnswerWithText("It is 4 C in Oslo.")) // that comes after the result
	// Output:
	// false <nil>
}

func ExampleBreakRule() {
	srv, run := once()
	defer srv.Close()
	holds(run, BreakRule("pairing/no-orphan-result"))
	// Output:
	// false <nil>
}

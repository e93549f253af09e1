package selfcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/scenarios"
)

const weatherScript = `
loopproof: 1
title: One call
prompt: What is the weather in Oslo?
tools: {get_weather: {parameters: {city: string}, results: [{text: 4 C}]}}
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`

const (
	token       = "of-the-server"
	asksForOslo = `{"role":"user","content":"What is the weather in Oslo?"}`
	callsOslo   = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}`
)

// described is the mock provider together with its own description, against which all requests and
// answers are held.
type described struct {
	t      *testing.T
	srv    *mockprovider.Server
	router routers.Router
	doc    *openapi3.T
	seen   map[string]bool // operations with the statuses that they answered
}

// TestConsoleIsDescribed asks every path of the mock's own API for every answer that its
// description names, and holds all of them against the description.
func TestConsoleIsDescribed(t *testing.T) {
	script, err := scenarios.Parse("weather.yaml", weatherScript)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	provider := mockprovider.New(mockprovider.Config{Scenarios: []*scenarios.Scenario{script}, Limits: mockprovider.Limits{JournalBytes: 16_000}})
	srv := mockprovider.Serve(l, provider, operations.Token(token), operations.NewMetrics("1").Serve)
	defer srv.Close()
	d := describe(t, srv)

	d.playAll(script)
	for _, c := range d.questions() {
		d.ask(c.method, "/loopproof"+c.path, c.body, "", unlessHealth(c.path, http.StatusUnauthorized))
		d.ask(c.method, "/loopproof"+c.path, c.body, token, c.status)
	}
	var missing []string
	for _, want := range d.operations() {
		if !d.seen[want] {
			missing = append(missing, want)
		}
	}
	if len(missing) > 0 {
		t.Errorf("described, but never seen: %s", strings.Join(missing, ", "))
	}
}

// unlessHealth is a status, but for the paths that need no token.
func unlessHealth(path string, status int) int {
	if path == "/healthz" || path == "/metrics" {
		return http.StatusOK
	}
	return status
}

func describe(t *testing.T, srv *mockprovider.Server) *described {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, srv.URL+"/loopproof/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("anybody", token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatalf("the description is no good OpenAPI: %v", err)
	}
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.FileBodyDecoder) // as text
	doc.Servers = openapi3.Servers{{URL: srv.URL}}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return &described{t: t, srv: srv, router: router, doc: doc, seen: map[string]bool{}}
}

// playAll lets the mock be asked well, badly, not at all for a turn, and so much that it forgets.
func (d *described) playAll(s *scenarios.Scenario) {
	for _, messages := range []string{
		asksForOslo + `,{"role":"user","content":"` + strings.Repeat("x", 16_000) + `"}`,
		asksForOslo, asksForOslo + "," + callsOslo,
	} {
		d.chat(d.srv.URL+"/v1", `{"model":"gpt-4o","stream":true,"messages":[`+messages+`]}`)
	}
	d.chat(d.srv.URL+"/v1", `{`)
	d.chat(d.srv.URL, `{}`)
	for _, id := range []string{"gone", "mine"} {
		if _, err := d.srv.StartRun(mockprovider.RunConfig{ID: id}); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *described) chat(base, body string) {
	resp, err := http.Post(base+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
}

type consoleQuestion struct {
	method, path, body string
	status             int
}

func (d *described) questions() []consoleQuestion {
	script, _ := json.Marshal(weatherScript)
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []consoleQuestion{
		{get, "/healthz", "", 200},
		{get, "/metrics", "", 200},
		{get, "/openapi.yaml", "", 200},
		{get, "/openapi.json", "", 200},
		{get, "/runs", "", 200},
		{post, "/runs", `{"id":"own","scripts":[` + string(script) + `]}`, 201},
		{post, "/runs", `{"scenario":"weather","delivery":"json"}`, 201},
		{post, "/runs", `{"id":"own"}`, 400},
		{get, "/runs/default", "", 200},
		{get, "/runs/nobody", "", 404},
		{post, "/runs/mine/reset", "", 200},
		{post, "/runs/nobody/reset", "", 404},
		{del, "/runs/gone", "", 200},
		{del, "/runs/gone", "", 404},
		{del, "/runs/default", "", 409},
		{get, "/runs/default/report", "", 200},
		{get, "/runs/nobody/report", "", 404},
		{get, "/runs/default/verdict", "", 200},
		{get, "/runs/nobody/verdict", "", 404},
		{get, "/runs/default/requests/1", "", 200},
		{get, "/runs/default/requests/3", "", 200},
		{get, "/runs/default/requests/4", "", 200},
		{get, "/runs/default/requests/5", "", 200},
		{get, "/runs/default/requests/99", "", 404},
		{get, "/runs/default/requests/1/body", "", 410},
		{get, "/runs/default/requests/3/body", "", 200},
		{get, "/runs/default/requests/99/body", "", 404},
		{get, "/runs/default/requests/1/answer", "", 410},
		{get, "/runs/default/requests/3/answer", "", 200},
		{get, "/runs/default/requests/99/answer", "", 404},
		{get, "/runs/default/requests/1/value", "", 410},
		{get, "/runs/default/requests/3/value?pointer=/messages/0", "", 200},
		{get, "/runs/default/requests/3/value?pointer=/messages/0/content", "", 200},
		{get, "/runs/default/requests/3/value?pointer=/nothing", "", 404},
		{get, "/requests?unrouted=true&limit=9", "", 200},
		{get, "/requests?status=4xx&model=gpt-*&path=/v1/**&level=must&rule=pairing/*", "", 200},
		{get, "/requests?model=[", "", 400},
		{get, "/assert?contains=Oslo&at_least=1&at_most=9", "", 200},
		{get, "/assert?result=4%20C", "", 409},
		{get, "/assert?count=1&at_most=2", "", 400},
		{post, "/assert", `{"contains":"Oslo","in_order":[{"user":"Oslo"},{"status":"400"}]}`, 200},
		{post, "/assert", `{"answer":"never"}`, 409},
		{post, "/assert", `{"count":-1}`, 400},
		{get, "/wait?called=get_weather&within=1s", "", 200},
		{get, "/wait?called=nothing&within=1ms", "", 409},
		{get, "/wait?within=ever", "", 400},
		{post, "/wait", `{"called":"get_weather"}`, 200},
		{post, "/wait", `{"called":"nothing","within":"1ms"}`, 409},
		{post, "/wait", `{"within":"ever"}`, 400},
		{get, "/requests?run=nobody", "", 404},
		{get, "/assert?run=nobody", "", 404},
		{post, "/assert", `{"run":"nobody"}`, 404},
		{get, "/wait?run=nobody", "", 404},
		{post, "/wait", `{"run":"nobody"}`, 404},
		{get, "/events?run=nobody", "", 404},
		{get, "/events?run=default", "", 200},
		{post, "/runs/default/answers", `{"answers":[{"text":"It is 4 C."}]}`, 200},
		{post, "/runs/default/answers", `{"answers":[]}`, 400},
		{post, "/runs/nobody/answers", `{"answers":[{"text":"It is 4 C."}]}`, 404},
		{post, "/runs", `{"id":"held","scripts":["{loopproof: 1, model: [{text: Hi, hold: {until: paid}}]}"]}`, 201},
		{post, "/runs/held/release", `{"hold":"paid"}`, 200},
		{post, "/runs/held/release", `{}`, 400},
		{post, "/runs/default/release", `{"hold":"paid"}`, 409},
		{post, "/runs/nobody/release", `{"hold":"paid"}`, 404},
		{post, "/runs/default/reset", "", 200},
	}
}

// ask asks, and holds the request, unless it is meant to be wrong, and the answer against the
// description.
func (d *described) ask(method, path, body, token string, status int) {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, d.srv.URL+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	route, params, err := d.router.FindRoute(req)
	if err != nil {
		d.t.Fatalf("%s %s is not described: %v", method, path, err)
	}
	input := &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}, // the server looks itself
	}
	if err := openapi3filter.ValidateRequest(ctx, input); err != nil && status != http.StatusBadRequest && token != "" {
		d.t.Errorf("%s %s %s does not fit its description: %v", method, path, body, err)
	}
	req.Body = io.NopCloser(strings.NewReader(body))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	data := d.read(resp)
	if resp.StatusCode != status {
		d.t.Fatalf("%s %s answers %d, want %d: %s", method, path, resp.StatusCode, status, data)
	}
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: status, Header: resp.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	output.SetBodyBytes(data)
	if err := openapi3filter.ValidateResponse(ctx, output); err != nil {
		d.t.Errorf("%s %s: the answer does not fit its description: %v", method, path, err)
	}
	d.seen[operation(route.Operation.OperationID, status)] = true
}

// read reads an answer, and of a stream that does not end the first event.
func (d *described) read(resp *http.Response) []byte {
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			d.t.Fatal(err)
		}
		return data
	}
	var data []byte
	for chunk := make([]byte, 1); !bytes.HasSuffix(data, []byte("\n\n")); data = append(data, chunk...) {
		if _, err := resp.Body.Read(chunk); err != nil {
			d.t.Fatal(err)
		}
	}
	return data
}

func operation(id string, status int) string { return fmt.Sprintf("%s %d", id, status) }

// operations returns all operations with the statuses that they are described to answer.
func (d *described) operations() []string {
	var all []string
	for _, path := range d.doc.Paths.Map() {
		for _, o := range path.Operations() {
			for status := range o.Responses.Map() {
				all = append(all, o.OperationID+" "+status)
			}
		}
	}
	slices.Sort(all)
	return all
}

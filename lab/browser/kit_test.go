package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/scenarios"
)

const twoCities = `
loopproof: 1
title: Two cities
prompt: Compare the weather in Oslo and Lima.
tools: {get_weather: {parameters: {city: string}, results: [{text: 4 C}]}}
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: |
      Lima is warmer: 19 C there, and 4 C in Oslo.

      Take a coat to Oslo.
`

// requestsTo returns how many requests there were that reached a conversation.
func requestsTo(srv *mockprovider.Server) (n int) {
	for _, e := range srv.Journal().Entries() {
		if e.Outcome != "unrouted" {
			n++
		}
	}
	return n
}

// start starts a mock provider that plays a script.
func start(t *testing.T, text string) *mockprovider.Server {
	t.Helper()
	return startWith(t, text, mockprovider.Config{})
}

// startWith starts a mock provider with other settings, that plays a script.
func startWith(t *testing.T, text string, config mockprovider.Config) *mockprovider.Server {
	t.Helper()
	script, err := scenarios.Parse("weather/two-cities.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	config.Scenarios = []*scenarios.Scenario{script}
	srv := mockprovider.NewServer(config)
	t.Cleanup(srv.Close)
	return srv
}

// client is a loop with mistakes that a test chooses.
type client struct {
	t        *testing.T
	base     string
	messages []any
	result   func(call int, arguments string) map[string]any // nil if the result is forgotten
}

func newClient(t *testing.T, base, prompt string) *client {
	return &client{
		t: t, base: base,
		messages: []any{map[string]any{"role": "system", "content": "You are a weather assistant. Be brief."}, map[string]any{"role": "user", "content": prompt}},
		result:   func(int, string) map[string]any { return map[string]any{"content": `{"temperature":4}`} },
	}
}

// step asks once and runs the tools that are called. It is false when there is nothing more to do.
func (c *client) step() bool {
	c.t.Helper()
	body, err := json.Marshal(map[string]any{"model": "gpt-4o", "messages": c.messages, "tools": []any{map[string]any{
		"type": "function", "function": map[string]any{"name": "get_weather", "parameters": map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}}},
	}}})
	if err != nil {
		c.t.Fatal(err)
	}
	req, _ := http.NewRequest(http.MethodPost, c.base+"/v1/chat/completions", bytes.NewReader(body))
	req.Header.Set("Authorization", "Bearer sk-very-secret")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct {
		Choices []struct{ Message map[string]any }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || len(answer.Choices) == 0 {
		return false
	}
	message := answer.Choices[0].Message
	c.messages = append(c.messages, message)
	calls, _ := message["tool_calls"].([]any)
	for i, call := range calls {
		arguments := call.(map[string]any)["function"].(map[string]any)["arguments"].(string)
		if m := c.result(i, arguments); m != nil {
			m["role"], m["tool_call_id"] = "tool", call.(map[string]any)["id"]
			c.messages = append(c.messages, m)
		}
	}
	return len(calls) > 0
}

// play asks until there is nothing more to do.
func (c *client) play() {
	for c.step() {
	}
}

// forgetful drops the second result and sends a private field with the first, which carries a
// script.
func forgetful(call int, _ string) map[string]any {
	if call == 1 {
		return nil
	}
	return map[string]any{"content": "<script>alert(1)</script><img src=x onerror=alert(2)>", "isError": false}
}

// browser is a tab, and what went wrong in it.
type browser struct {
	t        *testing.T
	ctx      context.Context
	problems []string
}

// names are what Chromium and its relatives are called.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell"}

// executable finds a browser. CHROMIUM names one that is elsewhere.
func executable(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("there is none of %s here, so no page was tried; CHROMIUM names one that is elsewhere", strings.Join(names, ", "))
	return ""
}

// screen is how a page is looked at.
type screen struct {
	name          string
	width, height int64
	dark          bool
}

var screens = []screen{
	{"desktop", 1200, 800, false}, {"desktop-dark", 1200, 800, true},
	{"phone", 360, 740, false}, {"phone-dark", 360, 740, true},
}

// open opens a tab. It is closed at the end of the test, which fails when anything went wrong in
// it.
func open(t *testing.T, s screen, more ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(executable(t)), chromedp.NoSandbox, chromedp.WSURLReadTimeout(60*time.Second))
	options = append(options, more...)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	ctx, expire := context.WithTimeout(ctx, 2*time.Minute)
	b := &browser{t: t, ctx: ctx}
	t.Cleanup(func() {
		expire()
		stop()
		stopAllocator()
		for _, p := range b.problems {
			t.Error(p)
		}
	})
	chromedp.ListenTarget(ctx, b.listen)
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	b.run(
		cdplog.Enable(),
		emulation.SetDeviceMetricsOverride(s.width, s.height, 1, s.width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	)
	return b
}

// listen notes whatever a page should not do.
func (b *browser) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, "the page throws "+e.ExceptionDetails.Error())
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == "error" {
			b.problems = append(b.problems, "the browser complains: "+e.Entry.Text+" "+e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		b.problems = append(b.problems, "the page opens a dialog: "+e.Message)
	}
}

func (b *browser) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) goTo(url string) { b.t.Helper(); b.run(chromedp.Navigate(url)) }

// eval returns what an expression comes to in the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	var v T
	b.run(chromedp.Evaluate(expression, &v))
	return v
}

// until waits until an expression is true in the page.
func (b *browser) until(expression string) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(20*time.Second))); err != nil {
		b.t.Fatalf("it never came to %s: %v; the page reads\n%s", expression, err, eval[string](b, "document.body.innerText"))
	}
}

// shoot takes a picture of the whole page, if pictures are wanted.
func (b *browser) shoot(name string) {
	b.t.Helper()
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		return
	}
	var picture []byte
	b.run(chromedp.FullScreenshot(&picture, 100))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o666); err != nil {
		b.t.Fatal(err)
	}
	fmt.Println("a picture:", filepath.Join(folder, name+".png"))
}

// awaited has the value of a promise awaited.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

package browser

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

const prompt = "Compare the weather in Oslo and Lima."

// Every page fits every screen, is readable in every light, and does nothing that it should not.
func TestPagesFitEveryScreen(t *testing.T) {
	srv := start(t, twoCities)
	newClient(t, srv.URL, prompt).play()
	bad := newClient(t, srv.URL, prompt)
	bad.result = forgetful
	bad.play()
	if resp, err := http.Get(srv.URL + "/favicon.ico"); err == nil {
		resp.Body.Close()
	}
	pages := map[string]string{
		"runs": "/loopproof/", "good": "/loopproof/show/default/1", "bad": "/loopproof/show/default/3",
		"lint": "/loopproof/lint",
	}
	for _, s := range screens {
		b := open(t, s)
		for name, path := range pages {
			b.goTo(srv.URL + path)
			b.until(`document.getElementById("live").textContent === "Live."`)
			b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach((d) => { d.open = true })`, nil))
			b.shoot(name + "-" + s.name)
			b.check(name + " on the " + s.name)
		}
	}
}

// A request that is pasted into the page is checked, and the findings can be read on every screen.
func TestPastedRequestsAreChecked(t *testing.T) {
	srv := start(t, twoCities)
	const pasted = `[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"well?"}]`
	for _, s := range screens {
		b := open(t, s)
		b.goTo(srv.URL + "/loopproof/lint")
		b.run(chromedp.SetValue("#text", pasted, chromedp.ByQuery))
		b.run(chromedp.Click(".lint button", chromedp.ByQuery))
		b.run(chromedp.WaitVisible(".finding .badge.must", chromedp.ByQuery)) // on the page that answers
		b.check("a checked request on the " + s.name)
		if got := eval[string](b, `document.getElementById("text").value`); got != pasted {
			t.Errorf("the form has %q", got)
		}
	}
}

// check looks for what makes a page hard to read.
func (b *browser) check(what string) {
	b.t.Helper()
	if over := eval[int](b, `document.documentElement.scrollWidth - window.innerWidth`); over > 0 {
		b.t.Errorf("%s: it is %d pixels too wide", what, over)
	}
	for _, faint := range eval[[]string](b, contrast) {
		b.t.Errorf("%s: too little contrast: %s", what, faint)
	}
}

// contrast finds texts with less contrast than WCAG 2 demands of a text of this size (AA).
const contrast = `(() => {
  const rgb = (c) => { const m = c.match(/[\d.]+/g).map(Number); return { r: m[0], g: m[1], b: m[2], a: m[3] ?? 1 }; };
  const light = (c) => [c.r, c.g, c.b].map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; })
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const back = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.a > .99) return c; } return { r: 255, g: 255, b: 255 }; };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement, style = getComputedStyle(e);
    if (!n.textContent.trim() || !e.checkVisibility() || e.closest("script, style")) continue;
    const ink = e.closest("svg text") ? style.fill : style.color;
    const a = light(rgb(ink)), b = light(back(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) found.add(ratio.toFixed(1) + " " + e.tagName + "." + e.className + " " + n.textContent.trim().slice(0, 40));
  }
  return [...found];
})()`

// What a request carries is shown as text, whatever it is, and findings are at their message.
func TestFindingsStandAtTheirMessage(t *testing.T) {
	srv := start(t, twoCities)
	bad := newClient(t, srv.URL, prompt)
	bad.result = forgetful
	bad.play()
	b := open(t, screens[0])
	b.goTo(srv.URL + "/loopproof/show/default/1")
	at := eval[[]string](b, `[...document.querySelectorAll(".message .finding h4 code")].map((c) => c.closest(".message").className + ": " + c.textContent)`)
	want := []string{"message assistant broken must: pairing/every-call-answered", "message tool broken should: egress/no-private-fields"}
	if strings.Join(at, "\n") != strings.Join(want, "\n") {
		t.Errorf("the findings are at %q, want %q", at, want)
	}
	text := eval[string](b, "document.body.innerText")
	for _, want := range []string{"<script>alert(1)</script>", "OpenAI answers 400", "2 messages of history, as before"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(eval[string](b, "document.documentElement.outerHTML"), "very-secret") {
		t.Error("the page shows a key")
	}
}

// Another dialect and reasoning, in a run of its own, streamed.
func TestOtherDialect(t *testing.T) {
	anthropic, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	const script = "loopproof: 1\ntitle: Greeting\nmodel:\n  - when: {user: Hello?}\n    reasoning: Somebody greets me.\n    text: Good day.\n"
	srv := start(t, twoCities)
	own, err := scenarios.Parse("greeting.yaml", script)
	if err != nil {
		t.Fatal(err)
	}
	run, err := srv.StartRun(mockprovider.RunConfig{ID: "mine", Profile: anthropic, Scenarios: []*scenarios.Scenario{own}})
	if err != nil {
		t.Fatal(err)
	}
	body := `{"model":"claude","max_tokens":2048,"stream":true,"thinking":{"type":"enabled","budget_tokens":1024},"system":"Be kind.","messages":[{"role":"user","content":"Hello?"}]}`
	req, _ := http.NewRequest(http.MethodPost, run.BaseURL+"/v1/messages", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	req.Header.Set("X-Api-Key", "sk-ant-secret")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	b := open(t, screens[0])
	b.goTo(srv.URL + "/loopproof/show/mine/1")
	b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach((d) => { d.open = true })`, nil))
	b.shoot("messages")
	text := eval[string](b, "document.body.innerText")
	for _, want := range []string{"Be kind.", "Hello?", "Somebody greets me.", "Good day.", "streamed", "anthropic", "event: message_start"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
}

// A page is brought up to date while a run goes on, and what is unfolded stays so.
func TestLive(t *testing.T) {
	srv := start(t, twoCities)
	b := open(t, screens[0])
	b.goTo(srv.URL + "/loopproof/")
	b.until(`document.querySelector(".empty h2").textContent === "No request has come yet"`)
	b.shoot("empty")
	c := newClient(t, srv.URL, prompt)
	c.step()
	b.until(`document.querySelectorAll("tr[data-key]").length === 1`)
	b.run(chromedp.Click("tr[data-key] a"), chromedp.WaitVisible("#request-1", chromedp.ByQuery))
	b.until(`document.getElementById("live").textContent === "Live."`)
	b.run(chromedp.Evaluate(`document.querySelector("#request-1 .exchange").open = true; window.sameTab = true`, nil))
	c.step()
	b.until(`document.querySelectorAll("article").length === 2 && document.querySelector("#request-2 .answer").innerText.includes("Lima is warmer")`)
	if !eval[bool](b, `window.sameTab && document.querySelector("#request-1 .exchange").open && document.querySelector("#request-1").compareDocumentPosition(document.querySelector("#request-2")) === 4`) {
		t.Error("the page was loaded again, or folded, or is out of order")
	}
	srv.Close()
	b.until(`document.getElementById("live").textContent.startsWith("The server has gone")`)
	b.problems = nil // of the browser, that the server has gone
}

// All is there without JavaScript, but stands still.
func TestWithoutJavaScript(t *testing.T) {
	srv := start(t, twoCities)
	newClient(t, srv.URL, prompt).play()
	b := open(t, screens[0])
	b.run(emulation.SetScriptExecutionDisabled(true))
	b.goTo(srv.URL + "/loopproof/show/default/1")
	var text string
	b.run(chromedp.Text("body", &text, chromedp.ByQuery))
	for _, want := range []string{"Lima is warmer", "get_weather", "Not live: reload the page to see more."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Keys:") {
		t.Error("the page offers keys that do nothing")
	}
}

// Everything can be reached without a mouse.
func TestKeyboard(t *testing.T) {
	srv := start(t, twoCities)
	bad := newClient(t, srv.URL, prompt)
	bad.result = forgetful
	bad.play()
	b := open(t, screens[0])
	b.goTo(srv.URL + "/loopproof/show/default/1")
	press := func(key, want string) {
		t.Helper()
		b.run(chromedp.KeyEvent(key))
		if got := eval[string](b, `document.activeElement.id || document.activeElement.className || document.activeElement.textContent`); got != want {
			t.Errorf("after %q the focus is on %q, want %q", key, got, want)
		}
	}
	press(kb.Tab, "skip")
	press(kb.Tab, "All conversations")
	press("j", "request-1")
	press("j", "request-2")
	press("k", "request-1")
	press("f", "finding must")
	press("f", "finding should")
	b.goTo(srv.URL + "/loopproof/")
	press("j", prompt)
	b.run(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#request-1", chromedp.ByQuery))
}

// A conversation with results of a megabyte each is quickly there.
func TestLargeConversation(t *testing.T) {
	const turns = 30
	var model strings.Builder
	for i := range turns - 1 {
		fmt.Fprintf(&model, "  - calls: [{as: c%d, tool: get_weather, arguments: '{\"city\":\"Oslo\"}'}]\n", i)
	}
	srv := start(t, twoCities[:strings.Index(twoCities, "model:")]+"model:\n"+model.String()+"  - text: Enough.\n")
	c := newClient(t, srv.URL, prompt)
	c.result = func(int, string) map[string]any {
		return map[string]any{"content": strings.Repeat("0123456789 ", 100_000)}
	}
	c.play()
	if n := srv.Journal().Count(); n != turns {
		t.Fatalf("there were %d requests, want %d", n, turns)
	}
	b := open(t, screens[0])
	began := time.Now()
	b.goTo(srv.URL + "/loopproof/show/default/1")
	took := time.Since(began)
	size := eval[int](b, `performance.getEntriesByType("navigation")[0].decodedBodySize`)
	fmt.Printf("%d turns with results of 1.1 MB: a page of %d kB, there in %s\n", turns, size/1000, took.Round(time.Millisecond))
	if shown := eval[int](b, `document.querySelectorAll("article").length`); shown != turns || size > 3_000_000 || took > 5*time.Second {
		t.Errorf("%d turns on a page of %d bytes took %s", shown, size, took)
	}
	b.run(chromedp.Evaluate(`document.querySelectorAll("#request-2 .rest").forEach((d) => { d.open = true })`, nil))
	link := eval[string](b, `document.querySelector("#request-2 .result a").href`)
	resp, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if whole, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK || len(whole) != 1_100_000 {
		t.Errorf("the whole result answers %d with %d bytes, %v", resp.StatusCode, len(whole), err)
	}
}

// The report of the suite is one file that looks like the pages. REPORT names another one to look
// at.
func TestReport(t *testing.T) {
	file, err := filepath.Abs(cmp.Or(os.Getenv("REPORT"), "../../report/testdata/broken.html"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	for _, s := range append(looks, screens...) {
		b := open(t, s)
		b.goTo("file://" + file)
		b.shoot("report-" + s.name)
		b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach((d) => { d.open = true })`, nil))
		b.shoot("report-open-" + s.name)
		b.check("the report on the " + s.name)
	}
}

// The report opens on what is broken, is filtered, and leads to any rule.
func TestReportFilter(t *testing.T) {
	file, err := filepath.Abs("../../report/testdata/broken.html")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, looks[0])
	b.goTo("file://" + file)
	shown := func() string {
		return eval[string](b, `[...document.querySelectorAll("[data-filter]")].filter((e) => e.checkVisibility() && !e.matches("li")).map((e) => e.id || "untested").join(" ")`)
	}
	expect := func(when, want string) {
		t.Helper()
		if got := shown(); got != want {
			t.Errorf("%s there is %q, want %q", when, got, want)
		}
	}
	expect("at first", "pairing/every-call-answered egress/no-private-fields untested")
	b.run(set("q", "TWO-TOOLS"))
	expect("with a scenario searched", "pairing/every-call-answered egress/no-private-fields")
	b.run(set("q", "distinct"))
	expect("with a passed rule searched", "pairing/ids-distinct")
	b.run(set("q", ""), set("level", "should"))
	expect("with a level chosen", "egress/no-private-fields")
	b.run(set("level", ""))
	expect("at last", "pairing/every-call-answered egress/no-private-fields untested")
	b.run(chromedp.Click(`a[href="#reasoning/empty-resent"]`, chromedp.ByQuery))
	b.until(`document.getElementById("reasoning/empty-resent").checkVisibility()`)
}

// A system instruction outside of the contents has no role of its own, and is shown as what it is;
// so are calls without ids.
func TestConversationsOfGeminiAreShown(t *testing.T) {
	script, err := scenarios.Parse("weather/two-cities.yaml", twoCities)
	if err != nil {
		t.Fatal(err)
	}
	older, err := profiles.Get("gemini-2.5")
	if err != nil {
		t.Fatal(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Profile: older, Scenarios: []*scenarios.Scenario{script}})
	t.Cleanup(srv.Close)
	asked := `{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"` + prompt + `"}]}]}`
	resp, err := http.Post(srv.URL+"/v1beta/models/gemini-2.5-pro:generateContent", "application/json", strings.NewReader(asked))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	b := open(t, screens[0])
	b.goTo(srv.URL + "/loopproof/show/default/1")
	shown := eval[string](b, `document.body.innerText`)
	for _, want := range []string{"system\nBe brief.", `{"city":"Oslo"}`, `{"city":"Lima"}`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page does not say %q:\n%s", want, shown)
		}
	}
	b.shoot("gemini")
}

package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
)

// many are answers of all kinds: good, refused, failing for a while, cut off.
const many = `
loopproof: 1
title: Many kinds
model:
  - when: {user: {contains: overloaded}}
    status: 503
  - {when: {user: {contains: once}}, status: 429, times: 1}
  - when: {user: {contains: breaks off}}
    text: Half an answer is no ans
    cut: {before: finish}
  - text: All is well.
`

// question is a request of a user; the answer does not matter.
func question(t *testing.T, base string, messages ...any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": "gpt-5-mini", "messages": messages})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

// mockRun is a run of its own under a name.
func mockRun(id string) mockprovider.RunConfig { return mockprovider.RunConfig{ID: id} }

// look returns what a URL answers.
func look(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func says(role, text string) map[string]any { return map[string]any{"role": role, "content": text} }

// crowd makes a server on which a lot went on, some of it hostile: six conversations outside of
// runs and one in each of two runs.
func crowd(t *testing.T) *mockprovider.Server {
	t.Helper()
	srv := start(t, many)
	for _, id := range []string{"test-checkout", "test-refund"} {
		if _, err := srv.StartRun(mockRun(id)); err != nil {
			t.Fatal(err)
		}
		question(t, srv.URL+"/run/"+id, says("user", "A question of "+id))
	}
	question(t, srv.URL, says("user", "Are you overloaded?"))
	question(t, srv.URL, says("user", "Fail once, please."))
	question(t, srv.URL, says("user", "Fail once, please."))
	question(t, srv.URL, says("user", "This one breaks off"))
	question(t, srv.URL, says("user", strings.Repeat("Long", 60)+" "+strings.Repeat("and more words ", 300)))
	question(t, srv.URL, says("user", "\u202egnp.exe مرحبا بالعالم \x1b[31mred\x00\u200b <script>alert(1)</script>"))
	question(t, srv.URL, says("user", "Broken"), map[string]any{"role": "tool", "tool_call_id": "call_nobody", "content": "4 C"})
	if resp, err := http.Get(srv.URL + "/v2/nothing/" + strings.Repeat("x", 300)); err == nil {
		resp.Body.Close()
	}
	return srv
}

// wide and narrow are the widths at which people look.
var looks = []screen{{"wide", 1280, 900, false}, {"wide-dark", 1280, 900, true}, {"narrow", 390, 844, false}, {"narrow-dark", 390, 844, true}}

// Whatever was asked fits, and says what happened: an error does not look like a success, and
// nothing is hidden.
func TestListOfAllKinds(t *testing.T) {
	srv := crowd(t)
	for _, s := range looks {
		b := open(t, s)
		for name, path := range map[string]string{"list": "/", "list-flat": "/?flat=1", "list-none": "/?q=nowhere", "error": "/show/default/1", "hostile": "/show/default/6", "refused": "/show/default/7"} {
			b.goTo(srv.URL + "/loopproof" + path)
			b.until(`document.getElementById("live").textContent === "Live."`)
			b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach((d) => { d.open = true })`, nil))
			b.shoot(name + "-" + s.name)
			b.check(name + ", " + s.name)
		}
	}
	b := open(t, looks[0])
	b.goTo(srv.URL + "/loopproof/")
	row := func(title string) string {
		return eval[string](b, fmt.Sprintf(`[...document.querySelectorAll("tr[data-key]")].map((r) => r.innerText.replaceAll("\u200e", "")).find((r) => r.includes(%q)) ?? "no such row"`, title))
	}
	for title, want := range map[string][]string{
		"Are you overloaded?": {"503", "no rule broken", "gpt-5-mini"},
		"Fail once":           {"429, 200", "nothing found"},
		"breaks off":          {"200 cut off", "no rule broken"},
		"Broken":              {"400", "must"},
		"⟨U+202E⟩gnp.exe":     {"␛[31mred", "⟨U+200B⟩", "<script>"},
		"Run test-checkout":   {"1 conversation, 1 request"},
	} {
		for _, w := range want {
			if got := row(title); !strings.Contains(got, w) || strings.Contains(w, "no rule broken") && strings.Contains(got, "nothing found") {
				t.Errorf("the row of %q does not say %q, but %q", title, w, got)
			}
		}
	}
	b.goTo(srv.URL + "/loopproof/show/default/1")
	if answer := eval[string](b, `document.querySelector(".message.error").innerText`); strings.Contains(answer, "{") || !strings.Contains(answer, "503") {
		t.Errorf("the error reads %q", answer)
	}
	if sum := eval[string](b, `document.querySelector("header p").innerText`); sum != "answered 503, no rule broken" {
		t.Errorf("the conversation is summed up as %q", sum)
	}
}

// titles are those of the conversations that are listed.
const titles = `[...document.querySelectorAll("tr[data-key] .title a")].map((a) => a.innerText)`

// set fills a field of the filter in.
func set(field, value string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`{ const f = document.querySelector("[name=%s]"); f.value = %q; f.dispatchEvent(new Event("input", { bubbles: true })); }`, field, value), nil)
}

// The list is searched and filtered while one types, keeps its focus, and the address says what is
// shown.
func TestFilter(t *testing.T) {
	srv := crowd(t)
	b := open(t, looks[0])
	b.goTo(srv.URL + "/loopproof/")
	b.until(`document.getElementById("live").textContent === "Live."`)
	b.run(chromedp.KeyEvent("/"))
	if got := eval[string](b, `document.activeElement.name`); got != "q" {
		t.Errorf("after / the focus is on %q", got)
	}
	b.run(set("q", ""), chromedp.KeyEvent("OVERLOADED"))                                                      // the driver types the / besides
	b.until(titles + `.join() === "Are you overloaded?" && location.search.length >= "?q=OVERLOADED".length`) // typing may be slow, and the list is filtered in between
	if got := eval[string](b, `location.search + " " + document.activeElement.name`); got != "?q=OVERLOADED q" {
		t.Errorf("the address and the focus are %q", got)
	}
	b.run(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("x"))
	b.until(`document.querySelector(".none").checkVisibility()`)
	b.run(set("q", ""), set("only", "broken"))
	b.until(titles + `.join() === "Broken" && !document.querySelector(".none").checkVisibility()`)
	question(t, srv.URL, says("user", "Broken too"), map[string]any{"role": "tool", "tool_call_id": "call_nobody", "content": "4 C"})
	question(t, srv.URL, says("user", "Fine"))
	b.until(titles + `.join() === "Broken too,Broken" && document.querySelector(".totals").innerText.includes("2 broken")`)

	b.run(emulation.SetScriptExecutionDisabled(true)) // and without JavaScript by its button
	b.goTo(srv.URL + "/loopproof/?only=errors")
	b.run(chromedp.SendKeys(`[name=q]`, "cut off"), chromedp.SendKeys(`[name=q]`, kb.Enter))
	var at string
	for end := time.Now().Add(20 * time.Second); !strings.HasSuffix(at, "/?q=cut+off&only=errors"); time.Sleep(20 * time.Millisecond) {
		if b.run(chromedp.Location(&at)); time.Now().After(end) {
			t.Fatalf("without JavaScript the address is %s", at)
		}
	}
	b.run(emulation.SetScriptExecutionDisabled(false))
	b.goTo(srv.URL + "/loopproof/?run=test-refund")
	if got := eval[[]string](b, titles); len(got) != 1 || got[0] != "A question of test-refund" {
		t.Errorf("of the run test-refund there are %q", got)
	}
}

// A base URL can be copied, and the page says how a dialect gets one.
func TestCopy(t *testing.T) {
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	anthropic, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	srv := startWith(t, twoCities, mockprovider.Config{Profile: openai, ExtraProfiles: []*profiles.Profile{anthropic}})
	b := open(t, looks[0])
	b.goTo(srv.URL + "/loopproof/")
	b.run(permissions.GrantPermissions([]permissions.PermissionType{permissions.PermissionTypeClipboardReadWrite, permissions.PermissionTypeClipboardSanitizedWrite}).WithOrigin(srv.URL))
	b.run(chromedp.Click(".copy", chromedp.ByQuery))
	b.until(`document.querySelector(".copy").textContent === "Copied"`)
	if got := eval[string](b, `document.querySelector(".address").textContent`); got != srv.URL+"/v1" {
		t.Errorf("the address is %q", got)
	}
	var copied string
	b.run(chromedp.Evaluate(`navigator.clipboard.readText()`, &copied, chromedp.EvalAsValue, awaited))
	if copied != srv.URL+"/v1" {
		t.Errorf("copied is %q", copied)
	}
	text := eval[string](b, `document.querySelector(".addresses").innerText`)
	for _, want := range []string{"Messages, profile anthropic", "Ollama's /api/chat is not played: start with --profile ollama-native"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q of the other dialects: %q", want, text)
		}
	}
}

// A request of very many messages comes up at once, and shows what is wrong in the middle of it.
func TestVeryManyMessages(t *testing.T) {
	srv := start(t, many)
	messages := make([]any, 0, 160_000) // a request has at most 500,000 values
	for i := range 80_000 {
		messages = append(messages, says("user", fmt.Sprintf("Question %d", i)), says("assistant", fmt.Sprintf("Answer %d", i)))
	}
	messages[80_001] = map[string]any{"role": "assistant", "content": "Odd.", "isError": true}
	messages[159_999] = says("user", "The last.")
	question(t, srv.URL, messages...)
	b := open(t, looks[2])
	for path, most := range map[string]int{"/": 20_000, "/show/default/1": 200_000, "/show/default/1?all=1": 6_000_000} {
		began := time.Now()
		b.goTo(srv.URL + "/loopproof" + path)
		took := time.Since(began)
		size := eval[int](b, `performance.getEntriesByType("navigation")[0].decodedBodySize`)
		fmt.Printf("160,000 messages: %s is a page of %d kB, there in %s\n", path, size/1000, took.Round(time.Millisecond))
		if size > most {
			t.Errorf("%s has %d bytes, more than %d", path, size, most)
		}
	}
	b.goTo(srv.URL + "/loopproof/show/default/1")
	text := eval[string](b, "document.body.innerText")
	for _, want := range []string{"Question 0", "The last.", "messages not shown", "Odd.", "egress/no-private-fields", "Show all"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%.2000s", want, text)
		}
	}
	b.shoot("very-many")
	b.check("very many messages")
}

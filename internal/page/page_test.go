package page_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/page"
)

// Every template is rendered with something in all of its corners, and nothing in it is treated as
// HTML.
func TestEverythingIsEscaped(t *testing.T) {
	const evil = `<script>alert("1")</script>`
	text := page.NewText(strings.Repeat(evil, 1000), "/all")
	finding := page.Finding{Rule: evil, Level: "must", Text: evil, Message: evil, Expected: evil, Actual: evil, Pointer: evil, Exhibit: evil, Provider: evil, Sources: []page.Source{{URL: "javascript:alert(1)", Says: evil}}}
	call := page.Call{ID: evil, Name: evil, Arguments: text}
	message := page.Message{Role: "user", Skipped: 1, Word: evil, Text: text, Reasoning: text, Calls: []page.Call{call}, Results: []page.Result{{CallID: evil, Tool: evil, Error: true, Text: text}}, Findings: []page.Finding{finding}}
	live := page.Live{Title: evil, Prefix: "/loopproof", Events: "/loopproof/events", State: evil, Version: evil}
	turn := page.Turn{
		Request: page.Request{Number: 1, Target: evil, Model: evil, Fault: evil, Problem: evil, Overrun: true, Forwarded: true},
		Changed: true, Messages: []page.Message{message},
		Tools: []string{evil}, Findings: []page.Finding{finding}, Refusal: &page.Refusal{Text: evil, Given: true},
		Answer: &page.Answer{Status: 200, Text: text, Refusal: evil, Items: []page.Item{{ID: evil, Type: evil, Text: text}}, Calls: []page.Call{call}, Finish: evil, Ending: evil},
		Sent:   page.NewRaw([]byte(evil), "/body", false), JSON: "javascript:alert(1)", Unshown: 1, Left: 1, Skipped: 1, Headers: []page.Header{{Name: evil, Value: evil}},
	}
	for name, data := range map[string]any{
		"runs.tmpl": page.Runs{
			Live: live, Addresses: []page.Address{{Variable: evil, URL: evil, Profile: evil, Dialect: evil}, {Variable: evil, Dialect: evil, Example: evil}},
			Exercises: []page.Exercise{{Title: evil, Script: evil, Played: 1, After: 1, Sum: page.Sum{Must: 1}}},
			Filter:    page.Filter{Query: evil, Run: evil}, Totals: page.Totals{Runs: 2, Conversations: 1, Requests: 1, Broken: 1, Errors: 1},
			Rows: []page.Row{
				{Key: evil, Version: evil, Group: &page.Group{Run: evil, URL: "javascript:alert(1)", Broken: 1}},
				{Key: evil, Version: evil, URL: "/x", Title: evil, Scenario: evil, Note: evil, Run: evil, Model: evil, Profile: evil, Requests: 1, Statuses: []page.Status{{Code: 503, Times: 2}}},
			},
			More: 1, AllURL: evil, Unrouted: []page.Unrouted{{Request: page.Request{Method: evil, Target: evil, Problem: evil}}},
		},
		"conversation.tmpl": page.Conversation{
			Live: live, Run: evil, Scenario: evil, Profile: evil, Dialect: evil, Lenient: true, Turns: []page.Turn{turn},
			Whole: "javascript:alert(1)", Executions: []page.Execution{{Tool: evil, CallID: evil, Arguments: text, Result: text, Failed: true}},
		},
	} {
		var b strings.Builder
		if err := page.Write(&b, name, data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := b.String(); strings.Contains(got, "<script>") || strings.Contains(got, `href="javascript`) || !strings.HasSuffix(got, "</html>\n\n") && !strings.HasSuffix(got, "</html>\n") {
			t.Errorf("%s is rendered as\n%s", name, got)
		}
	}
	if err := page.Write(&strings.Builder{}, "nothing.tmpl", nil); err == nil {
		t.Error("a page that is not there is no error")
	}
}

func TestNewText(t *testing.T) {
	for _, c := range []struct {
		letters int
		size    string
		all     bool // on the page
	}{{10, "", true}, {1500, "", true}, {5000, "10.0 kB", false}, {3000, "6.0 kB", true}, {600_000, "1.2 MB", false}} {
		text := strings.Repeat("é", c.letters)
		if c.letters == 1500 {
			text = strings.Repeat("e", c.letters)
		}
		got := page.NewText(text, "/all")
		if got.Size != c.size || (got.Short+got.Rest == text) != c.all || (got.URL == "") != c.all {
			t.Errorf("of %d letters: %q, %d bytes, %q", c.letters, got.Size, len(got.Short)+len(got.Rest), got.URL)
		}
		if !utf8.ValidString(got.Short) || !utf8.ValidString(got.Rest) {
			t.Errorf("of %d letters one is cut in two", c.letters)
		}
	}
}

// What is not seen is made visible, wherever it is; what emoji and scripts need stays.
func TestVisible(t *testing.T) {
	for given, want := range map[string]string{
		"plain\ttext\n":       "plain\ttext\n",
		"\x1b[31mred\x7f\r\n": "␛[31mred␡␍\n",
		"a\u202egnp.exe":      "a⟨U+202E⟩gnp.exe",
		"zero\u200bwidth":     "zero⟨U+200B⟩width",
		"\ufeffmark \u0085":   "⟨U+FEFF⟩mark ⟨U+0085⟩",
		"tag\U000e0041":       "tag⟨U+E0041⟩",
		"👩\u200d🚀 مرحبا":      "👩\u200d🚀 مرحبا",
		"bad \xff byte\x01":   "bad \ufffd byte␁",
	} {
		if got := strings.ReplaceAll(string(page.Visible([]byte(given))), "\u200e", ""); got != want {
			t.Errorf("%q is shown as %q, want %q", given, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		400 * time.Microsecond: "", 12 * time.Millisecond: "12 ms", 2500 * time.Millisecond: "2.5 s",
		424313 * time.Millisecond: "7 min 4 s", 2 * time.Minute: "2 min", 90*time.Minute + time.Second: "1 h 30 min",
	} {
		if got := page.Span(d); got != want {
			t.Errorf("%s is written %q, want %q", d, got, want)
		}
	}
}

func TestAsset(t *testing.T) {
	if page.Asset("style.css") == nil || page.Asset("live.js") == nil {
		t.Error("the files of the pages are not there")
	}
	if page.Asset("layout.tmpl") != nil || page.Asset("../page.go") != nil {
		t.Error("more is served than the pages load")
	}
}

func TestThread(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/o/r.js/pull/12":             "o/r.js#12",
		"https://github.com/o/r/issues/12#issuecomment": "https://github.com/o/r/issues/12#issuecomment",
		"https://example.com/issues/1":                  "https://example.com/issues/1",
	} {
		if got := page.Thread(address); got != want {
			t.Errorf("%s is named %s, want %s", address, got, want)
		}
	}
}

func TestSiteAssets(t *testing.T) {
	for _, name := range page.SiteAssets() {
		if len(page.SiteAsset(name)) == 0 {
			t.Errorf("%s is not there", name)
		}
	}
}

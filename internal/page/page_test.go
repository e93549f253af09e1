package page_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/page"
)

// Every template is rendered with something in all of its corners, and nothing in it is taken for HTML.
func TestEverythingIsEscaped(t *testing.T) {
	const evil = `<script>alert("1")</script>`
	text := page.NewText(strings.Repeat(evil, 1000), "/all")
	finding := page.Finding{Rule: evil, Level: "must", Text: evil, Message: evil, Expected: evil, Actual: evil, Pointer: evil, Exhibit: evil, Provider: evil, Source: "javascript:alert(1)"}
	call := page.Call{ID: evil, Name: evil, Arguments: text}
	message := page.Message{Role: "user", Word: evil, Text: text, Reasoning: text, Calls: []page.Call{call}, Results: []page.Result{{CallID: evil, Tool: evil, Error: true, Text: text}}, Findings: []page.Finding{finding}}
	live := page.Live{Title: evil, Prefix: "/loopproof", Events: "/loopproof/events", State: evil, Version: evil}
	turn := page.Turn{
		Number: 1, Target: evil, Model: evil, Fault: evil, Problem: evil, Overrun: true, Passed: true, Changed: true, Messages: []page.Message{message},
		Tools: []string{evil}, Findings: []page.Finding{finding}, Refusal: &page.Refusal{Text: evil, Given: true},
		Answer:  &page.Answer{Status: 200, Text: text, Refusal: evil, Calls: []page.Call{call}, Finish: evil, Ending: evil},
		Request: page.NewRaw([]byte(evil), "/body"), Headers: []page.Header{{Name: evil, Value: evil}},
	}
	for name, data := range map[string]any{
		"runs.tmpl": page.Runs{
			Live: live, BaseURL: evil, Rows: []page.Row{{Key: evil, Version: evil, URL: "/x", Title: evil, Run: evil, Profile: evil, Requests: 1}},
			More: 1, Strays: []page.Stray{{Method: evil, Target: evil, Problem: evil}},
		},
		"conversation.tmpl": page.Conversation{
			Live: live, Run: evil, Scenario: evil, Profile: evil, Dialect: evil, Lenient: true, Turns: []page.Turn{turn},
			Executions: []page.Execution{{Tool: evil, CallID: evil, Arguments: text, Result: text, Failed: true}},
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

func TestAsset(t *testing.T) {
	if page.Asset("style.css") == nil || page.Asset("live.js") == nil {
		t.Error("the files of the pages are not there")
	}
	if page.Asset("layout.tmpl") != nil || page.Asset("../page.go") != nil {
		t.Error("more is served than the pages load")
	}
}

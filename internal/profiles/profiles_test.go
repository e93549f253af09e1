package profiles_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/profiles"
)

// small is the smallest profile that says all it has to. Line numbers in the tests below count from
// its first line.
const small = `loopproof: 1
title: Acme
dialect: chat
completion-id: acme-{hex:8}
call-id: call_{alnum:24}
shape:
  answer: {id: $id, choices: [{message: {content: $text or null, tool_calls: $calls}, finish_reason: $finish}], usage: $usage}
  call: {id: $id, function: {name: $name, arguments: $arguments}}
  usage: {total_tokens: $total}
  reasoning-field: reasoning
  stream:
    chunk: {id: $id, choices: $choices, usage: $usage}
    choice: {delta: $delta, finish_reason: $finish or null}
    text: {content: $text}
    reasoning: {reasoning: $reasoning}
    calls: {tool_calls: $calls}
    call: {index: $index, id: $id, function: {name: $name, arguments: $arguments}}
    end: {}
    usage: when-asked
reasoning:
  resend: tool-turns
  known-by: documented
  sources: [https://example.com/reasoning]
errors:
  envelope: {error: {message: $message, type: $type, code: $status}}
  in-band: {error: {message: $message}}
  words:
    429: {message: Slow down., type: rate_limit}
refuses:
  - rule: pairing/every-call-answered
    status: 400
    message: "No answer for {ids} in messages[{index}]."
    code: unanswered
    known-by: reported
    sources: [https://example.com/issues/1]
`

func TestSmallProfileIsRead(t *testing.T) {
	p, err := profiles.Parse("folder/a-provider.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "a-provider" || p.Title != "Acme" || !p.Traits.Reasoning {
		t.Errorf("read %q, %q, reasons: %v", p.Name, p.Title, p.Traits.Reasoning)
	}
	if r, ok := p.Refusal("pairing/every-call-answered"); !ok || r.Status != 400 || !r.KnownBy.Strong() {
		t.Errorf("the refusal is %+v, %v", r, ok)
	}
	if _, ok := p.Refusal("pairing/no-orphan-result"); ok {
		t.Error("the profile refuses what it does not list")
	}
	for _, c := range []struct {
		status int
		want   string
	}{
		{429, `{"error":{"message":"Slow down.","type":"rate_limit","code":429}}`},
		{404, `{"error":{"message":"The request failed.","type":"invalid_request_error","code":404}}`}, // no words of its own
		{502, `{"error":{"message":"The request failed.","type":"server_error","code":502}}`},
	} {
		if got := string(p.Error(c.status, p.WordsFor(c.status))); got != c.want {
			t.Errorf("the body of a %d is %s, want %s", c.status, got, c.want)
		}
	}
}

func TestBadProfiles(t *testing.T) {
	const place = "; the places here are $"
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown key", "title: Acme", "titel: Acme", `a-provider.yaml:2:1: unknown key "titel" (did you mean "title"?)`},
		{"unknown key in a refusal", "code: unanswered", "cod: unanswered", `a-provider.yaml:33:5: unknown key "cod" (did you mean "code"?)`},
		{"wrong type", "status: 400", "status: bad", `a-provider.yaml:31:13: expected a whole number, found the text "bad"`},
		{"unknown quirk", "title: Acme", "title: Acme\nquirks: {call-index-mising: {known-by: recorded, sources: [a]}}", `a-provider.yaml:3:29: unknown quirk "call-index-mising" (did you mean "call-index-missing"?); `},
		{"quirk without a source", "title: Acme", "title: Acme\nquirks: {nulls: {known-by: recorded}}", "a-provider.yaml:3:17: the quirk nulls names no source"},
		{"quirk without a proof", "title: Acme", "title: Acme\nquirks: {nulls: {sources: [a]}}", `a-provider.yaml:3:17: how it is known is missing: ` + "`known-by` is one of executed, documented, recorded, measured, reported, unnamed"},
		{"quirk of another dialect", "title: Acme", "title: Acme\nquirks: {pings-anywhere: {known-by: recorded, sources: [a]}}", "a-provider.yaml:3:26: answers of the dialect chat cannot have the quirk pings-anywhere, which is one of another dialect"},
		{"quirk of an unknown proof", "title: Acme", "title: Acme\nquirks: {nulls: {known-by: heard, sources: [a]}}", `a-provider.yaml:3:28: unknown proof "heard"`},
		{"unknown key of a quirk", "title: Acme", "title: Acme\nquirks: {nulls: {known-by: recorded, source: a}}", `a-provider.yaml:3:38: unknown key "source" (did you mean "sources"?)`},
		{"quirk that is always a text", "title: Acme", "title: Acme\nquirks: {nulls: {always: often, known-by: recorded, sources: [a]}}", "a-provider.yaml:3:26: expected"},
		{"quirk that is always and was once", "title: Acme", "title: Acme\nquirks: {nulls: {always: true, until: 1.2.3, known-by: recorded, sources: [a]}}", "a-provider.yaml:3:39: the quirk nulls is always shown, or was until 1.2.3"},
		{"quirks as a list", "title: Acme", "title: Acme\nquirks: [nulls]", "a-provider.yaml:3:9: expected a mapping"},
		{"unknown key that binds nobody", "title: Acme", "title: Acme\nnot-bound-by: {m: {known-by: documented, sources: [a]}}", `a-provider.yaml:3:19: unknown key of a request "m" (did you mean "n"?); it is one of n, tool_choice`},
		{"key that binds nobody without a proof", "title: Acme", "title: Acme\nnot-bound-by: {n: {sources: [a]}}", `a-provider.yaml:3:19: how it is known is missing: ` + "`known-by` is one of executed"},
		{"key that binds nobody without a source", "title: Acme", "title: Acme\nnot-bound-by: {n: {known-by: documented}}", "a-provider.yaml:3:19: that no answer is held to n needs a source"},
		{"keys that bind nobody as a list", "title: Acme", "title: Acme\nnot-bound-by: [n]", "a-provider.yaml:3:15: expected a mapping"},
		{"nothing but a title", small, "loopproof: 1\ntitle: Acme\n", "a-provider.yaml:1:1: a profile is `like` another one, as in `like: openai`, or says all by itself: dialect, completion-id, call-id, errors, reasoning and shape"},
		{"other format", "loopproof: 1", "loopproof: 2", "a-provider.yaml:1:12: this is not a file of format 1: it needs the line `loopproof: 1`"},
		{"no title", "title: Acme\n", "", "a-provider.yaml:1:1: a profile needs a title"},
		{"unknown dialect", "dialect: chat", "dialect: chats", `a-provider.yaml:3:10: unknown dialect "chats" (did you mean "chat"?); it is one of chat, messages`},
		{"name of no header", "title: Acme", "title: Acme\nheaders: {x-region: eu, bad header: x}", `a-provider.yaml:3:37: "bad header" is no name of a header`},
		{"name of no header of errors", "errors:\n", "errors:\n  headers: {x:y: z}\n", `a-provider.yaml:25:18: "x:y" is no name of a header`},
		{"no id pattern", "call-id: call_{alnum:24}\n", "", "a-provider.yaml:1:1: a profile needs call-id, the pattern of the ids of its tool calls"},
		{"empty id pattern", "completion-id: acme-{hex:8}", `completion-id: ""`, "a-provider.yaml:1:1: a profile needs completion-id, the pattern of the ids of its answers"},
		{"unknown alphabet", "call_{alnum:24}", "call_{alnums:24}", `a-provider.yaml:5:10: unknown variable {alnums:24} (did you mean "alnum"?); the variables are alnum, count, digits, hex, lower, name`},
		{"alphabet without a length", "call_{alnum:24}", "call_{alnum}", "a-provider.yaml:5:10: {alnum} needs a length, as in {alnum:24}"},
		{"length of zero", "call_{alnum:24}", "call_{alnum:0}", "a-provider.yaml:5:10: {alnum:0} needs a length, as in {alnum:24}"},
		{"endless length", "call_{alnum:24}", "call_{alnum:999999999}", "a-provider.yaml:5:10: {alnum:999999999} needs a length, as in {alnum:24}"},
		{"name with a length", "call_{alnum:24}", "call_{name:3}", "a-provider.yaml:5:10: unknown variable {name:3}"},
		{"open brace", "call_{alnum:24}", "call_{alnum:24}{", `a-provider.yaml:5:10: a brace in "call_{alnum:24}{" has no partner`},
		{"brace before a variable", "call_{alnum:24}", "a}{alnum:24}", `a-provider.yaml:5:10: a brace in "a}{alnum:24}" has no partner`},
		{"pattern that is a list", "call_{alnum:24}", "[a]", "a-provider.yaml:5:10: expected a pattern such as call_{alnum:24}"},

		{"no template", "  call: {id: $id, function: {name: $name, arguments: $arguments}}\n", "", "a-provider.yaml:7:3: a profile needs the template call"},
		{"no template in the stream", "    end: {}\n", "", "a-provider.yaml:12:5: a profile needs the template end"},
		{"no template for reasoning", "    reasoning: {reasoning: $reasoning}\n", "", "a-provider.yaml:12:5: a profile needs the template reasoning"},
		{"no template for the second finish", "usage: when-asked", "usage: after-again", "a-provider.yaml:12:5: a profile needs the template again"},
		{"unknown place", "message: $message, type", "message: $mesage, type", `a-provider.yaml:25:13: unknown place $mesage (did you mean "message"?)` + place + "code, $details, $message, $param, $status, $type"},
		{"place of another template", "text: {content: $text}", "text: {content: $finish}", "a-provider.yaml:14:11: unknown place $finish" + place + "role, $text, $reasoning, $details, $calls"},
		{"place that is none", "text: {content: $text}", "text: {content: [$Text]}", `a-provider.yaml:14:22: a place is a name in small letters after a $, not "$Text"`},
		{"unknown alternative", "$text or null", "$text or nothing", `a-provider.yaml:7:51: in "$text or nothing" is nothing; without a value there can be null or ""`},
		{"doubled key in a template", "{content: $text}", "{content: $text, content: a}", `a-provider.yaml:14:28: the key "content" is here twice, first in line 14`},
		{"unknown place of the usage", "usage: when-asked", "usage: when-aksed", `a-provider.yaml:19:12: unknown place of the token counts "when-aksed" (did you mean "when-asked"?); it is one of when-asked, on-finish, after-again, alone, twice`},
		{"unknown reason to stop", "  stream:", "  finish: {stopped: end}\n  stream:", `a-provider.yaml:11:11: unknown reason to stop "stopped" (did you mean "stop"?); it is one of stop, calls, length, content-filter`},
		{"blocks without a field", "  reasoning-field: reasoning\n", "  reasoning-details: true\n", "a-provider.yaml:10:22: a provider that shows blocks of reasoning has a reasoning-field too"},

		{"unknown policy", "resend: tool-turns", "resend: tool-turn", `a-provider.yaml:21:11: unknown policy "tool-turn" (did you mean "tool-turns"?); it is one of none, never, optional, tool-turns, all-turns`},
		{"no policy", "  resend: tool-turns\n", "", `a-provider.yaml:21:3: unknown policy ""; it is one of none, never, optional, tool-turns, all-turns`},
		{"images at an unknown place", "reasoning:\n  resend", "images: {in: [tool-result], known-by: documented, sources: [https://example.com]}\nreasoning:\n  resend", `a-provider.yaml:20:14: unknown place of images "tool-result" (did you mean "tool-results"?); it is one of user-messages, tool-results`},
		{"images without a proof", "reasoning:\n  resend", "images: {in: [user-messages]}\nreasoning:\n  resend", "a-provider.yaml:20:9: how it is known is missing: `known-by` is one of executed"},
		{"images without a source", "reasoning:\n  resend", "images: {in: [user-messages], known-by: documented}\nreasoning:\n  resend", "a-provider.yaml:20:9: where a provider takes images needs a source"},
		{"images nowhere", "reasoning:\n  resend", "images: {known-by: documented}\nreasoning:\n  resend", "a-provider.yaml:20:9: images say where they are taken: `in: [user-messages]`"},
		{"policy without a proof", "  known-by: documented\n", "", "a-provider.yaml:21:3: how it is known is missing: `known-by` is one of executed, documented, recorded, measured, reported, unnamed"},
		{"policy without a source", "  sources: [https://example.com/reasoning]\n", "", "a-provider.yaml:21:3: what a provider wants of reasoning needs a source"},
		{"no envelope", "  envelope: {error: {message: $message, type: $type, code: $status}}\n", "", "a-provider.yaml:25:3: a profile needs the template envelope"},
		{"words for a status that is not an error", "429: {", "200: {", "a-provider.yaml:28:10: an error has a status from 300 to 599, not 200"},
		{"words about forms without a keyword", "errors:\n", "errors:\n  form: [{when: {key: a}, message: No.}]\n", "a-provider.yaml:25:10: words about forms need the keyword that is broken, as in `when: {breaks: required}`"},
		{"words about forms with a status", "errors:\n", "errors:\n  form: [{when: {breaks: type}, message: No., status: 422}]\n", "a-provider.yaml:25:55: words about forms have the status of the refusal"},
		{"words without a message", "{message: Slow down., type: rate_limit}", "{type: rate_limit}", "a-provider.yaml:28:10: an error needs a message"},

		{"envelope of a status that is not an error", "errors:\n", "errors:\n  envelopes: {200: {detail: $message}}\n", "a-provider.yaml:25:20: an error has a status from 300 to 599, not 200"},
		{"unknown place in an envelope of a status", "errors:\n", "errors:\n  envelopes: {401: {detail: $mesage}}\n", `a-provider.yaml:25:20: unknown place $mesage (did you mean "message"?)`},
		{"form of an unknown proof", "title: Acme", "title: Acme\nforms: {errors: {known-by: heard}}", `a-provider.yaml:3:28: unknown proof "heard"`},
		{"form without a source", "title: Acme", "title: Acme\nforms: {answers: {known-by: recorded}}", "a-provider.yaml:3:18: a form that is recorded needs a source"},
		{"other words for nothing", "    status: 400\n", "    status: 400\n    instead: [{message: No.}]\n", "a-provider.yaml:32:15: other words need when: the values of the violations that they are for"},
		{"other words that are none", "    status: 400\n", "    status: 400\n    instead: [{when: {ids: a}}]\n", "a-provider.yaml:32:15: other words need a message"},
		{"unknown key of other words", "    status: 400\n", "    status: 400\n    instead: [{if: {ids: a}, message: No.}]\n", `a-provider.yaml:32:16: unknown key "if"`},

		{"refusal known by a code without a version", "known-by: reported", "known-by: executed", "a-provider.yaml:30:5: what is known by executed needs the code that was run, as in `version: vLLM 0.33.0`"},
		{"version of what was not run", "known-by: reported", "known-by: reported\n    version: Acme 1", "a-provider.yaml:35:14: a version is for what is known by executed, not by reported"},
		{"source that is no place", "sources: [https://example.com/issues/1]", "sources: [https://example.com/issues/1, see docs]", `a-provider.yaml:35:45: "see docs" cannot be looked up: a source is the URL of a page, or a repository or a file in it, such as owner/name or records/answer.json`},
		{"source that is half a URL", "sources: [https://example.com/reasoning]", "sources: ['https:///reasoning']", `a-provider.yaml:23:13: "https:///reasoning" cannot be looked up`},
		{"page that is no place", "title: Acme", "title: Acme\ndocs: [acme]", `a-provider.yaml:3:8: "acme" cannot be looked up`},
		{"source of a quirk that is no place", "title: Acme", "title: Acme\nquirks: {nulls: {known-by: recorded, sources: [a]}}", `a-provider.yaml:3:48: "a" cannot be looked up`},
		{"other words for what is not refused", "    status: 400\n", "    status: 400\n    only: {ids: [a, b]}\n    instead: [{when: {ids: c}, message: No.}]\n", "a-provider.yaml:33:22: these words are never used: only violations are refused where ids is a or b"},
		{"other words after more general ones", "    status: 400\n", "    status: 400\n    instead: [{when: {ids: a}, message: No.}, {when: {ids: a, index: '1'}, message: Never.}]\n", "a-provider.yaml:32:54: these words are never used: those of instead/0 are for the same violations, and come first"},
		{"refusal of no values", "    status: 400\n", "    status: 400\n    only: {ids: []}\n", "a-provider.yaml:32:11: ids needs the values of the violations that are refused, as in {ids: [a, b]}"},
		{"other words with a status of success", "    status: 400\n", "    status: 400\n    instead: [{when: {ids: a}, status: 200, message: No.}]\n", "a-provider.yaml:32:40: a refusal has a status from 400 to 599, not 200"},
		{"refusal with a status of success", "status: 400", "status: 200", "a-provider.yaml:31:13: a refusal has a status from 400 to 599, not 200"},
		{"refusal with a status out of range", "status: 400", "status: 600", "a-provider.yaml:31:13: a refusal has a status from 400 to 599, not 600"},
		{"refusal without a status", "    status: 400\n", "", "a-provider.yaml:30:5: the refusal of pairing/every-call-answered needs a status, as in `status: 400`"},
		{"refusal without a source", "    sources: [https://example.com/issues/1]\n", "", "a-provider.yaml:30:5: the refusal of pairing/every-call-answered names no source"},
		{"refusal with an unknown proof", "known-by: reported", "known-by: heard", `a-provider.yaml:34:15: unknown proof "heard"; it is one of executed, documented, recorded, measured, reported, unnamed`},
		{"refusal without words", "    message: \"No answer for {ids} in messages[{index}].\"\n", "", "a-provider.yaml:30:5: the refusal of pairing/every-call-answered needs a message"},
		{"refusal without a rule", "rule: pairing/every-call-answered\n    status: 400", "status: 400", "a-provider.yaml:30:5: a refusal needs the rule whose violation is refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(small, c.from) {
				t.Fatalf("the small profile does not contain %q", c.from)
			}
			_, err := profiles.Parse("a-provider.yaml", []byte(strings.Replace(small, c.from, c.to, 1)))
			if err == nil {
				t.Fatal("the profile was taken")
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.HasPrefix(first, c.want) {
				t.Errorf("the error is\n\t%s\nwant\n\t%s", err, c.want)
			}
		})
	}
}

func TestUnnamedClaimNeedsNoSource(t *testing.T) {
	unnamed := strings.Replace(small, "known-by: reported\n    sources: [https://example.com/issues/1]", "known-by: unnamed", 1)
	p, err := profiles.Parse("a-provider.yaml", []byte(unnamed))
	if err != nil {
		t.Fatal(err)
	}
	if p.Refuses[0].KnownBy.Strong() {
		t.Error("a claim that nobody can look up counts as strong")
	}
}

func TestLoadReportsEveryFile(t *testing.T) {
	_, err := profiles.Load(fstest.MapFS{
		"good.yaml":      {Data: []byte(small)},
		"one.yaml":       {Data: []byte("titel: x")},
		"two.yaml":       {Data: []byte("")},
		"notes.txt":      {Data: []byte("not read")},
		"deep/file.yaml": {Data: []byte("not read: [")},
	})
	if err == nil || !strings.Contains(err.Error(), `one.yaml:1:1: unknown key "titel"`) || !strings.Contains(err.Error(), "two.yaml: the file is empty") {
		t.Errorf("the error is %v, want it to name both files", err)
	}
}

// TestEmbeddedProfiles: each file of the folder is a profile that says what it is about.
func TestEmbeddedProfiles(t *testing.T) {
	files, err := filepath.Glob("../../profiles/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		p, err := profiles.Get(name)
		switch {
		case err != nil || p.Name != name:
			t.Errorf("%s: %v", file, err)
		case p.About == "" || len(p.Docs) == 0:
			t.Errorf("%s is not described: it needs `about`, a sentence or two about the provider, and `docs`, the pages that describe its API, as in docs: [https://example.com/api]", file)
		}
	}
	if got := len(profiles.Known{}.All()); got != len(files) {
		t.Errorf("%d profiles of %d files", got, len(files))
	}
	if _, err := profiles.Get("opnai"); err == nil || err.Error() != `there is no profile "opnai" (did you mean "openai"?); the profiles are `+strings.Join(profiles.Known{}.Names(), ", ") {
		t.Errorf("the error is %v", err)
	}
}

// TestEmbeddedFormsAreProved: every profile says how the forms are known in which its provider
// writes, and one that has forms of its own says so itself.
func TestEmbeddedFormsAreProved(t *testing.T) {
	for _, p := range profiles.All() {
		file := "../../profiles/" + p.Name + ".yaml"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []struct {
			what  string
			proof profiles.Proof
			own   []string // with which a file says what it has of its own
		}{
			{"answers", p.Forms.Answers, []string{"\nshape:\n"}},
			{"errors", p.Forms.Errors, []string{"\n  envelope: "}},
		} {
			entry := "forms:\n  " + form.what + ":\n    known-by: recorded # or executed, documented, measured, reported\n    sources: [https://github.com/...]"
			if !form.proof.KnownBy.Strong() || len(form.proof.Sources) == 0 {
				t.Errorf("%s does not say how it is known in which form the provider writes its %s. Add where that can be looked up:\n%s", file, form.what, entry)
			}
			for _, own := range form.own {
				if bytes.Contains(text, []byte(own)) && !bytes.Contains(text, []byte("\n  "+form.what+":")) {
					t.Errorf("%s has %s of its own, and does not say how that form is known; what it is `like` proves nothing of it. Add:\n%s", file, strings.TrimSpace(own), entry)
				}
			}
		}
	}
}

// TestSeen: a claim has the day of its file, or its own; and each claim of Loopproof's profiles has
// one.
func TestSeen(t *testing.T) {
	for name, c := range map[string]struct{ top, claim, want string }{
		"of the file":  {"seen: 2026-11-21\n", "known-by: reported", "2026-11-21"},
		"of the claim": {"seen: 2026-11-21\n", "known-by: reported\n    seen: 2026-11-28", "2026-11-28"},
		"of none":      {"", "known-by: reported", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(small, "title: Acme\n", "title: Acme\n"+c.top, 1)
			p, err := profiles.Parse("a-provider.yaml", []byte(strings.Replace(text, "known-by: reported", c.claim, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if p.Refuses[0].Seen != c.want {
				t.Errorf("%q, expected %q", p.Refuses[0].Seen, c.want)
			}
		})
	}
	for _, p := range profiles.All() {
		for _, r := range p.Refuses {
			if r.Seen == "" {
				t.Errorf("nobody noted when the sources of %s in %s were last looked up: the file needs the line `seen: 2026-11-28`", r.Rule, p.Name)
			}
		}
	}
}

func TestStale(t *testing.T) {
	today := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	for seen, want := range map[string]bool{"2026-11-28": false, "2025-11-28": false, "2025-11-27": true, "": true} {
		if got := (profiles.Proof{Seen: seen}).Stale(today); got != want {
			t.Errorf("%q: %t", seen, got)
		}
	}
}

// TestExecuted: the version of the code occurs once at the top, or with the refusal.
func TestExecuted(t *testing.T) {
	for name, c := range map[string]struct{ top, claim, want string }{
		"at the top":       {"executed: Acme 2\n", "known-by: executed", "executed: Acme 2"},
		"with the refusal": {"", "known-by: executed\n    version: Acme 1", "executed: Acme 1"},
		"at both":          {"executed: Acme 2\n", "known-by: executed\n    version: Acme 1", "executed: Acme 1"},
		"for another one":  {"executed: Acme 2\n", "known-by: reported", "reported"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(small, "title: Acme\n", "title: Acme\n"+c.top, 1)
			p, err := profiles.Parse("a-provider.yaml", []byte(strings.Replace(text, "known-by: reported", c.claim, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Refuses[0].How(); got != c.want {
				t.Errorf("it is known by %q, want %q", got, c.want)
			}
			if !p.Refuses[0].KnownBy.Strong() {
				t.Error("the claim does not count as strong")
			}
		})
	}
}

// TestRefusesOnly: a refusal may be of some violations, and some of them may have another status.
func TestRefusesOnly(t *testing.T) {
	r := profiles.Refusal{
		Status:  400,
		Only:    profiles.Violations{{"found": {"null", "a number"}, "role": {"user"}}, {"found": {"a list"}}},
		Instead: []profiles.Otherwise{{When: map[string]string{"found": "a number"}, Status: 500}},
	}
	for _, c := range []struct {
		found, role string
		refused     bool
		status      int
	}{
		{"null", "user", true, 400},
		{"a number", "user", true, 500},
		{"nothing", "user", false, 400},
		{"null", "assistant", false, 400},
		{"a list", "assistant", true, 400},
	} {
		violation := map[string]string{"found": c.found, "role": c.role}
		if got := r.Refuses(violation); got != c.refused {
			t.Errorf("%s of the %s is refused: %v", c.found, c.role, got)
		}
		if got := r.StatusOf(violation); got != c.status {
			t.Errorf("%s of the %s has the status %d, want %d", c.found, c.role, got, c.status)
		}
	}
	if got, want := r.Where(), "found is null or a number, and role is user; or found is a list"; got != want {
		t.Errorf("it is refused where %q, want %q", got, want)
	}
}

// TestWordsOf: some violations are refused in other words.
func TestWordsOf(t *testing.T) {
	r := profiles.Refusal{
		Words: profiles.Words{Message: "{at} is {found}"},
		Instead: []profiles.Otherwise{
			{When: map[string]string{"found": "nothing", "at": "model"}, Words: profiles.Words{Message: "no model"}},
			{When: map[string]string{"found": "nothing"}, Words: profiles.Words{Message: "no {at}"}},
		},
	}
	for _, c := range []struct{ at, found, want string }{
		{"messages", "a text", "messages is a text"},
		{"messages", "nothing", "no messages"},
		{"model", "nothing", "no model"},
	} {
		if got := r.WordsOf(map[string]string{"at": c.at, "found": c.found}).Message; got != c.want {
			t.Errorf("when %s is %s: %q, want %q", c.at, c.found, got, c.want)
		}
	}
}

func TestWordsFill(t *testing.T) {
	param, code := "messages[{index}].{key}", "bad_{key}"
	words := profiles.Words{Message: "No {id} in {id}, {unknown} or {", Param: &param, Code: &code}
	filled := words.Fill(map[string]string{"id": "{key}", "index": "3", "key": "{id}"})
	if want := "No {key} in {key}, {unknown} or {"; filled.Message != want {
		t.Errorf("the message is %q, want %q: values are not filled again", filled.Message, want)
	}
	if *filled.Param != "messages[3].{id}" || *filled.Code != "bad_{id}" || filled.Type != nil {
		t.Errorf("filled %q, %q, %v", *filled.Param, *filled.Code, filled.Type)
	}
	if *words.Param != "messages[{index}].{key}" {
		t.Errorf("the words themselves were changed to %q", *words.Param)
	}
}

func TestWordsVariables(t *testing.T) {
	param := "messages[{index}].{key}"
	for _, c := range []struct {
		words profiles.Words
		want  []string
	}{
		{profiles.Words{Message: "plain"}, nil},
		{profiles.Words{Message: "{b} {a} {b}", Param: &param}, []string{"a", "b", "index", "key"}},
		{profiles.Words{Message: "open {a"}, nil},
		{profiles.Words{Message: "{a} and {b"}, []string{"a"}},
	} {
		if diff := cmp.Diff(c.want, c.words.Variables()); diff != "" {
			t.Errorf("variables of %q (-want +got):\n%s", c.words.Message, diff)
		}
	}
}

func TestPatternExpand(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"fixed", "^fixed$"},
		{"call_{alnum:24}", "^call_[A-Za-z0-9]{24}$"},
		{"{hex:8}-{hex:4}", "^[0-9a-f]{8}-[0-9a-f]{4}$"},
		{"{digits:3}{lower:500}", "^[0-9]{3}[a-z0-9]{500}$"},
		{"functions.{name}:{count}", "^functions.get_weather:7$"},
	} {
		p, err := profiles.ParsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		id := p.Expand(digest.New("secret"), "get_weather", 7)
		if !regexp.MustCompile(c.want).MatchString(id) {
			t.Errorf("%s gave %q", c.pattern, id)
		}
		if again := p.Expand(digest.New("secret"), "get_weather", 7); again != id {
			t.Errorf("%s gave %q, then %q from the same source", c.pattern, id, again)
		}
	}
}

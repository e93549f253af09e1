package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// step asks a server for one thing, and says what the answer has to be.
type step struct {
	Do    string `yaml:"do"`
	After string `yaml:"after"` // the answer to an earlier step that was sent with later

	User   string         `yaml:"user"`
	System string         `yaml:"system"`
	Result string         `yaml:"result"` // of the tool get_weather
	Tools  bool           `yaml:"tools"`
	Path   string         `yaml:"path"`
	Form   string         `yaml:"form"`
	With   map[string]any `yaml:"with"`
	Run    string         `yaml:"run"`
	Times  int            `yaml:"times"`
	Later  string         `yaml:"later"`

	Text       string            `yaml:"text"`
	OneOf      []string          `yaml:"one-of"`
	Both       bool              `yaml:"both"` // each of one-of comes at least once
	JSON       map[string]any    `yaml:"json"`
	Calls      string            `yaml:"calls"`
	Broken     bool              `yaml:"broken"` // the arguments are no JSON
	Status     int               `yaml:"status"`
	At         map[string]any    `yaml:"at"`
	Header     map[string]string `yaml:"header"`
	Sees       string            `yaml:"sees"`
	Ends       string            `yaml:"ends"`
	FirstAfter int               `yaml:"first-after"`
	Lasts      int               `yaml:"lasts"`
	Pause      int               `yaml:"pause"`
	Share      []int             `yaml:"share"`
	Keep       string            `yaml:"keep"` // which of several requests failed: the same as what was kept under the name
	Secret     string            `yaml:"secret"`
}

func (p *play) step(ctx context.Context, s *step) error {
	switch {
	case s.Do != "":
		return p.act(ctx, p.recipe.Do[s.Do])
	case s.Secret != "":
		return p.written(s.Secret)
	case s.Times > 1:
		return p.many(ctx, s)
	case s.After != "":
		return s.judge(<-p.later[s.After])
	}
	r := s.request(0)
	if s.Later != "" {
		answer := make(chan heard, 1)
		p.later[s.Later] = answer
		base, header := p.running.base, p.recipe.Runs[s.Run]
		go func() { answer <- r.sent(ctx, base, header) }()
		select { // what is held has to be asked before it is released
		case h := <-answer:
			return fmt.Errorf("it was not held: %d %s", h.status, h.text())
		case <-time.After(300 * time.Millisecond):
			return nil
		}
	}
	return s.judge(r.sent(ctx, p.running.base, p.recipe.Runs[s.Run]))
}

// many asks several times, and judges the answers together.
func (p *play) many(ctx context.Context, s *step) error {
	failed, pattern, came := 0, "", map[string]bool{}
	for n := range s.Times {
		h := s.request(n).sent(ctx, p.running.base, nil)
		came[h.text()] = true
		if h.status == s.Status {
			failed++
			pattern += "x"
			continue
		}
		pattern += "."
	}
	if s.Share != nil && (failed < s.Share[0] || failed > s.Share[1]) {
		return fmt.Errorf("%d of %d failed", failed, s.Times)
	}
	if before, ok := p.kept[s.Keep]; ok && s.Keep != "" && before != pattern {
		return fmt.Errorf("other requests failed: %s, before %s", pattern, before)
	}
	p.kept[s.Keep] = pattern
	for _, one := range s.OneOf {
		if s.Both && !came[one] {
			return fmt.Errorf("%q never came", one)
		}
	}
	return nil
}

// written looks for a secret in the files of the check.
func (p *play) written(secret string) error {
	found := 0
	err := filepath.WalkDir(filepath.Join(p.dir, "recorded"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), secret) {
			err = fmt.Errorf("it is in %s", filepath.Base(path))
		}
		return err
	})
	if err == nil && found == 0 {
		err = fmt.Errorf("nothing was written")
	}
	return err
}

// request is the request of a step, by default one of Chat Completions.
func (s *step) request(n int) *request {
	body := map[string]any{}
	r := &request{Ask: "POST /v1/chat/completions", Form: s.Form}
	if s.Path != "" {
		r.Ask = "POST " + s.Path
	} else {
		body["model"], body["messages"] = "gpt-5", s.messages(strings.ReplaceAll(s.User, "{n}", fmt.Sprint(n)))
	}
	if s.Tools {
		city := map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"}}
		body["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{"name": "get_weather", "parameters": city}}}
	}
	for key, value := range s.With {
		body[key] = value
	}
	if s.Form == "" {
		text, _ := json.Marshal(body)
		r.Text = string(text)
	}
	if strings.HasPrefix(s.Path, "/v1/messages") {
		r.API = "Anthropic"
	}
	return r
}

func (s *step) messages(user string) []any {
	var list []any
	say := func(role, text string) {
		list = append(list, map[string]any{"role": role, "content": text})
	}
	if s.System != "" {
		say("system", s.System)
	}
	say("user", user)
	if s.Result != "" {
		call := map[string]any{"id": "call_1", "type": "function", "function": map[string]any{"name": "get_weather", "arguments": "{}"}}
		list = append(list, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}},
			map[string]any{"role": "tool", "tool_call_id": "call_1", "content": s.Result})
	}
	return list
}

// judge says what is wrong with an answer.
func (s *step) judge(h heard) error {
	want := s.Status
	if want == 0 {
		want = 200
	}
	switch {
	case h.err != nil && s.Ends == "":
		return h.err
	case h.status != want:
		return fmt.Errorf("the status is %d: %.120s", h.status, h.body)
	case s.Text != "" && h.text() != s.Text:
		return fmt.Errorf("the text is %q", h.text())
	case s.Calls != "" && !like(s.Calls, h.calls()):
		return fmt.Errorf("the calls are %q", h.calls())
	case s.Broken && json.Valid([]byte(strings.TrimPrefix(h.calls(), "get_weather "))):
		return fmt.Errorf("the arguments are JSON: %s", h.calls())
	case s.Sees != "" && !strings.Contains(string(h.body), s.Sees):
		return fmt.Errorf("%q is not in it", s.Sees)
	case s.Ends != "" && h.ends() != s.Ends:
		return fmt.Errorf("it ends as %s", h.ends())
	case ms(h.first) < s.FirstAfter:
		return fmt.Errorf("the first byte came after %s", h.first)
	case ms(h.lasted) < s.Lasts:
		return fmt.Errorf("it lasted %s", h.lasted)
	case ms(h.pause) < s.Pause:
		return fmt.Errorf("the longest pause was %s", h.pause)
	}
	for pointer, value := range s.At {
		if got := at(h.body, pointer); !like(fmt.Sprint(value), got) {
			return fmt.Errorf("%s is %q", pointer, got)
		}
	}
	for name, value := range s.Header {
		if got := h.header.Get(name); got == "" || !like(value, got) {
			return fmt.Errorf("%s is %q", name, got)
		}
	}
	for key, value := range s.JSON {
		if got := at([]byte(h.text()), "/"+key); got == "" || !like(fmt.Sprint(value), got) {
			return fmt.Errorf("the text is %q", h.text())
		}
	}
	return nil
}

// at is a value at a JSON pointer as a text, "" where it is missing.
func at(doc []byte, pointer string) string {
	n := wire.Parsed(doc).At(pointer)
	if n == nil {
		return ""
	}
	return strings.Trim(string(n.Raw), `"`)
}

// like compares numbers, or with a pattern in which * stands for anything.
func like(pattern, text string) bool {
	a, errA := strconv.ParseFloat(pattern, 64)
	if b, errB := strconv.ParseFloat(text, 64); errA == nil && errB == nil {
		return a == b
	}
	return regexp.MustCompile(`(?s)^` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `$`).MatchString(text)
}

func ms(d time.Duration) int { return int(d / time.Millisecond) }

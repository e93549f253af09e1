package main

import (
	"bytes"
	"fmt"
	"net/http"
	"path"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// modelTurns are what a model says in fixtures/answers. The reasoning is left out where a profile
// shows none.
var modelTurns = []struct {
	name   string
	answer wire.Answer
}{
	{"text", wire.Answer{
		Text:   "It is 4 °C in Oslo.",
		Finish: wire.FinishStop,
		Usage:  wire.Usage{Prompt: 60, Completion: 12},
	}},
	{"reasoning-and-call", wire.Answer{
		Reasoning: new("I ask for Oslo."),
		Details:   []wire.ReasoningBlock{{Type: wire.BlockText, Text: "I ask for Oslo.", Signature: "c2lnbmVk", Format: "anthropic-claude-v1"}},
		Calls:     []wire.AnswerCall{{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`, Signature: "c2lnbmVk"}},
		Finish:    wire.FinishCalls,
		Usage:     wire.Usage{Prompt: 40, Completion: 20, Reasoning: 6},
	}},
	{"encrypted-reasoning-and-two-calls", wire.Answer{
		Reasoning: new("Both."),
		Details: []wire.ReasoningBlock{
			{Type: wire.BlockSummary, Text: "Both.", Format: "openai-responses-v1"},
			{Type: wire.BlockEncrypted, Data: "b3BhcXVl", Format: "openai-responses-v1", ID: "rs_1"},
		},
		Calls: []wire.AnswerCall{
			{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`},
			{ID: "call_2", Name: "get_time", Arguments: ""},
		},
		Finish: wire.FinishCalls,
		Usage:  wire.Usage{Prompt: 40, Completion: 30, Reasoning: 8},
	}},
	{"text-and-two-calls-interleaved", wire.Answer{
		Text: "One moment.",
		Calls: []wire.AnswerCall{
			{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`},
			{ID: "call_2", Name: "get_weather", Arguments: `{"city":"Lima"}`},
		},
		Interleaved: true,
		Finish:      wire.FinishCalls,
		Usage:       wire.Usage{Prompt: 40, Completion: 30},
	}},
	{"nothing", wire.Answer{Finish: wire.FinishLength}},
}

// answerFixtures returns the files of fixtures/answers, and the folder there of each profile. A
// profile that answers like another one in every byte has no files of its own.
func answerFixtures() (files map[string][]byte, folders map[string]string, err error) {
	all := map[string]map[string][]byte{}
	for _, p := range profiles.All() {
		if all[p.Name], err = answersOf(p); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	files, folders = map[string][]byte{}, map[string]string{}
	for _, p := range profiles.All() {
		as := p
		for as.Like != "" && sameFiles(all[p.Name], all[as.Like]) {
			if as, err = profiles.Get(as.Like); err != nil {
				return nil, nil, err
			}
		}
		folders[p.Name] = path.Join(as.Dialect, as.Name)
		for name, text := range all[as.Name] {
			files[path.Join("fixtures/answers", folders[p.Name], name)] = text
		}
	}
	return files, folders, nil
}

func sameFiles(a, b map[string][]byte) bool {
	for name, text := range a {
		if !bytes.Equal(text, b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}

// answersOf returns the files of one profile, by their names.
func answersOf(p *profiles.Profile) (map[string][]byte, error) {
	all := map[string]fixtures.Response{}
	reply := wire.Reply{ID: "id-1", Model: "loopproof", Created: 1767225600, Usage: true}
	for _, turn := range modelTurns {
		a := turn.answer
		switch always := p.Reasoning.Always; {
		case !p.Traits.Reasoning:
			a.Reasoning = nil
		case a.Reasoning == nil && always != "":
			a.Reasoning = &always
		}
		if !p.Traits.ReasoningBlocks {
			a.Details = nil
		}
		all[turn.name+".json"] = response(p, http.StatusOK, "application/json", p.Shape.Write(&a, reply))
		all[turn.name+".sse"] = response(p, http.StatusOK, wire.SSE.Type, wire.DeliverSSE.Writes(append(p.Shape.Stream(&a, reply), p.Shape.End()...))...)
	}
	for _, status := range []int{400, 401, 402, 404, 418, 429, 500, 503} {
		all[fmt.Sprintf("error-%d.json", status)] = response(p, status, "application/json", p.Error(status, p.WordsFor(status)))
	}
	all["error-in-stream.sse"] = response(p, http.StatusOK, wire.SSE.Type, wire.DeliverSSE.Writes([]wire.Event{{Data: p.InBandError(500, p.WordsFor(500))}})...)
	files := map[string][]byte{}
	for name, r := range all {
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			return nil, err
		}
		files[name+".http"] = b.Bytes()
	}
	return files, nil
}

func response(p *profiles.Profile, status int, kind string, writes ...[]byte) fixtures.Response {
	r := fixtures.Response{Dialect: p.Dialect, Status: status, Headers: http.Header{"Content-Type": {kind}}, Writes: writes}
	for name, value := range p.Headers {
		r.Headers.Set(name, value)
	}
	return r
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/sheet"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
)

// spoken is the scenario by which a profile shows how its provider writes answers.
const spoken = "pairing/single-call"

// speech shows how a provider writes an answer with a tool call, whole and as a stream.
func (b *book) speech(page *sheet.Sheet, p *profiles.Profile) {
	for _, d := range []wire.Delivery{wire.DeliverJSON, wire.DeliverSSE} {
		text, err := b.ask(p, d)
		if err != nil {
			continue
		}
		heading(page, fmt.Sprintf("An answer with a tool call, as %s", d))
		for _, line := range middleLeftOut(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })) {
			page.Line(2, line)
		}
	}
}

// middleLeftOut keeps the first and the last lines of a stream, between which it only goes on.
func middleLeftOut(lines []string) []string {
	const first, last = 3, 5
	if len(lines) <= first+last+1 {
		return lines
	}
	left := fmt.Sprintf("… %d more", len(lines)-first-last)
	return slices.Concat(lines[:first], []string{left}, lines[len(lines)-last:])
}

// ask returns the bytes of the first answer of a scenario.
func (b *book) ask(p *profiles.Profile, d wire.Delivery) (string, error) {
	scenario := b.scenario(spoken)
	if scenario == nil {
		return "", fmt.Errorf("there is no scenario %s", spoken)
	}
	server := mockprovider.NewServer(mockprovider.Config{})
	defer server.Close()
	run := server.StartRun(mockprovider.RunConfig{Scenario: scenario, Profile: p, Delivery: d, Lenient: true, Secret: "sample"})
	task := run.Task(server.URL)
	first := &keptAnswer{}
	refloop.Loop{Client: &http.Client{Transport: first}}.Run(context.Background(), task)
	if first.text == "" {
		return "", fmt.Errorf("%s gives no answer in %s", p.Name, spoken)
	}
	return first.text, nil
}

// keptAnswer carries requests out and keeps the first answer of a model.
type keptAnswer struct{ text string }

func (k *keptAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil || k.text != "" || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	k.text, resp.Body = string(body), io.NopCloser(bytes.NewReader(body))
	return resp, err
}

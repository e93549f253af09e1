package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// spoken is the scenario that provides the sample answer of a profile.
const spoken = "pairing/single-call"

// sampleAnswer shows how a provider writes an answer with a tool call, as JSON and as a stream.
func (b *book) sampleAnswer(page *textlayout.Builder, p *profiles.Profile) {
	first := scenarios.Compile(b.scenario(spoken), p, sampleSecret).Turns[0]
	for _, d := range []wire.Delivery{wire.DeliverJSON, wire.DeliverSSE.In(p.Frames())} {
		text := written(p, first, d)
		heading(page, fmt.Sprintf("An answer with a tool call, as %s", d))
		for _, line := range middleLeftOut(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })) {
			page.Line(2, line)
		}
	}
}

// middleLeftOut keeps the first and the last lines of a stream.
func middleLeftOut(lines []string) []string {
	const first, last = 3, 5
	if len(lines) <= first+last+1 {
		return lines
	}
	left := fmt.Sprintf("… %d more", len(lines)-first-last)
	return slices.Concat(lines[:first], []string{left}, lines[len(lines)-last:])
}

// sampleSecret is the secret behind the ids in samples.
const sampleSecret = "sample"

// written returns the bytes of the answer of a turn.
func written(p *profiles.Profile, t *scenarios.Turn, d wire.Delivery) string {
	id := p.CompletionID.Expand(digest.New(sampleSecret, p.Name), "", t.Number)
	reply := wire.Reply{ID: id, Model: cmp.Or(p.ModelName, "loopproof"), Created: spokenAt}
	if !d.Streams() {
		return string(p.Shape.Write(t.Answer, reply))
	}
	writes := d.Writes(append(p.Shape.Stream(t.Answer, reply), p.Shape.End()...))
	if !d.Framer().Binary {
		return string(bytes.Join(writes, nil))
	}
	var b strings.Builder
	for _, w := range writes {
		fmt.Fprintln(&b, strings.Trim(strconv.QuoteToASCII(string(w)), `"`))
	}
	return b.String()
}

// spokenAt is the time of the samples: 2026-01-01, in Unix seconds.
const spokenAt = 1767225600

package main

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

var circumstanceTables = []circumstanceTable{endingsTable, valuesTable}

// How a turn ends, in the order of the table.
const (
	endsAnswer    = "an answer"
	endsCalls     = "calls"
	endsLength    = "cut by the token limit"
	endsWindow    = "cut by the context window"
	endsRefused   = "filtered or refused"
	endsPaused    = "paused"
	endsOdd       = "an unknown reason to stop"
	endsBlank     = "nothing said"
	endsCut       = "the stream is cut off"
	endsReset     = "the connection is reset"
	endsBandError = "an error after the status 200"
	endsSilent    = "silence"
	endsGarbled   = "the status 200, and no answer"
	endsStatus    = "an error status"
	endsLost      = "no response at all"
	endsRedirect  = "a redirect"
	endsCancelled = "the user cancels"
)

var endings = []string{endsAnswer, endsCalls, endsLength, endsWindow, endsRefused, endsPaused, endsOdd, endsBlank, endsCut, endsReset, endsBandError, endsSilent, endsGarbled, endsStatus, endsLost, endsRedirect, endsCancelled}

const (
	beforeNothing = "first of all"
	beforeResults = "after results"
	beforeAnswer  = "after an answer"
	withNothing   = "nothing said"
	withText      = "a text"
	withCalls     = "calls"
	withBoth      = "text and calls"
	afterEnd      = "the end"
	afterWhole    = "a whole answer"
	afterCalls    = "more calls"
	afterPrompt   = "the next prompt"
)

var endingsTable = circumstanceTable{
	name:    "How turns end",
	about:   "How a turn of the model ends, what was before it in the conversation, what had been said in it by then, and how the conversation goes on: it ends, the model is asked again or goes on, or the user says something more.",
	head:    "the turn ends with",
	rows:    endings,
	columns: []string{beforeNothing, beforeResults, beforeAnswer, "it holds " + withNothing, "it holds " + withText, "it holds " + withCalls, "it holds " + withBoth, "then " + afterEnd, "then " + afterWhole, "then " + afterCalls, "then " + afterPrompt},
	mark:    markEndings,
}

func markEndings(script *scenarios.Script, mark func(row, column string)) {
	before := beforeNothing
	for i, t := range script.Turns {
		if t.AsksApproval() { // in one dialect alone
			continue
		}
		ending := endingOf(t)
		mark(ending, before)
		mark(ending, "it holds "+heldBy(t))
		mark(ending, "then "+after(script, i))
		switch {
		case t.Asks() || t.Paused():
			before = beforeResults
		case t.Final():
			before = beforeAnswer
		}
	}
}

func endingOf(t *scenarios.Turn) string {
	s := t.Step
	switch {
	case s.Cancel != nil:
		return endsCancelled
	case t.Redirects():
		return endsRedirect
	case t.Lost():
		return endsLost
	case t.Garbled():
		return endsGarbled
	case t.Fails():
		return endsStatus
	case s.Stall != nil:
		return endsSilent
	case s.Reset != nil:
		return endsReset
	case s.InBandError != nil:
		return endsBandError
	case t.Breaks():
		return endsCut
	}
	switch t.Answer.Finish {
	case wire.FinishLength:
		return endsLength
	case wire.FinishContextWindow:
		return endsWindow
	case wire.FinishContentFilter:
		return endsRefused
	case wire.FinishPause:
		return endsPaused
	}
	switch {
	case t.Answer.Refusal != "":
		return endsRefused
	case t.Blank():
		return endsBlank
	case !slices.Contains(wire.Finishes(), t.Answer.Finish) || slices.ContainsFunc(s.Quirks, oddFinish):
		return endsOdd
	case len(t.Answer.Calls) > 0:
		return endsCalls
	}
	return endsAnswer
}

func oddFinish(quirk string) bool {
	return strings.HasPrefix(quirk, "finish-") || quirk == "stop-reason-unknown"
}

// heldBy says what a turn holds by its end. What of it had arrived of a broken one depends on the
// place.
func heldBy(t *scenarios.Turn) string {
	switch {
	case t.Answer == nil:
		return withNothing
	case strings.TrimSpace(t.Answer.Text+t.Answer.Refusal) != "" && len(t.Answer.Calls) > 0:
		return withBoth
	case len(t.Answer.Calls) > 0:
		return withCalls
	case strings.TrimSpace(t.Answer.Text+t.Answer.Refusal) != "":
		return withText
	}
	return withNothing
}

// after says how a conversation continues after a turn. The same failure again is passed over.
func after(script *scenarios.Script, at int) string {
	t := script.Turns[at]
	for _, next := range script.Turns[at+1:] {
		switch {
		case next.Step == t.Step && !t.Returns():
			continue
		case script.Scenario.Facts().Resumes && t.LeavesUnanswered():
			return afterPrompt
		case t.Final() || t.Step.Cancel != nil && next.Step != t.Step || !t.Fails() && !t.Breaks() && t.Truncated() && len(script.Scenario.Prompts) > 1:
			return afterPrompt
		case next.Fails() || next.Breaks():
			continue
		case next.Asks():
			return afterCalls
		}
		return afterWhole
	}
	return afterEnd
}

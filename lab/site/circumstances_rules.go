package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// ruleColumns are the circumstances of rules: where the scenarios that list a rule are played, and
// what else happens in them.
var ruleColumns = []string{"C whole", "C streams", "M whole", "M streams", beforeNothing, beforeResults, beforeAnswer, "broken turns", "cut turns", "goes on"}

// writeRuleCircumstances writes for each rule in which circumstances the scenarios are played that
// list it.
func writeRuleCircumstances(b *bytes.Buffer, scripts []*scenarios.Script) {
	marks := map[string]map[string]bool{}
	for _, script := range scripts {
		for _, id := range script.Scenario.Rules {
			if !rulebook.Lookup(id).In(script.Profile.Speaks) {
				continue
			}
			if marks[id] == nil {
				marks[id] = map[string]bool{}
			}
			markRule(script, func(column string) { marks[id][column] = true })
		}
	}
	b.WriteString("\n## Rules\n\nIn which circumstances the scenarios of a rule are played. Rules that are marked with \\* are judged in every run, and so in all other circumstances, too. A rule about one dialect has no mark in the others, and a rule about streams none where answers are whole.\n")
	area := ""
	for _, rule := range rulebook.Book() {
		if rule.Area() != area {
			area = rule.Area()
			fmt.Fprintf(b, "\n### %s\n\n| rule | %s |\n|---|%s\n", area, strings.Join(ruleColumns, " | "), strings.Repeat("---|", len(ruleColumns)))
		}
		name := fmt.Sprintf("[%s](rules.md#%s)", strings.TrimPrefix(rule.ID, area+"/"), anchor(rule.ID))
		if rule.Invariant {
			name += "\\*"
		}
		var line []string
		for _, column := range ruleColumns {
			cell := ""
			if marks[rule.ID][column] {
				cell = "x"
			}
			line = append(line, cell)
		}
		fmt.Fprintf(b, "| %s | %s |\n", name, strings.Join(line, " | "))
	}
}

// playsIn reports whether a script is played in a delivery.
func playsIn(script *scenarios.Script, d wire.Delivery) bool {
	s, p := script.Scenario, script.Profile
	return s.PlayedIn(p, d) && (d.Streams() || !slices.Contains(s.Needs, protocol.Streaming))
}

// markRule marks the circumstances in which a script plays the rules that it lists.
func markRule(script *scenarios.Script, mark func(column string)) {
	letter := letterOf(script.Profile.Speaks)
	for _, d := range wire.Deliveries() {
		switch {
		case !playsIn(script, d):
		case d.Streams():
			mark(letter + " streams")
		default:
			mark(letter + " whole")
		}
	}
	markEndings(script, func(row, column string) {
		switch {
		case slices.Contains([]string{beforeNothing, beforeResults, beforeAnswer}, column):
			if row != endsAnswer && row != endsCalls || len(script.Turns) == 1 || column != beforeNothing {
				mark(column)
			}
		case strings.HasPrefix(column, "then ") && column != "then "+afterEnd && row != endsAnswer && row != endsCalls:
			mark("goes on")
		}
		if slices.Contains([]string{endsCut, endsReset, endsBandError, endsSilent, endsStatus, endsLost, endsGarbled}, row) {
			mark("broken turns")
		}
		if slices.Contains([]string{endsLength, endsWindow, endsRefused, endsPaused}, row) {
			mark("cut turns")
		}
	})
}

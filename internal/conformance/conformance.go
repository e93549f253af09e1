// Package conformance says which level of conformance a verdict counts for. A level is a named part
// of the rulebook that a loop can reach while another part is still broken.
//
//	conformance.Of("pairing/every-call-answered", "pairing/single-call", false) // "core"
//	conformance.Of("pairing/every-call-answered", "pairing/single-call", true)  // "streaming"
//	conformance.Of("pairing/every-call-answered", "retry/overloaded", true)     // "resilience"
package conformance

import (
	"slices"
	"strings"
)

// The levels.
const (
	Core        = "core"
	Streaming   = "streaming"
	Reasoning   = "reasoning"
	Resilience  = "resilience"
	LongRunning = "long-running"
)

// Levels returns the levels, the lowest first.
func Levels() []string { return []string{Core, Streaming, Reasoning, Resilience, LongRunning} }

// About says in a few words what a level is about.
func About(level string) string {
	return map[string]string{
		Core:        "what every loop owes, where answers come whole",
		Streaming:   "the same where answers come as streams, and how streams are read",
		Reasoning:   "what the provider wants back of the model's reasoning",
		Resilience:  "errors, retries, cancels and limits",
		LongRunning: "what goes on for longer than a conversation: full contexts, approvals, sessions",
	}[level]
}

// byArea are the levels of areas.
var byArea = map[string]string{
	"pairing":    Core,
	"history":    Core,
	"egress":     Core,
	"arguments":  Core,
	"execution":  Core,
	"images":     Core,
	"mcp":        Core,
	"finish":     Core,
	"outcome":    Core,
	"record":     Core,
	"stream":     Streaming,
	"reasoning":  Reasoning,
	"failure":    Resilience,
	"retry":      Resilience,
	"limits":     Resilience,
	"cancel":     Resilience,
	"compaction": LongRunning,
	"approvals":  LongRunning,
	"sessions":   LongRunning,
	"steering":   LongRunning,
	"models":     LongRunning,
	"sub-agents": LongRunning,
	"sockets":    Resilience,
	"programs":   LongRunning,
}

// OfArea returns the level of the rules of an area, and of the scenarios that are named by it. A
// user's own scenarios may have other names; those are core.
func OfArea(area string) string {
	if level, ok := byArea[area]; ok {
		return level
	}
	return Core
}

// Knows reports whether an area has a level.
func Knows(area string) bool { return byArea[area] != "" }

// Of returns the level for which a verdict counts: the highest one of the rule, the scenario, and
// the way in which the answers came. A history that is broken after a retry is no fault of a loop
// that never retries.
func Of(rule, scenario string, streamed bool) string {
	level := Higher(OfArea(Area(rule)), OfArea(Area(scenario)))
	if streamed {
		level = Higher(level, Streaming)
	}
	return level
}

// Higher returns the higher of two levels.
func Higher(a, b string) string {
	all := Levels()
	return all[max(slices.Index(all, a), slices.Index(all, b), 0)]
}

// Area returns the first part of the id of a rule, which also names the scenarios that were written
// for it.
func Area(id string) string {
	area, _, _ := strings.Cut(id, "/")
	return area
}

// Package hooks is what faults and variations are made of: the hooks between the reference loop and
// the world, which change what it sends, what it reads, how its tools run or what it reports, and
// the makers of them that several areas share.
//
// A fault is written once, over the neutral history of the reference loop, and is judged in every
// dialect:
//
//	{
//		Name:   "pairing/drops-the-last-result",
//		Does:   "Of several results of a turn the last one is lost.",
//		Breaks: []string{"pairing/every-call-answered"},
//		Make: hooks.EachRound(func(r *hooks.Round) {
//			if len(r.Results) > 1 {
//				r.Results = r.Results[:len(r.Results)-1]
//			}
//		}),
//	}
//
// Where a dialect cannot tell it, the entry names the trait that the dialect lacks, and says why. A
// fault about the bytes of a dialect is in a package of that dialect, and changes the JSON of a
// request ([raw.Request]) or of an answer ([raw.Answer]).
package hooks

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Fault is one thing that loops do wrong.
type Fault struct {
	// Name is "area/what-the-loop-does".
	Name string

	// Does says in a sentence what the loop does.
	Does string

	// Reports are public reports of loops that did so.
	Reports []string

	// Dialect is the wire API whose bytes the fault is about; "" is none: the loop does so in every
	// dialect that can tell it.
	Dialect string

	// Profiles are patterns of the profiles under which the fault is judged, where it would break
	// more under others. In a dialect none of whose profiles they match, as without any patterns, it
	// is judged under all profiles.
	Profiles []string

	// Only are traits that a dialect must have for the loop to do so, and Unless those that it must
	// not have. Elsewhere says what is otherwise in other dialects.
	Only, Unless neutral.Trait
	Elsewhere    string

	// Needs are what has to be possible to say in a dialect for the loop to do so.
	Needs wire.Abilities

	// Without are features that the loop does not claim: in their tasks it would break more.
	Without []protocol.Feature

	// Breaks are the ids of the rules that the loop breaks, in each dialect those that are about
	// it: these and no others.
	Breaks []string

	// InItems are those that it breaks where a turn is a list of items, if they are others: each
	// item is judged there for itself, and the items of two turns are one turn.
	InItems []string

	// InSteps are those where, besides, arguments are objects and the end of a stream repeats nothing.
	InSteps []string

	// InParts are those that it breaks where turns are contents of parts, if they are others: calls
	// come whole there, contents take turns, and a call without an id is identified by its name.
	InParts []string

	// InTurns are those that it breaks where messages have to take turns, if they are others: a
	// prompt is part of the message before it there, and two messages of the assistant are refused.
	InTurns []string

	// ByName are those that it breaks where calls have no ids, if they are others: a result is for the
	// first call of its tool that has none, and a turn is found again by what it called.
	ByName []string

	// Make returns the mutation for one task. Its functions may share state.
	Make func() Mutation

	claims []protocol.Feature // of a variation
}

// Mutation holds the hooks by which a fault changes what the reference loop sends, reads and
// reports. All may be nil.
type Mutation struct {
	Loop    func(*refloop.Loop)                                                        // how the loop is set up
	Request func(*Request)                                                             // what it asks the model, before it is written
	Answer  func(*Answer)                                                              // what it has read of an answer, before it is put together
	Turn    func(*neutral.Turn)                                                        // an answer that is whole, put together
	Tool    func(*ToolRun, func(*ToolRun) ToolResult) ToolResult                       // how a tool is run
	Around  func(protocol.Task, func(protocol.Task) protocol.Outcome) protocol.Outcome // the task and the outcome

	Split     func([]neutral.Message) (old, kept []neutral.Message) // what of a history that is too long goes into a summary
	Shorten   func([]neutral.Message) []neutral.Message             // how it makes its history shorter, instead of by a summary
	Shortened func([]neutral.Message) []neutral.Message             // the history once it is shorter
	Restored  func(*refloop.Stored)                                 // what was stored of a session, when it goes on

	// Delegate carries out the task of a sub-agent. Several are carried out at the same time.
	Delegate func(caller []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome

	Send   func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) // how it asks the model
	Lost   func(error)                                                                              // called when a connection to the model fails
	Bytes  func([]byte) []byte                                                                      // what it reads from the model, before it is decoded; streams only
	Reads  func([]byte) []byte                                                                      // what a single read of a stream brings
	Waits  bool                                                                                     // it reads a stream until the connection is closed
	Timing bool                                                                                     // it changes when things happen, which shows in nothing that is sent

	// For faults about the bytes of one dialect.
	RawRequest func(*raw.Request) // the JSON that it sends to the model
	RawAnswer  func(*raw.Answer)  // the JSON that it reads from the model
}

// OnlySends reports whether it changes nothing but requests.
func (c Mutation) OnlySends() bool {
	return (c.Request != nil || c.RawRequest != nil) && !c.Hears() && c.Tool == nil && c.Around == nil && c.Send == nil && c.Lost == nil
}

// Hears reports whether it changes how an answer is read.
func (c Mutation) Hears() bool {
	return c.Answer != nil || c.Turn != nil || c.RawAnswer != nil || c.Bytes != nil || c.Reads != nil
}

// ownFeatures are the features that only the faults of an area claim. The others change what crosses
// the wire after the loop's back, so that its record tells of something else, and what they do to a
// history is judged where all of it is sent.
var ownFeatures = map[string][]protocol.Feature{
	"record":     {protocol.Transcript, protocol.Events},
	"compaction": {protocol.Compaction, protocol.ServerCompaction},
	"sessions":   {protocol.DurableSessions},
	"mcp":        {protocol.MCPTools, protocol.ChangingTools},
	"sockets":    {protocol.Sockets},
	"programs":   {protocol.ProgrammaticTools},
	"models":     {protocol.SecondAPI}, // in a run over two wire APIs fewer rules are judged, and others
	"sub-agents": {protocol.SubAgents}, // many faults count the requests of one conversation
}

// Claims are the features that the reference loop claims, and so every fault: all but those of one
// area.
var Claims = claims.Without(slices.Concat(slices.Collect(maps.Values(ownFeatures))...)...)

// Dialects returns the wire APIs in which the fault is judged: those that can tell it, and have one
// of the rules that it breaks.
func (f Fault) Dialects() []string {
	var names []string
	for _, d := range refloop.Dialects() {
		can := f.Only&^d.Traits() == 0 && f.Unless&d.Traits() == 0 && f.Needs&^dialect.Named(d.Name()).Abilities == 0
		if can && (f.Dialect == "" || f.Dialect == d.Name()) && (len(f.Breaks) == 0 || len(f.BreaksIn(d.Name())) > 0) {
			names = append(names, d.Name())
		}
	}
	return names
}

// BreaksIn returns the rules that the fault breaks in a dialect.
func (f Fault) BreaksIn(name string) []string {
	var ids []string
	for _, id := range f.breaksWith(refloop.DialectOf(protocol.Task{Dialect: name}).Traits()) {
		if r := rulebook.Lookup(id); r == nil || r.In(dialect.Named(name)) && playedIn(r, name) {
			ids = append(ids, id)
		}
	}
	return ids
}

// breaksWith returns the rules that the fault breaks in a dialect with some traits.
func (f Fault) breaksWith(traits neutral.Trait) []string {
	if f.ByName != nil && traits&neutral.CallsByName != 0 {
		return f.ByName
	}
	if f.InSteps != nil && traits&neutral.Items != 0 && traits&neutral.TextArguments == 0 {
		return f.InSteps
	}
	if f.InItems != nil && traits&neutral.Items != 0 {
		return f.InItems
	}
	if f.InParts != nil && traits&neutral.WholeCalls != 0 {
		return f.InParts
	}
	if f.InTurns != nil && traits&neutral.TakesTurns != 0 {
		return f.InTurns
	}
	return f.Breaks
}

// Run carries out a task with the fault.
func (f Fault) Run(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	loop := refloop.Loop{Backoff: time.Millisecond}
	return f.Told(f.Make().CarryOut(ctx, task, loop, http.DefaultTransport)), nil
}

// Told returns the outcome without the record, where the loop does not claim to keep one.
func (f Fault) Told(o protocol.Outcome) protocol.Outcome {
	if !slices.Contains(f.Claims(), protocol.Transcript) {
		o.Transcript, o.TranscriptFormat, o.Events, o.EventsFormat = nil, "", nil, ""
	}
	return o
}

// CarryOut lets a loop carry out a task with the mutation between it and the world.
func (c Mutation) CarryOut(ctx context.Context, task protocol.Task, loop refloop.Loop, world http.RoundTripper) protocol.Outcome {
	loop.Client = &http.Client{Transport: &transport{mutation: c, task: task, world: world}}
	loop.Hooks = c.hooks(world)
	if c.Loop != nil {
		c.Loop(&loop)
	}
	run := func(task protocol.Task) protocol.Outcome { return loop.Run(ctx, task) }
	if c.Around == nil {
		return run(task)
	}
	return c.Around(task, run)
}

// hooks returns the mutation of what passes through the loop itself.
func (c Mutation) hooks(world http.RoundTripper) refloop.Hooks {
	hooks := refloop.Hooks{Turn: c.Turn, Split: c.Split, Shorten: c.Shorten, Shortened: c.Shortened, Restored: c.Restored, Delegate: c.Delegate}
	if c.Request != nil {
		number, said := 0, 0
		var mu sync.Mutex // sub-agents ask at the same time
		hooks.Request = func(asked *neutral.Request) error {
			mu.Lock()
			defer mu.Unlock()
			before := said
			number, said = number+1, len(Conversation(asked.Messages))
			r := NewRequest(asked, number, world)
			r.NextPrompt = number > 1 && said > before
			c.Request(r)
			return r.err
		}
	}
	if c.Answer != nil {
		hooks.Answer = func(a *neutral.Answer) { c.Answer(&Answer{a}) }
	}
	return hooks
}

// Claims returns the features that the loop with the fault claims.
func (f Fault) Claims() []protocol.Feature {
	if f.claims != nil {
		return f.claims
	}
	return without(slices.Concat(Claims, ownFeatures[f.Area()]), f.Without)
}

// without returns the features that are not among others.
func without(features, others []protocol.Feature) []protocol.Feature {
	return slices.DeleteFunc(features, func(f protocol.Feature) bool { return slices.Contains(others, f) })
}

// Area returns the area of the rules that the fault is about, with which its name begins.
func (f Fault) Area() string {
	area, _, _ := strings.Cut(f.Name, "/")
	return area
}

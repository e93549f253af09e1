package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/suggest"
)

// book is put together once; rules are never changed.
var book = sync.OnceValue(func() []*Rule {
	all := slices.Concat(
		pairing, pairingIDs, pairingIDForm, pairingBlocks, geminiPairing,
		history, historyAdded, historyMemory, historyBlocks, historyContainer, historyOrder, historyThreads,
		egressKeys, egress, egressHeaders, egressSystem, egressBlocks, egressBlocksForm, egressBlockKeys, egressRequest, egressTools, egressParameters, egressParameterTypes, egressMessages, egressArguments,
		responsesItems, responsesRequest, geminiContents, geminiRequest,
		arguments, argumentsInStreams, argumentsWhenDone,
		execution, executionFlags, executionOrder,
		images,
		reasoning, reasoningPlain, reasoningBlocks, reasoningThinking, reasoningPlaces, reasoningForced, callSignatures, geminiSigned,
		stream, streamCalls, streamEvents, responsesStream, streamTogether, streamBytes, streamUsage,
		finish, finishPause, oddFinishes,
		failure, failurePlaces,
		retry,
		limits,
		cancel,
		outcome, outcomeUsage,
		recordHandedOver, recordTurns, recordResults, recordOpenAgentLoops, recordForms, recordEvents, recordTimes,
	)
	rules := make([]*Rule, len(all))
	for i := range all {
		rules[i] = &all[i]
	}
	return rules
})

var byID = sync.OnceValue(func() map[string]*Rule {
	m := map[string]*Rule{}
	for _, r := range book() {
		m[r.ID] = r
	}
	return m
})

// Book returns all rules, area by area.
func Book() []*Rule { return book() }

// Lookup returns the rule of an id, or nil.
func Lookup(id string) *Rule { return byID()[id] }

// IDs returns the ids of all rules, in the order of the book.
func IDs() []string {
	ids := make([]string, len(book()))
	for i, r := range book() {
		ids[i] = r.ID
	}
	return ids
}

// CheckProfile reports what a profile says of rules that do not exist, or that cannot refuse a request, and which
// variables its words use that the rule does not offer.
func CheckProfile(p *profiles.Profile) error {
	var errs []error
	for i, id := range p.Contrary {
		if Lookup(id) == nil {
			errs = append(errs, p.Errorf(fmt.Sprintf("/contrary/%d", i), "unknown rule %q%s", id, suggest.Hint(id, IDs())))
		}
	}
	for _, refusal := range p.Refuses {
		at, rule := refusal.Place, Lookup(refusal.Rule)
		switch {
		case rule == nil:
			errs = append(errs, p.Errorf(at+"/rule", "unknown rule %q%s", refusal.Rule, suggest.Hint(refusal.Rule, IDs())))
			continue
		case rule.refuser() == nil && !refusal.InSequence:
			errs = append(errs, p.Errorf(at+"/rule", "a provider cannot see a breach of %s in a request; where it compares requests, say in-sequence: true", refusal.Rule))
		}
		errs = append(errs, checkVariables(p, at+"/message", rule, refusal.Variables()), checkVariables(p, at+"/only", rule, refusal.Described()))
		for i, other := range refusal.Instead {
			here := fmt.Sprintf("%s/instead/%d", at, i)
			errs = append(errs, checkVariables(p, here+"/message", rule, other.Variables()), checkVariables(p, here+"/when", rule, slices.Sorted(maps.Keys(other.When))))
		}
	}
	return errors.Join(errs...)
}

// checkVariables reports variables in a profile that a rule does not offer.
func checkVariables(p *profiles.Profile, at string, rule *Rule, variables []string) error {
	var errs []error
	for _, v := range variables {
		if !slices.Contains(rule.Vars, v) {
			errs = append(errs, p.Errorf(at, "unknown variable {%s}%s; %s offers %s", v, suggest.Hint(v, rule.Vars), rule.ID, strings.Join(rule.Vars, ", ")))
		}
	}
	return errors.Join(errs...)
}

package rules

import (
	"maps"
	"slices"
	"testing"
)

// allCases are the cases of all areas.
func allCases(t *testing.T) ruleCases {
	t.Helper()
	all := ruleCases{}
	for _, area := range []ruleCases{
		pairingCases, pairingIDCases, pairingBlockCases,
		historyCases, historySystemCases, historyPromptsCases, historyAddedCases, historyToolsCases, historyTurnsCases, historyBlocksCases, historyContainerCases, historyOrderCases, historyThreadsCases,
		egressCases, egressHeadersCases, egressRequestCases, egressToolsCases, egressMessagesCases, egressBlocksCases, egressBlocksFormCases, egressBlockKeysCases, egressParameterTypesCases, reasoningForcedCases, streamEventsCases, responsesItemsCases, responsesRequestCases, responsesStreamCases, geminiCases,
		argumentsCases,
		executionCases, executionOrderCases, executionResultsCases, executionFlagsCases,
		imageCases,
		reasoningCases, reasoningDetailsCases, reasoningProviderCases, reasoningThinkingCases, reasoningPlacesCases,
		streamCases,
		quirkCases(),
		finishCases, finishPauseCases,
		failureCases, failureBodiesCases, failureConnectionsCases,
		retryCases, retryWhichCases, retryWaitsCases,
		limitsCases,
		cancelCases,
		outcomeCases, outcomeUsageCases,
		recordCases, recordTurnsCases, recordResultsCases, recordOpenAgentLoopsCases, recordEventsCases, recordTimesCases,
	} {
		for id, cases := range area {
			if _, twice := all[id]; twice {
				t.Errorf("%s has cases in two places", id)
			}
			all[id] = cases
		}
	}
	return all
}

func TestRules(t *testing.T) {
	all := allCases(t)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		rule := Lookup(id)
		if rule == nil {
			t.Errorf("there are cases for %s, which is no rule", id)
			continue
		}
		t.Run(id, func(t *testing.T) {
			for _, c := range all[id] {
				t.Run(string(c.kind)+"/"+c.name, func(t *testing.T) { c.check(t, rule) })
			}
		})
	}
}

// TestBookIsInAreas: the rules of an area stand together.
func TestBookIsInAreas(t *testing.T) {
	closed, last := map[string]bool{}, ""
	for _, r := range Book() {
		if r.Area() != last && closed[r.Area()] {
			t.Errorf("%s stands apart from the others of its area", r.ID)
		}
		last = r.Area()
		closed[last] = true
	}
}

// TestEveryRuleHasCases: a rule is shown to break, to be kept, and to see nothing where there is nothing.
func TestEveryRuleHasCases(t *testing.T) {
	all := allCases(t)
	for _, id := range IDs() {
		shown := map[kind]bool{}
		names := map[string]bool{}
		for _, c := range all[id] {
			shown[c.kind] = true
			if names[c.name] {
				t.Errorf("two cases of %s are called %q", id, c.name)
			}
			names[c.name] = true
			if c.kind == breaking && len(c.finds) == 0 {
				t.Errorf("%s: the case %q breaks the rule and finds nothing", id, c.name)
			}
		}
		for _, k := range []kind{breaking, keeping, blind} {
			if !shown[k] {
				t.Errorf("no case shows a run in which %s %s", id, k)
			}
		}
	}
}

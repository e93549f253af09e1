package models

import (
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// anotherAPI are the faults on the way from one wire API to another one.
var anotherAPI = []hooks.Fault{
	{
		Name:    "models/forgets-what-the-other-said",
		Does:    "A model is not told what one in another wire API answered.",
		Reports: []string{"https://github.com/agno-agi/agno/pull/8732", "https://github.com/zeroclaw-labs/zeroclaw/pull/933"},
		Breaks:  []string{"models/texts-go-along"},
		Make: fromAnotherAPI(func(r *hooks.Request, m neutral.Message) []neutral.Message {
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsText(p) })
			if len(m.Parts) == 0 {
				return nil
			}
			return []neutral.Message{m}
		}),
	},
	{
		Name:    "models/forgets-what-the-other-did",
		Does:    "A model is not told of the calls of one in another wire API, and of their results.",
		Reports: []string{"https://github.com/codeready-toolchain/tarsy/pull/329"},
		Breaks:  []string{"models/results-go-along"},
		Make: fromAnotherAPI(func(r *hooks.Request, m neutral.Message) []neutral.Message {
			calls := m.Calls()
			m.Parts = hooks.KeepParts(m.Parts, hooks.IsText)
			r.Messages = slices.DeleteFunc(r.Messages, func(of neutral.Message) bool {
				results := of.Results()
				return len(results) > 0 && slices.ContainsFunc(calls, func(c *neutral.Call) bool { return c.ID == results[0].CallID })
			})
			if len(m.Parts) == 0 {
				return nil
			}
			return []neutral.Message{m}
		}),
	},
	{
		Name:      "models/sends-seals-to-another-provider",
		Unless:    neutral.PlainReasoning,
		Elsewhere: "The first model seals nothing.",
		Does:      "What one provider has sealed goes to another one in the form of that one's own seals.",
		Reports:   []string{"https://github.com/mcheemaa/mistri/issues/33", "https://github.com/earendil-works/pi/issues/9048", "https://github.com/decolua/9router/issues/4136", "https://github.com/diegosouzapw/OmniRoute/issues/1410"},
		Needs:     wire.SealedReasoning,
		Breaks:    []string{"models/seals-stay-behind"},
		Make: hooks.OnLoop(func(l *refloop.Loop) {
			l.OfAnotherAPI = func(task protocol.Task, m neutral.Message) neutral.Message {
				return sealed(refloop.DialectOf(task), m)
			}
		}),
	},
	{
		Name:   "models/asks-all-under-one-address",
		Does:   "The second model is asked in the wire API of the first one, where nobody knows it.",
		Breaks: []string{"models/fallback-asked", "models/switch-as-chosen"},
		Make:   hooks.OnTask(func(task *protocol.Task) { task.SecondAPI = nil }),
	},
}

// fromAnotherAPI changes the turns of a model in a request to one in another wire API.
func fromAnotherAPI(change func(*hooks.Request, neutral.Message) []neutral.Message) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		second := r.Task.SecondAPI
		if second == nil {
			return
		}
		for _, m := range slices.Clone(r.Messages) {
			if m.Model == "" || (m.Model == second.Model) == (r.Model == second.Model) {
				continue
			}
			at := slices.IndexFunc(r.Messages, func(of neutral.Message) bool { return of.Model != "" && slices.Equal(of.Parts, m.Parts) })
			become := change(r, m)
			r.Messages = slices.Replace(r.Messages, at, at+1, become...)
		}
	})
}

// sealed returns a turn as it goes to a model in another wire API, with the seals of its provider as
// if they were of the other one.
func sealed(to neutral.Dialect, m neutral.Message) neutral.Message {
	sent := to.Adopt(m)
	for i, c := range m.Calls() {
		if to.Traits()&neutral.WholeCalls != 0 && c.Signature != nil {
			sent.Calls()[i].Signature = c.Signature
		}
	}
	for _, r := range m.Reasoning() {
		seal := r.Signature + r.Data
		if seal == "" {
			continue
		}
		if calls := sent.Calls(); to.Traits()&neutral.WholeCalls != 0 && len(calls) > 0 {
			calls[0].Signature = []byte(strconv.Quote(seal))
			continue
		}
		thought := &neutral.Reasoning{Text: r.Text, Signature: seal}
		if to.Traits()&neutral.Items != 0 {
			thought = &neutral.Reasoning{Text: r.Text, ID: "rs_1", Data: seal}
		}
		sent.Parts = slices.Insert(sent.Parts, 0, neutral.Part(thought))
	}
	return sent
}

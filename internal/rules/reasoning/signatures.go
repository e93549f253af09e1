package reasoning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// signatureRules are the rules of the area reasoning about what a provider puts on a call, and
// wants back with it.
var signatureRules = []rules.Rule{
	{
		ID:        "reasoning/call-signature-returned",
		Where:     rules.SignsCalls,
		Level:     trace.Should,
		Text:      "The signature of a call goes back with the call, unchanged.",
		Why:       "Gemini refuses a call of the current question without its thought signature.",
		Invariant: true,
		Needs:     Reasons,
		Evidence:  "a request that returns a signed call",
		Sources: []rules.Source{
			{URL: GeminiSignatures, Says: "signatures of function calls must go back exactly as received, or a 4xx follows"},
			{URL: "https://github.com/TokenRhythm/opensquilla/issues/225", Says: "the 400 on the OpenAI-compatible path"},
		},
		Vars:     []string{"index", "name"},
		Provider: signatureMissing,
		Run:      callSignatureReturned,
	},
	{
		ID:        "reasoning/call-signature-not-made-up",
		Where:     rules.SignsCalls,
		Level:     trace.Should,
		Text:      "A call that came without a signature goes back without one, or with a documented placeholder.",
		Why:       "A signature belongs to one call, and is invalid on another.",
		Invariant: true,
		Needs:     Reasons,
		Evidence:  "a request that returns a call without a signature, in a conversation with some",
		Sources: []rules.Source{
			{URL: GeminiSignatures, Says: "signatures go back in the part in which they came; two values stand for none, where a call is not the model's"},
			{URL: "https://github.com/vertesia/llumiverse/pull/470", Says: "signatures of streamed calls, and which call they belong to"},
		},
		Run: callSignatureNotMadeUp,
	},
}

// GeminiSignatures is the page about thought signatures.
const GeminiSignatures = "https://ai.google.dev/gemini-api/docs/thought-signatures"

// NoSignature are the values that Gemini takes for the signature of a call which it did not make
// itself.
var NoSignature = []string{"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"}

// signatureMissing is what the provider sees: after the last prompt, a message whose first call
// carries none. Of calls made at once only the first is signed.
func signatureMissing(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if len(p.Traits.CallSignature) == 0 {
		return j
	}
	from := rules.LastPrompt(req)
	for i, m := range req.Messages {
		if i < from {
			continue
		}
		for n, c := range m.Calls {
			if n > 0 && sameEntry(c, m.Calls[n-1]) || rules.SignatureOn(p, c).Text() != "" {
				continue // only the first call of each content has a signature
			}
			j.Find(trace.Finding{
				Pointer: c.Node.Pointer(),
				Message: "no signature",
				Vars:    map[string]string{"index": strconv.Itoa(i), "name": c.Name},
			})
		}
	}
	return j
}

// sameEntry reports whether two calls of a turn are in one entry of the list of messages: a turn
// may have several.
func sameEntry(a, b wire.Call) bool {
	return strings.HasPrefix(b.Node.Pointer(), strings.Join(strings.SplitN(a.Node.Pointer(), "/", 4)[:3], "/")+"/")
}

func callSignatureReturned(r *rules.Run) (j rules.CheckResult) {
	p := r.Script.Profile
	for _, e := range slices.Concat(r.ReturnedCallTurns(), r.ReturnedToAnother()) {
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.Call(n)
			if given.Signature == "" || !ok {
				continue
			}
			j.HasEvidence = true
			signed := rules.SignatureOn(p, back)
			if !rules.SameSignature(signed, given.Signature) && !isEqualCallOfAnotherTurn(r, e, back, signed) && !standsForAnother(r, e, signed) {
				j.FindAt(e.In, back.Node.Pointer()+"/"+p.Traits.CallSignature[0],
					"the signature of a call did not come back as it was given",
					rules.Quote(given.Signature),
					rules.Show(signed))
			}
		}
	}
	return j
}

// standsForAnother reports whether a call of another model came back with a placeholder, or without
// a signature where the provider looks for none.
func standsForAnother(r *rules.Run, e rules.ReturnedTurn, signed *wire.Node) bool {
	if r.SaidBy(e.In.Request.Model, e.Turn) {
		return false
	}
	_, refuses := r.Script.Profile.Refusal("reasoning/call-signature-returned")
	return slices.Contains(NoSignature, signed.Text()) || signed.Text() == "" && (!refuses || e.Index < rules.LastPrompt(e.In.Request))
}

// isEqualCallOfAnotherTurn reports whether a call that came back without an id has the signature of
// an equal call of another turn, so that it stands for that one: a loop may keep turns that it need
// not keep, such as a filtered one.
func isEqualCallOfAnotherTurn(r *rules.Run, e rules.ReturnedTurn, back wire.Call, signed *wire.Node) bool {
	if back.IDNode != nil {
		return false
	}
	for _, t := range r.TurnsBefore(e.In) {
		for _, c := range t.Answer.Calls {
			if t != e.Turn && rules.EqualCall(c, back) && c.Signature != "" && rules.SameSignature(signed, c.Signature) {
				return true
			}
		}
	}
	return false
}

func callSignatureNotMadeUp(r *rules.Run) (j rules.CheckResult) {
	p := r.Script.Profile
	if len(p.Traits.CallSignature) == 0 {
		return j
	}
	for _, e := range r.ReturnedCallTurns() {
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.Call(n)
			if given.Signature != "" || !ok {
				continue
			}
			j.HasEvidence = true
			if signed := rules.SignatureOn(p, back); signed.Text() != "" && !slices.Contains(NoSignature, signed.Text()) {
				j.FindAt(e.In, signed.Pointer(),
					"a call that came without a signature came back with one",
					"no signature",
					rules.Show(signed))
			}
		}
	}
	return j
}

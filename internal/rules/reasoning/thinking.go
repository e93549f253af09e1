package reasoning

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// thinkingMissing is what a provider sees that wants the reasoning of the last turn with calls.
func thinkingMissing(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Body.Get("thinking").Get("type").Text() != "enabled" {
		return j
	}
	for _, m := range slices.Backward(req.Messages) {
		if len(m.Calls) == 0 {
			continue
		}
		if first := m.Content.Parts[0]; !rules.IsReasoningPart(first) {
			j.Find(trace.Finding{
				Pointer: first.Node.Pointer(),
				Message: "the turn does not begin with its reasoning",
				Vars:    map[string]string{"at": rules.Dotted(first.Node), "found": first.Type},
			})
		}
		break
	}
	return j
}

// thinkingAltered is what the provider sees of thinking that was changed: a signature that it gave
// for something else.
func thinkingAltered(_ *profiles.Profile, req *wire.Request) rules.CheckResult {
	return altered(req, func(b *wire.Node) bool { return b.Get("type").Text() == "thinking" }, func(b *wire.Node) bool {
		return req.Altered(b.Get("thinking").Text(), b.Get("signature").Text())
	})
}

// dataAltered is what it sees of encrypted thinking that was changed.
func dataAltered(_ *profiles.Profile, req *wire.Request) rules.CheckResult {
	read := req.Dialect.Reasoning.ReadBlock
	if read == nil {
		return rules.CheckResult{}
	}
	j := altered(req, func(b *wire.Node) bool { return read(b).Data != "" }, func(b *wire.Node) bool { return req.Altered("", read(b).Data) })
	if sealed := req.Dialect.Reasoning.Sealed; sealed != nil && req.Altered != nil {
		for _, n := range sealed(req) {
			j.HasEvidence = true
			if req.Altered("", n.Get("encrypted_content").Text()) {
				j.Find(notSigned(n))
			}
		}
	}
	return j
}

func altered(req *wire.Request, of, changed func(*wire.Node) bool) (j rules.CheckResult) {
	if req.Altered == nil {
		return j
	}
	for _, m := range req.Messages {
		for _, b := range m.Reasoning.Details {
			if !of(b) {
				continue
			}
			j.HasEvidence = true
			if changed(b) {
				j.Find(notSigned(b))
			}
		}
	}
	return j
}

func notSigned(b *wire.Node) trace.Finding {
	return trace.Finding{
		Pointer: b.Pointer(), Message: "a block of " + b.Get("type").Text() + " is not the one that was signed", Expected: "the block as the model gave it",
		Actual: rules.Show(b), Vars: map[string]string{"at": rules.Dotted(b), "id": b.Get("id").Text()},
	}
}

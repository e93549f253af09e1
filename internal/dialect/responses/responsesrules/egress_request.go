package responsesrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// responsesRequest are the rules of the area egress about a request that no form can say.
var responsesRequest = []rules.Rule{
	{
		ID:        "egress/background-is-stored",
		Level:     trace.Should,
		Text:      "A background response is stored.",
		Why:       "A response that is not stored is deleted some ten minutes after it was made, and some servers refuse the request.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://developers.openai.com/api/docs/guides/background", Says: "with a store of false a background response is deleted after about 10 minutes; before, stateless requests were rejected"},
			{URL: "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/entrypoints/openai/responses/protocol.py", Says: "validate_background: background needs a store of true"},
		},
		Vars: []string{"at"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			if body.Get("background").True() && isFalse(body.Get("store")) {
				return []trace.Finding{at(body, "store", "a response is made in the background and not stored", "true, or no such key", nil)}
			}
			return nil
		}),
	},
	{
		ID:        "egress/stored-items-are-referred-to",
		Level:     trace.Must,
		Text:      "A request whose answers are not stored refers to no item by its id alone.",
		Why:       "The provider answers 404: items are not persisted when store is false.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result and is not stored",
		Sources: []rules.Source{
			{URL: "https://github.com/can1357/oh-my-pi/issues/41", Says: "the 404 of OpenAI: Items are not persisted when `store` is set to false"},
			{URL: "https://github.com/coder/coder/issues/23368", Says: "the same"},
		},
		Vars:    []string{"found"},
		Asked:   storesNothing,
		Request: referencesStored,
	},
	{
		ID:        "egress/ends-with-input",
		Level:     trace.Must,
		Text:      "The last item of a request is not reasoning.",
		Why:       "Reasoning belongs to the item after it: the provider refuses it without its required following item.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with reasoning in its history",
		BrokenIn:  []string{"failure/error-behind-a-call"},
		Sources: []rules.Source{
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_openai_responses", Says: "the 400 of OpenAI: provided without its required following item"},
			{URL: "https://github.com/continuedev/continue/issues/8933", Says: "the same"},
		},
		Vars:    []string{"found"},
		Request: endsWithInput,
	},
	{
		ID:        "egress/reasoning-followed",
		Level:     trace.Should, // OpenAI refuses it; others that speak its API are not known to
		Text:      "Behind an item of reasoning that has an id is an item of the model: more reasoning, a message, a call or the work of the provider.",
		Why:       "Reasoning belongs to the item after it: OpenAI refuses it without its required following item. A turn that was cut while the model was thinking, or whose call is left out, goes back without its reasoning.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with reasoning that has an id, and with an item behind it, where the provider keeps nothing",
		Sources: []rules.Source{
			{URL: "https://github.com/lukacf/meerkat/pull/25", Says: "the 400 of OpenAI, before a message of the user and before an output"},
			{URL: "https://github.com/openclaw/openclaw/issues/19121", Says: "the same after an answer that the user cut"},
			{URL: "https://github.com/openai/openai-agents-python/pull/3207", Says: "the same behind a call that was left out; reasoning alone is kept where the server keeps the history"},
			{URL: "https://github.com/UKGovernmentBEIS/inspect_ai/pull/1990", Says: "several items of reasoning in a row, as OpenAI gave them: refused or not, it is not judged"},
		},
		Vars:    []string{"found"},
		Request: reasoningFollowed,
	},
	{
		ID:        "egress/encrypted-asked-for",
		Level:     trace.Should,
		Text:      "A request after an answer with reasoning includes reasoning.encrypted_content, if answers are not stored.",
		Why:       "Without it the reasoning of a turn cannot be sent back, and the model loses it.",
		Invariant: true,
		Evidence:  "a request that carries a result, is not stored, and is after an answer with reasoning",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "reasoning.encrypted_content enables reasoning items to be used in multi-turn conversations statelessly"},
			{URL: "https://github.com/vercel/ai/pull/13234", Says: "reasoning without its encrypted form sent back to a provider that stores nothing"},
		},
		Run: encryptedAskedFor,
	},
}

func isFalse(n *wire.Node) bool { return n.Is(wire.Bool) && !n.True() }

func isGiven(n *wire.Node) bool { return n != nil && !n.Is(wire.Null) }

// storesNothing reports whether a request of a run says that its answer is not to be stored.
func storesNothing(r *rules.Run) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool {
		return x.Request != nil && isFalse(x.Request.Body.Get("store"))
	})
}

func referencesStored(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if !isFalse(req.Body.Get("store")) {
		return j
	}
	j.HasEvidence = rules.CarriesResult(req)
	eachItem(req, func(item *wire.Node, kind string) {
		if kind == "item_reference" {
			j.Find(at(item, "id", "the request refers to an item by its id, and nothing is stored", "the item in full", map[string]string{"found": item.Get("id").Text()}))
		}
	})
	return j
}

func endsWithInput(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	var last *wire.Node
	lastKind := ""
	eachItem(req, func(item *wire.Node, kind string) {
		j.HasEvidence = j.HasEvidence || kind == "reasoning" && rules.CarriesResult(req)
		last, lastKind = item, kind
	})
	if lastKind == "reasoning" {
		j.Find(at(last, "", "the request ends with reasoning", "the item that followed it", map[string]string{"found": last.Get("id").Text()}))
	}
	return j
}

// reasoningFollowed says nothing where the provider keeps the history: the item behind the
// reasoning may be there. Nor does it about reasoning without an id, of which the provider cannot
// know what was behind it.
func reasoningFollowed(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if isGiven(req.Body.Get("previous_response_id")) || isGiven(req.Body.Get("conversation")) {
		return j
	}
	var before *wire.Node // the reasoning right before an item
	eachItem(req, func(item *wire.Node, kind string) {
		if before != nil {
			j.HasEvidence = true
			if ofTheLoop(item, kind) {
				j.Find(at(before, "", "reasoning is followed by an item that is not of the model", "the item that followed it", map[string]string{"found": before.Get("id").Text()}))
			}
		}
		if before = nil; kind == "reasoning" && item.Get("id").Text() != "" {
			before = item
		}
	})
	return j
}

// ofTheLoop reports whether an item is what the user said, or what a tool of the loop returned.
func ofTheLoop(item *wire.Node, kind string) bool {
	switch kind {
	case "message":
		return item.Get("role").Text() != "assistant"
	case "function_call_output", "custom_tool_call_output", "mcp_approval_response":
		return true
	}
	return false
}

// encryptedAskedFor judges the requests after answers with reasoning, under providers that have it
// in an encrypted form. Of a model that does not reason OpenAI refuses to include it.
func encryptedAskedFor(r *rules.Run) (j rules.CheckResult) {
	if !r.Script.Profile.Traits.ReasoningSealed {
		return j
	}
	for _, e := range r.ReturnedCallTurns() {
		body := e.In.Request.Body
		if len(e.Turn.Answer.Details) == 0 || !isFalse(body.Get("store")) {
			continue
		}
		j.HasEvidence = true
		include := body.Get("include")
		if !slices.Contains(wire.TextsOf(include), "reasoning.encrypted_content") {
			j.FindAt(e.In, "/include", "nothing is stored, and the encrypted reasoning is not asked for", `["reasoning.encrypted_content"]`, rules.Show(include))
		}
	}
	return j
}

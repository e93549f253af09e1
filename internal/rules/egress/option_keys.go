package egress

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const optionKeysID = "egress/option-keys"

// optionKeyRules is the rule of the area egress about the keys of options that are objects.
var optionKeyRules = []rules.Rule{
	{
		ID:        optionKeysID,
		Level:     trace.Should,
		Text:      "Options that are objects, such as reasoning and text in Responses, stream_options in Chat Completions and prompt_cache_options in both, have only the keys that the API knows.",
		Why:       "OpenAI refuses others, such as enabled, exclude and max_tokens, which the reasoning of OpenRouter has.",
		Where:     func(d *wire.Dialect) bool { return len(d.Parameters(optionKeysID).OptionKeys) > 0 },
		Invariant: true,
		Evidence:  "a request to a provider that refuses such keys, which carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MeasuredResponses, Says: "the 400 of OpenAI: Unknown parameter"},
			{URL: rules.MeasuredChat, Says: "the same for stream_options and prompt_cache_options in Chat Completions"},
			{URL: "https://github.com/openai/openai-go/blob/v3.96.0/shared/shared.go", Says: "Reasoning: context, effort, generate_summary, mode, summary"},
			{URL: "https://github.com/openai/openai-go/blob/v3.96.0/responses/response.go", Says: "the keys of ResponseTextConfig and of prompt_cache_options"},
			{URL: "https://github.com/openai/openai-go/blob/v3.96.0/chatcompletion.go", Says: "the keys of stream_options and of prompt_cache_options"},
			{URL: rules.OpenrouterDocs, Says: "reasoning: enabled, exclude and max_tokens"},
		},
		Vars:    []string{"at", "key"},
		Request: optionKeys,
	},
}

// optionKeys judges requests to providers that refuse unknown keys: others have more of their own.
func optionKeys(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if _, refuses := p.Refusal(optionKeysID); !refuses {
		return j
	}
	j.HasEvidence = true
	keys := req.Dialect.Parameters(optionKeysID).OptionKeys
	for _, option := range req.Body.Members {
		known := keys[option.Key]
		if len(known) == 0 || !option.Value.Is(wire.Object) {
			continue
		}
		for _, m := range option.Value.Members {
			if !slices.Contains(known, m.Key) {
				j.Find(trace.Finding{
					Pointer:  m.Value.Pointer(),
					Message:  fmt.Sprintf("%s has the key %q", option.Key, m.Key),
					Expected: "one of " + rules.List(known),
					Actual:   rules.Show(m.Value),
					Vars:     map[string]string{"at": option.Key + "." + m.Key, "key": m.Key},
				})
			}
		}
	}
	return j
}

package gemini

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// answers are faults in how answers are read.
var answers = []raw.Fault{
	{
		Name:    "finish/knows-no-word-but-safety",
		Does:    "An answer that is stopped for another reason than SAFETY or MAX_TOKENS is taken for a whole one.",
		Reports: []string{"https://github.com/Tiendil/feeds.fun/pull/385", "https://github.com/mozilla-ai/any-llm/pull/1202"},
		Breaks:  []string{"finish/stopped-is-not-success"},
		Make: onFinish(func(word string) bool {
			return slices.Contains([]string{"RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"}, word)
		}, "STOP"),
	},
	{
		Name:    "finish/completes-with-a-malformed-call",
		Does:    "A turn whose call could not be read is an empty answer, for which the loop has a word of its own.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/pull/83886", "https://github.com/Wei-Shaw/sub2api/pull/7098"},
		Breaks:  []string{"finish/unrunnable-call-told"},
		Make: emptyWhere(func(a *raw.Answer) bool {
			return says(a, "candidates.0.finishReason", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
		}),
	},
	{
		Name:    "finish/completes-with-a-blocked-prompt",
		Does:    "A prompt that was blocked gives an empty answer.",
		Reports: []string{"https://github.com/Tiendil/feeds.fun/pull/396"},
		Breaks:  []string{"finish/blocked-prompt-told"},
		Make: emptyWhere(func(a *raw.Answer) bool {
			return says(a, "promptFeedback.blockReason", "PROHIBITED_CONTENT")
		}),
	},
	{
		Name:    "failure/completes-without-candidates",
		Does:    "An answer without candidates is an empty one.",
		Reports: []string{"https://github.com/songquanpeng/one-api/issues/1718"},
		Breaks:  []string{"failure/no-candidates-told"},
		Make: emptyWhere(func(a *raw.Answer) bool {
			return len(a.Payloads) > 0 && !slices.ContainsFunc(a.Payloads, func(p string) bool {
				return !gjson.Get(p, "usageMetadata").Exists() || gjson.Get(p, "candidates").Exists() || gjson.Get(p, "promptFeedback").Exists()
			})
		}),
	},
	{
		Name:    "stream/reads-the-parts-of-nothing",
		Does:    "A candidate without parts ends the run, also behind an answer that was whole.",
		Reports: []string{"https://github.com/vercel/ai/issues/5039", "https://github.com/inngest/agent-kit/pull/178"},
		Breaks:  []string{"stream/contents-may-be-missing"},
		Make: raw.Chokes(func(n int, p string) bool {
			content := gjson.Get(p, "candidates.0.content")
			return n > 0 && gjson.Get(p, "candidates.0.finishReason").Exists() && !content.Get("parts").Exists() && content.Raw != "null"
		}),
	},
	{
		Name:    "stream/reads-the-first-of-no-candidates",
		Does:    "A chunk without candidates ends the run.",
		Reports: []string{"https://github.com/google-gemini/gemini-cli/issues/18621"},
		Breaks:  []string{"stream/no-choices"},
		Make: raw.OnStream(func(a *raw.Answer) {
			some := func(p string) bool {
				return gjson.Get(p, "candidates").Exists() || !gjson.Get(p, "usageMetadata").Exists()
			}
			if slices.ContainsFunc(a.Payloads, some) && !allOf(a.Payloads, some) && !slices.ContainsFunc(a.Payloads, isError) {
				a.Payloads = []string{unreadable}
			}
		}),
	},
	{
		Name:    "finish/ends-at-the-first-reason",
		Does:    "A stream ends with the first chunk that says why the model stopped.",
		Reports: []string{"https://github.com/Chevey339/kelivo/pull/1002"},
		Breaks:  []string{"finish/twice"},
		Make: raw.OnStream(func(a *raw.Answer) {
			stops := func(p string) bool { return gjson.Get(p, "candidates.0.finishReason").String() != "" }
			if i := slices.IndexFunc(a.Payloads, stops); i >= 0 && slices.ContainsFunc(a.Payloads[i+1:], stops) {
				a.Payloads = a.Payloads[:i+1]
			}
		}),
	},
	{
		Name:   "stream/takes-a-chunk-with-text-for-text",
		Does:   "Of a chunk with a text and a call, the text is read.",
		Breaks: []string{"stream/text-and-call-together", "reasoning/read-in-every-place"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				parts := gjson.Get(p, "candidates.0.content.parts").Array()
				if len(parts) > 1 && parts[0].Get("text").Exists() && parts[1].Get("functionCall").Exists() {
					a.Payloads[i] = raw.SetRaw(p, "candidates.0.content.parts", "["+parts[0].Raw+"]")
				}
			}
		}),
	},
	{
		Name:    "stream/keeps-the-last-text-of-a-chunk",
		Does:    "Of several texts of a chunk or an answer each one takes the place of the one before it.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/3229", "https://github.com/Portkey-AI/gateway/pull/1466"},
		Breaks:  []string{"stream/text-in-parts"},
		Make:    raw.OnAnswer(keepLastTexts),
	},
	{
		Name:    "stream/chokes-on-programs",
		Does:    "A part with a program that the provider ran ends the run.",
		Reports: []string{"https://github.com/vercel/ai/pull/17399"},
		Breaks:  []string{"stream/provider-parts"},
		Make:    chokesOn(`"executableCode":`),
	},
	{
		Name:   "stream/chokes-on-unknown-parts",
		Does:   "A part of a kind that the loop does not know ends the run.",
		Breaks: []string{"stream/unknown-blocks"},
		Make:   chokesOn(`"progressUpdate":`),
	},
	{
		Name:    "arguments/chokes-on-missing-args",
		Does:    "A call without the key args ends the run.",
		Reports: []string{"https://github.com/vercel/ai/tree/main/packages/google/src/__fixtures__"},
		Breaks:  []string{"arguments/no-piece-means-none"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return slices.ContainsFunc(gjson.Get(p, "candidates.0.content.parts").Array(), func(part gjson.Result) bool {
				return part.Get("functionCall").Exists() && !part.Get("functionCall.args").Exists()
			})
		}),
	},
	{
		Name:    "history/drops-the-parts-of-the-provider",
		Does:    "A turn goes back without the tool that the provider called by itself, and without its response.",
		Reports: []string{"https://github.com/unslothai/unsloth/pull/8713"},
		Breaks:  []string{"history/provider-parts-come-back"},
		Make: onModelParts(func(parts []string) []string {
			return slices.DeleteFunc(parts, func(p string) bool {
				return strings.Contains(p, `"toolCall":`) || strings.Contains(p, `"toolResponse":`)
			})
		}),
	},
	{
		Name:   "history/turns-the-parts-of-the-provider-round",
		Does:   "The call of a tool of the provider goes back behind its response.",
		Breaks: []string{"history/provider-parts-come-back"},
		Make: onModelParts(func(parts []string) []string {
			for i := 1; i < len(parts); i++ {
				if strings.Contains(parts[i], `"toolResponse":`) {
					parts[i-1], parts[i] = parts[i], parts[i-1]
				}
			}
			return parts
		}),
	},
	{
		Name:    "outcome/leaves-thoughts-uncounted",
		Does:    "The tokens of thoughts are not counted.",
		Reports: []string{"https://github.com/Wei-Shaw/sub2api/issues/554", "https://github.com/get-convex/chef/pull/815", "https://github.com/crewAIInc/crewAI/pull/5699"},
		Breaks:  []string{"outcome/thoughts-counted"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "usageMetadata.thoughtsTokenCount").Exists() {
					a.Payloads[i] = raw.Remove(p, "usageMetadata.thoughtsTokenCount")
				}
			}
		}),
	},
}

const unreadable = "undefined is not an object"

func isError(p string) bool { return gjson.Get(p, "error").Exists() }

func allOf(payloads []string, f func(string) bool) bool {
	return !slices.ContainsFunc(payloads, func(p string) bool { return !f(p) })
}

// chokesOn makes a loop that cannot read an answer that contains something.
func chokesOn(text string) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		if slices.ContainsFunc(a.Payloads, func(p string) bool { return strings.Contains(p, text) }) {
			a.Payloads = []string{unreadable}
		}
	})
}

// says reports whether some payload of an answer has one of some words at a place.
func says(a *raw.Answer, path string, words ...string) bool {
	return slices.ContainsFunc(a.Payloads, func(p string) bool { return slices.Contains(words, gjson.Get(p, path).String()) })
}

// emptyWhere makes a loop that says "(empty)" for some answers.
func emptyWhere(some func(*raw.Answer) bool) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		if some(a) {
			a.Payloads = []string{`{"candidates":[{"content":{"role":"model","parts":[{"text":"(empty)"}]},"finishReason":"STOP"}]}`}
		}
	})
}

// onFinish makes a loop that takes some reasons to stop for another one.
func onFinish(some func(word string) bool, word string) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		for i, p := range a.Payloads {
			if some(gjson.Get(p, "candidates.0.finishReason").String()) {
				a.Payloads[i] = raw.Set(p, "candidates.0.finishReason", word)
			}
		}
	})
}

// onModelParts makes a loop that changes the parts of the model's turns.
func onModelParts(change func(parts []string) []string) func() raw.Mutation {
	return onContents(func(contents []string) []string {
		for i, c := range contents {
			if gjson.Get(c, "role").String() == "model" {
				contents[i] = raw.SetRaw(c, "parts", "["+strings.Join(change(raw.Items(gjson.Get(c, "parts").Array())), ",")+"]")
			}
		}
		return contents
	})
}

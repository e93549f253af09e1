package agreement

// Reason says why the mock provider answers a request differently from the real code, or "" if no
// reason is known. A test checks that there is a reason for every disagreement, and a disagreement
// for every reason.
func Reason(profile, body string) string {
	for _, r := range reasons {
		if r.profile == profile && r.body == body {
			return r.why
		}
	}
	return ""
}

type reason struct{ profile, body, why string }

const modelsOwn = "a name that the model made up goes back as it came: [not judged](decisions/not-judged.md)"

const (
	newerWord  = "a word that the protos do not have may be newer than they are: the mock takes what may come to be"
	bothForms  = "no loop was seen to send both"
	emptyList  = "an accident of vLLM's schema with this library; a message of the user that says nothing is told by egress/no-blank-user-message"
	noRefusals = "its own answers have no refusals that could come back"
	ofTheModel = "the model refuses it, which the parser does not know: https://github.com/google-gemini/cookbook/issues/1290, https://github.com/googleapis/python-genai/issues/1921"
	noList     = "a matter of the request's schema that no loop was seen to break: calls are a list in every answer"
)

var reasons = []reason{
	{"gemini-3", "good/a-flag-in-a-capital", ofTheModel},
	{"gemini-3", "good/config-frequencypenalty", ofTheModel},
	{"gemini-3", "good/config-presencepenalty", ofTheModel},
	{"gemini-3", "good/config-logprobs", ofTheModel},
	{"mistral-common", "calls/name-empty", modelsOwn},
	{"mistral-common", "calls/name-with-a-dot", modelsOwn},
	{"mistral-common", "content/user-an-empty-list", emptyList},
	{"mistral-common-v11", "calls/name-empty", modelsOwn},
	{"mistral-common-v11", "calls/name-with-a-dot", modelsOwn},
	{"mistral-common-v11", "content/user-an-empty-list", emptyList},
	{"llamacpp", "calls/an-object-in-the-place-of-the-list", noList},
	{"llamacpp", "parameters/n-is-2", "it gives as many choices as it has slots: the one that was asked has one, by default there are four"},
	{"sglang", "calls/an-object-in-the-place-of-the-list", noList},
	{"vllm", "calls/an-object-in-the-place-of-the-list", noList},
	{"sglang", "parameters/stream-null", "null means nothing elsewhere, and clients that write it for what was not set are taken by all others"},
	{"ollama-messages", "content/a-list-of-texts", "the rule cannot tell it from a block without a type, which Ollama takes; no loop was seen to send it"},
	{"ollama-responses", "calls/arguments-that-are-no-json", "the arguments of Ollama's own calls are always JSON; elsewhere they go back as they came"},
	{"ollama-responses", "content/refusal-comes-back", noRefusals},
	{"vllm-responses", "content/refusal-comes-back", noRefusals},
	{"vllm-responses", "content/encrypted-reasoning-of-another", "its own reasoning has no encrypted form that could come back"},
	{"vllm-responses", "ids/a-response-that-is-not-stored", "the mock says that nothing is kept here; vLLM that there is no such response"},
	{"vllm-responses", "tools/unknown-choice", "a word that no API has; no loop was seen to send one"},
	{"gemini-3", "tools/schema-with-additionalproperties", "the protos of Vertex AI have it, and Google's reference of the Gemini API, too"},
	{"gemini-3", "parameters/config-with-response-format", "the protos of later versions have responseFormat"},
	{"gemini-3", "content/a-program-in-an-unknown-language", newerWord},
	{"gemini-3", "calls/scheduling-a-word-of-nobody", newerWord},
	{"gemini-3", "tools/behavior-of-nobody", newerWord},
	{"gemini-3", "tools/a-mode-of-nobody", newerWord},
	{"gemini-3", "content/an-image-in-both-alphabets", bothForms},
	{"gemini-3", "parameters/topk-in-both-spellings", bothForms},
	{"gemini-3", "parameters/maxoutputtokens-in-an-exponent-s-text", "the parser of today takes it"},
	{"vllm-messages", "tools/of-the-provider", "tools of the provider are taken as such in this dialect; loops are given tools of their own"},
}

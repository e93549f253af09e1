package converse

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Where it is written what a request may have.
const (
	converseAPI = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"
	resultAPI   = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html"
	cachingDocs = "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html"
	strandsCode = "https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/bedrock.py"
)

// cachePoint is where what is cached ends.
const cachePoint = `{"cachePoint":{"type":"default"}}`

// variations are what correct loops do otherwise with the bytes of the dialect.
var variations = []raw.Variation{
	{
		Name: "results/status-on-each", Does: "Results of tools that went well say so.",
		Sources: []string{resultAPI + " (status: success)", strandsCode + " (status)"},
		Make: onBlocks("toolResult", func(r *raw.Request, path string, said gjson.Result) {
			if !said.Get("status").Exists() {
				r.Set(path+".toolResult.status", "success")
			}
		}),
	},
	{
		Name: "results/objects-as-json", Does: "A result that is a JSON object goes back as such.",
		Sources: []string{resultAPI, "https://github.com/langchain-ai/langchain-aws/blob/main/libs/aws/langchain_aws/chat_models/bedrock_converse.py (json)"},
		Make: onBlocks("toolResult", func(r *raw.Request, path string, said gjson.Result) {
			for i, b := range said.Get("content").Array() {
				if text := b.Get("text").String(); gjson.Valid(text) && gjson.Parse(text).IsObject() {
					r.SetRaw(path+".toolResult.content."+strconv.Itoa(i), `{"json":`+text+`}`)
				}
			}
		}),
	},
	{
		Name: "results/words-of-the-loop-first", Does: "A result begins with a note of the loop.",
		Sources: []string{resultAPI + " (content: a list of blocks)"},
		Make: onBlocks("toolResult", func(r *raw.Request, path string, said gjson.Result) {
			r.SetRaw(path+".toolResult.content", raw.List(append([]string{`{"text":"<system>The tool has run.</system>"}`}, raw.Items(said.Get("content").Array())...)))
		}),
	},
	{
		Name: "results/note-behind-them", Does: "Behind the results, in the same message, is a note of the loop.",
		Sources:  []string{"https://github.com/langchain-ai/langchain-aws/blob/main/libs/aws/langchain_aws/chat_models/bedrock_converse.py (messages of one role are one)"},
		Profiles: []string{"bedrock-claude", "bedrock-nova"},
		Make: raw.OnRequest(func(r *raw.Request) {
			behindBlocks(r, "user", `{"text":"<system>The tools have run.</system>"}`, func(m gjson.Result) bool { return hasKind(m, "toolResult") && !hasKind(m, "text") })
		}),
	},
	{
		Name: "caching/system-and-tools", Does: "What is cached ends behind the system prompt, and behind the tools.",
		Sources:  []string{cachingDocs, strandsCode + " (cache_tools)"},
		Profiles: []string{"bedrock-claude"}, // Nova takes none among the tools
		Make: raw.OnRequest(func(r *raw.Request) {
			for _, path := range []string{"system", "toolConfig.tools"} {
				if r.Get(path + ".0").Exists() {
					r.SetRaw(path+".-1", cachePoint)
				}
			}
		}),
	},
	{
		Name: "caching/end", Does: "What is cached ends behind the last message of the user, and moves on.",
		Sources: []string{cachingDocs, "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/provider/transform.ts (cachePoint)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if n := len(r.Messages()); n > 0 {
				r.SetRaw("messages."+strconv.Itoa(n-1)+".content.-1", cachePoint)
			}
		}),
	},
	{
		Name: "caching/point-for-an-hour", Does: "The system prompt is cached for an hour.",
		Sources: []string{cachingDocs + " (ttl)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("system.0").Exists() {
				r.SetRaw("system.-1", `{"cachePoint":{"type":"default","ttl":"1h"}}`)
			}
		}),
	},
	{
		Name: "tools/chosen-as-usual", Does: "A request says that the model may choose.",
		Sources: []string{"https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html (auto)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("toolConfig.tools.0").Exists() && !r.Get("toolConfig.toolChoice").Exists() {
				r.SetRaw("toolConfig.toolChoice", `{"auto":{}}`)
			}
		}),
	},
	{
		Name: "parameters/length-given", Does: "A request says how long the answer may be.",
		Sources: []string{converseAPI + " (inferenceConfig)"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("inferenceConfig.maxTokens", 8192) }),
	},
	{
		Name: "parameters/of-the-cloud", Does: "A request has what only AWS reads: names for its logs, a tier, and paths of what else the answer shows.",
		Sources: []string{converseAPI + " (requestMetadata, performanceConfig, serviceTier, additionalModelResponseFieldPaths)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("requestMetadata", `{"team":"weather"}`)
			r.SetRaw("performanceConfig", `{"latency":"standard"}`)
			r.SetRaw("serviceTier", `{"type":"flex"}`)
			r.SetRaw("additionalModelResponseFieldPaths", `["/stop_sequence"]`)
		}),
	},
	{
		Name: "parameters/guarded", Does: "A guardrail of AWS looks at what is said.",
		Sources: []string{"https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-use-converse-api.html"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("guardrailConfig", `{"guardrailIdentifier":"g1","guardrailVersion":"1","trace":"enabled"}`)
		}),
	},
	{
		Name: "system/behind-it-one-of-the-library", Does: "Behind the system prompt is one of the library, as a block of its own.",
		Sources: []string{converseAPI + " (system: a list)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("system.0").Exists() {
				r.SetRaw("system.-1", `{"text":"Answer in plain text."}`)
			}
		}),
	},
	{
		Name: "http/signed", Does: "A request is signed as AWS does it, and has no bearer token.",
		Sources: []string{"https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html"},
		Make: raw.OnSend(func(req *http.Request) {
			key := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
			raw.Headers(
				"Authorization", "AWS4-HMAC-SHA256 Credential="+key+"/20261129/us-east-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=0a1b2c",
				"X-Amz-Date", "20261129T090000Z",
			)(req)
		}),
	},
	{
		Name: "results/as-text-documents", Does: "What a tool returned is a document in plain text.",
		Sources: []string{"https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html", "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultContentBlock.html"},
		Make: onBlocks("toolResult", func(r *raw.Request, path string, said gjson.Result) {
			if text := said.Get("content.0.text"); text.Exists() && said.Get("status").String() != "error" {
				r.SetRaw(path+".toolResult.content.0", raw.Set(`{"document":{"format":"txt","name":"result"}}`, "document.source.text", text.String()))
			}
		}),
	},
}

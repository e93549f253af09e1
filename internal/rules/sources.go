package rules

// Sources that rules of several areas name.
const (
	AdapterDocs        = "https://github.com/loopproof/loopproof/blob/main/docs/adapters.md"
	AnthropicErrorDocs = "https://platform.claude.com/docs/en/api/errors"
	ConverseDocs       = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"
	ConverseToolDocs   = "https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html"
	ChatDocs           = "https://platform.openai.com/docs/api-reference/chat/create"
	CohereDocs         = "https://docs.cohere.com/reference/chat"
	CohereToolDocs     = "https://docs.cohere.com/docs/tool-use-overview"
	DeepseekDocs       = "https://api-docs.deepseek.com/guides/thinking_mode"
	ErrorDocs          = "https://platform.openai.com/docs/guides/error-codes"
	GeminiCallDocs     = "https://ai.google.dev/gemini-api/docs/function-calling"
	GeminiContentDocs  = "https://ai.google.dev/api/caching#Content"
	GeminiErrorDocs    = "https://ai.google.dev/gemini-api/docs/troubleshooting"
	GeminiRequestDocs  = "https://ai.google.dev/api/generate-content"
	MessagesDocs       = "https://platform.claude.com/docs/en/api/messages"
	MessagesTypes      = "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts"
	MistralSchema      = "https://github.com/mistralai/platform-docs-public/blob/main/openapi.yaml"
	OpenrouterDocs     = "https://openrouter.ai/docs/use-cases/reasoning-tokens"
	PrefixCheckDocs    = "https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks"
	PythonRetryCode    = "https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py"
	InteractionsTypes  = "https://github.com/googleapis/python-genai/tree/v3.6.1/google/genai/_gaos/types/interactions"
	OllamaDocs         = "https://docs.ollama.com/api/chat"
	OllamaToolDocs     = "https://docs.ollama.com/capabilities/tool-calling"
	ResponsesDocs      = "https://platform.openai.com/docs/api-reference/responses/create"
	ResponseObjectDocs = "https://platform.openai.com/docs/api-reference/responses/object"
	StopReasonDocs     = "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons"
	StreamingDocs      = "https://platform.claude.com/docs/en/build-with-claude/streaming"
	ThinkingDocs       = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
	ToolCallDocs       = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
	WorkingDocs        = "https://platform.claude.com/docs/en/build-with-claude/working-with-messages"

	// What was sent to the APIs themselves, with what they answered, in August and September 2026.
	MeasuredChat      = "https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/4bbd033089736dc80f67e9088cfd0560da1c5c91/test/openai-chat-validation-parity.test.mjs"
	MeasuredMessages  = "https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/0137ad8f8b318a4d03ee31560a6c050bf5452679/test/anthropic-messages-validation-parity.test.mjs"
	MeasuredResponses = "https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/4eb54c7c8aa80f91abbcb7933a6b0df0bf633083/test/openai-responses-validation-parity.test.mjs"
)

package rules

// Sources that rules of several areas name.
const (
	AdapterDocs     = "https://github.com/loopproof/loopproof/blob/main/docs/adapters.md"
	ChatDocs        = "https://platform.openai.com/docs/api-reference/chat/create"
	DeepseekDocs    = "https://api-docs.deepseek.com/guides/thinking_mode"
	ErrorDocs       = "https://platform.openai.com/docs/guides/error-codes"
	MessagesDocs    = "https://platform.claude.com/docs/en/api/messages"
	MessagesTypes   = "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts"
	MistralSchema   = "https://github.com/mistralai/platform-docs-public/blob/main/openapi.yaml"
	OpenrouterDocs  = "https://openrouter.ai/docs/use-cases/reasoning-tokens"
	PrefixCheckDocs = "https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks"
	PythonRetryCode = "https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py"
	StopReasonDocs  = "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons"
	StreamingDocs   = "https://platform.claude.com/docs/en/build-with-claude/streaming"
	ThinkingDocs    = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
	ToolCallDocs    = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
)

package rules

const AdapterDocs = "https://github.com/loopproof/loopproof/blob/main/docs/adapters.md"

const (
	ChatDocs      = "https://platform.openai.com/docs/api-reference/chat/create"
	MistralSchema = "https://github.com/mistralai/platform-docs-public/blob/main/openapi.yaml"
)

const StopReasonDocs = "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons"

const PrefixCheckDocs = "https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks"

const (
	ToolCallDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
)

const (
	MessagesDocs  = "https://platform.claude.com/docs/en/api/messages"
	MessagesTypes = "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts"
)

const (
	DeepseekDocs = "https://api-docs.deepseek.com/guides/thinking_mode"
)

const (
	OpenrouterDocs = "https://openrouter.ai/docs/use-cases/reasoning-tokens"
)

const (
	ThinkingDocs = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
)

const (
	ErrorDocs = "https://platform.openai.com/docs/guides/error-codes"
)

const (
	PythonRetryCode = "https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py"
)

const StreamingDocs = "https://platform.claude.com/docs/en/build-with-claude/streaming"

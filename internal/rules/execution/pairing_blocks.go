package execution

const streamedInputDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming"

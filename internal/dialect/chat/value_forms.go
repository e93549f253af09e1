package chat

import "github.com/loopproof/loopproof/internal/wire"

// valueForms are forms in the reference of OpenAI: CreateChatCompletionRequest of openai-openapi at
// f85dbe2. The name of a function in the history, the two limits together, the keys of logit_bias,
// the length of prompt_cache_key and the name of a file are in reports:
// https://github.com/mcp-use/mcp-use/issues/90,
// https://github.com/langchain-ai/langgraph/issues/5943,
// https://github.com/OkGoDoIt/OpenAI-API-dotnet/issues/163,
// https://github.com/theopenco/llmgateway/pull/3110 and
// https://github.com/openai/openai-agents-python/pull/1513. That ids of calls have up to 40
// characters was so until 2025, and is no more: https://github.com/vercel/ai/pull/17233
var valueForms = wire.MustForms(`
	n                                                       range=..128
	max_tokens                                              without=max_completion_tokens
	top_logprobs                                            range=..20
	prompt_cache_key                                        max=64
	functions                                               min=1
	stop                                                    text|list most=4
	stop[]                                                  text
	logit_bias                                              object
	logit_bias.*                                            number range=-100..100 named=^\d+$
	stream_options.include_usage                            flag
	modalities                                              list
	modalities[]                                            words=text|audio
	audio                                                   object
	audio.voice                                             required
	audio.format                                            required words=wav|aac|mp3|flac|opus|pcm16
	prediction                                              object
	prediction.type                                         required words=content
	prediction.content                                      required
	web_search_options                                      object
	web_search_options.search_context_size                  words=low|medium|high
	safety_identifier                                       max=64
	response_format(type=json_schema).json_schema.name      max=64
	response_format(type=json_schema).json_schema.strict    flag
	tools[type=function].function.description               text
	tools[type=function].function.strict                    flag
	messages[].content[type=text].text                      required text
	messages[].content[type=image_url].image_url.detail     words=auto|low|high|original
	messages[].content[type=input_audio].input_audio        required object
	messages[].content[type=input_audio].input_audio.data   required text
	messages[].content[type=input_audio].input_audio.format required words=wav|mp3
	messages[].content[type=file].file                      required object
	messages[].content[type=file].file                      needs=file_data|file_id
	messages[].content[type=file].file.file_data            begins=data: with=filename
	messages[].tool_calls[].function.name                   like=^[a-zA-Z0-9_-]+$ max=64
`)

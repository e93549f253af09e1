package responses

import "github.com/loopproof/loopproof/internal/wire"

// valueForms are forms in the reference of OpenAI: CreateResponse, Tool, ToolChoiceParam and the
// items of openai-openapi at f85dbe2, and of openai 3.57.0 for Python. Types of tools and words for
// images are added often: of the former, those of other APIs alone are wrong. What the reference
// does not say is in reports: the letters of previous_response_id in
// https://github.com/ProjectTech4DevAI/kaapi-backend/issues/317, those of server_label in
// https://github.com/fhswf/openai-ui/pull/159, and what files and images may not have together in
// https://github.com/0xPlaygrounds/rig/issues/1429 and https://github.com/cita-777/metapi/pull/619
var valueForms = wire.MustForms(`
	previous_response_id                                  like=^[a-zA-Z0-9_-]+$ begins=resp
	conversation                                          begins=conv
	conversation.id                                       begins=conv
	stream_options.include_obfuscation                    flag
	prompt.id                                             required text
	text.format                                           object
	text.format(type=json_schema)                         keys=type|name|description|schema|strict
	text.format(type=json_schema).strict                  flag
	tools[].type                                          words=function|file_search|computer|computer_use_preview|web_search|web_search_2025_08_26|web_search_preview|web_search_preview_2025_03_11|mcp|code_interpreter|programmatic_tool_calling|image_generation|local_shell|shell|custom|namespace|tool_search|apply_patch wrong=functions|tool|retrieval|google_search|googleSearch|web_fetch|code_execution|bash|text_editor|memory|browser|computer_20241022|computer_20250124|computer_20251124|bash_20241022|bash_20250124|web_search_20250305
	tools[type=function].description                      text
	tools[type=file_search].vector_store_ids              required list min=1
	tools[type=file_search].vector_store_ids[]            text
	tools[type=file_search].max_num_results               integer range=1..50
	tools[type=code_interpreter].container                required text|object
	tools[type=code_interpreter].container.type           words=auto
	tools[type=mcp].server_label                          required text like=^[a-zA-Z0-9_-]*$
	tools[type=mcp]                                       needs=server_url|connector_id|tunnel_id
	tools[type=mcp].require_approval                      text|object words=always|never
	tools[type=web_search|web_search_2025_08_26|web_search_preview|web_search_preview_2025_03_11].search_context_size words=low|medium|high
	tools[type=image_generation].quality                  text
	tools[type=image_generation].output_format            text
	tools[type=image_generation].background               text
	tools[type=image_generation].output_compression       integer range=0..100
	tools[type=image_generation].partial_images           integer range=0..3
	tools[type=computer_use_preview].display_width        required integer
	tools[type=computer_use_preview].display_height       required integer
	tools[type=computer_use_preview].environment          required words=windows|mac|linux|ubuntu|browser
	tools[type=custom].name                               required text
	tools[type=custom].format.type                        words=text|grammar
	tools[type=custom].format(type=grammar).syntax        required words=lark|regex
	tools[type=custom].format(type=grammar).definition    required text
	tool_choice.type                                      words=function|allowed_tools|mcp|custom|file_search|web_search|web_search_2025_08_26|web_search_preview|web_search_preview_2025_03_11|computer|computer_use|computer_use_preview|image_generation|code_interpreter|programmatic_tool_calling|apply_patch|shell wrong=tool|any|auto|none|required|functions|object
	tool_choice(type=allowed_tools).mode                  required words=auto|required
	input[type=item_reference].id                         required text
	input[type=mcp_approval_response].approval_request_id required text
	input[type=computer_call_output].output               required object
	input[type=function_call].name                        like=^[a-zA-Z0-9_-]+$
	input[].content[type=input_file].file_data            begins=data: with=filename
	input[].content[type=input_file].file_url             without=filename
	input[].content[type=input_file].file_id              without=file_data
	input[].content[type=input_image].file_id             without=image_url
	input[].output[type=input_file].file_data             begins=data:
`)

package messages

import "github.com/loopproof/loopproof/internal/wire"

// valueForms are forms in the types of anthropic 2.14.0 for Python. Types with a date are added
// often, so that others with one are taken. The tags of tools, the lists of domains and the letters
// of names in the history are in reports: https://github.com/dirac-run/dirac/issues/57,
// https://github.com/CherryHQ/cherry-studio/pull/10374,
// https://github.com/microsoft/vscode/pull/314275 and
// https://github.com/home-assistant/core/issues/140005
var valueForms = wire.MustForms(`
	system[].type                                             words=text
	thinking.type                                             required
	thinking(type=disabled)                                   keys=type
	thinking.display                                          words=omitted|summarized|updates
	output_config                                             keys=effort|format|task_budget
	output_config.format.type                                 required words=json_schema
	output_config.format(type=json_schema).schema             required object
	output_config.format(type=json_schema)                    keys=type|schema
	tool_choice(type=auto|any)                                keys=type|disable_parallel_tool_use
	tool_choice(type=tool)                                    keys=type|name|disable_parallel_tool_use
	tool_choice(type=none)                                    keys=type
	tool_choice(type=auto|any|tool).disable_parallel_tool_use flag
	top_k                                                     integer range=0..
	tools[].type                                              words=custom|bash_20250124|text_editor_20250728|web_search_20250305|web_fetch_20250910|code_execution_20250825|memory_20250818|computer_20251124|mcp_toolset wrong=function|web_search|web_search_preview|web_fetch|bash|text_editor|code_execution|code_interpreter|computer|computer_use|computer_use_preview|memory|file_search|mcp|retrieval
	tools[type=custom|].description                           text
	tools[type=web_search_20250305|web_search_20260209|web_search_20260318].name required words=web_search
	tools[type=web_search_20250305|web_search_20260209|web_search_20260318].max_uses integer range=1..
	tools[type=web_search_20250305|web_search_20260209|web_search_20260318].allowed_domains list min=1
	tools[type=web_search_20250305|web_search_20260209|web_search_20260318].blocked_domains list min=1 without=allowed_domains
	tools[type=web_search_20250305]                           keys=type|name|allowed_callers|allowed_domains|blocked_domains|cache_control|defer_loading|max_uses|strict|user_location
	tools[type=web_fetch_20250910|web_fetch_20260209|web_fetch_20260309|web_fetch_20260318].name required words=web_fetch
	tools[type=web_fetch_20250910|web_fetch_20260209|web_fetch_20260309|web_fetch_20260318].max_uses integer range=1..
	tools[type=bash_20241022|bash_20250124].name              required words=bash
	tools[type=text_editor_20241022|text_editor_20250124].name required words=str_replace_editor
	tools[type=text_editor_20250429|text_editor_20250728].name required words=str_replace_based_edit_tool
	tools[type=code_execution_20250522|code_execution_20250825|code_execution_20260120|code_execution_20260521].name required words=code_execution
	tools[type=memory_20250818].name                          required words=memory
	tools[type=computer_20241022|computer_20250124|computer_20251124].name required words=computer
	tools[type=computer_20241022|computer_20250124|computer_20251124].display_width_px required integer
	tools[type=computer_20241022|computer_20250124|computer_20251124].display_height_px required integer
	mcp_servers[].type                                        required words=url
	mcp_servers[type=url].url                                 required text begins=https://
	mcp_servers[type=url].name                                required text
	context_management.edits[].type                           required words=clear_thinking_20251015|clear_tool_uses_20250919|compact_20260112 newer=^(clear|compact)_[a-z_]*\d{8}$
	messages[].content[type=image].source                     required object
	messages[].content[type=image].source.type                required words=base64|url|file
	messages[].content[type=image].source(type=base64).data   required text
	messages[].content[type=image].source(type=base64).media_type required text
	messages[].content[type=image].source(type=url).url       required text
	messages[].content[type=document]                         keys=type|source|cache_control|citations|context|title
	messages[].content[type=document].source                  required object
	messages[].content[type=document].source.type             required words=base64|text|content|url|file
	messages[].content[type=document].source(type=base64).data required text
	messages[].content[type=document].source(type=base64).media_type required text
	messages[].content[type=document].source(type=text).media_type required words=text/plain
	messages[].content[type=document].source(type=text).data  required text
	messages[].content[type=document].source(type=url).url    required text
	messages[].content[type=document].citations               object
	messages[].content[type=document].citations.enabled       flag
	messages[].content[type=search_result].source             required text
	messages[].content[type=search_result].title              required text
	messages[].content[type=search_result].content            required list
	messages[].content[type=container_upload].file_id         required text
	messages[].content[type=tool_use].name                    max=200 like=^[a-zA-Z0-9_-]*$
`)

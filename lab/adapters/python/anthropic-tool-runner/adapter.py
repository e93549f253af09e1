"""Lets Loopproof judge the tool runner of the official anthropic package, over the Messages API.

    loopproof run -- .venv/bin/python adapter.py
    loopproof run -- .venv/bin/python adapter.py --no-threads
    loopproof run -- .venv/bin/python adapter.py anthropic-vertex     # or anthropic-bedrock: through the client of that cloud
"""

import base64
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Image, Task, Tool, completed, serve, stopped, usage

from anthropic import AsyncAnthropic, AsyncAnthropicBedrock, AsyncAnthropicVertex, beta_async_tool
from anthropic.lib.tools.mcp import async_mcp_tool
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

CODE_EXECUTION = "code_execution_20260120"

# The clients of the clouds, by the profiles that play these.
CLOUDS = {
    "anthropic-vertex": lambda task: AsyncAnthropicVertex(base_url=f"{task.base_url}/v1", access_token=task.api_key, region="global", project_id="loopproof"),
    "anthropic-bedrock": lambda task: AsyncAnthropicBedrock(base_url=task.base_url, aws_access_key=task.api_key, aws_secret_key="any", aws_region="us-east-1"),
}
CLAIMED = [each for each in sys.argv[1:] if each in CLOUDS]


async def run(task: Task) -> dict:
    """Hold the conversation as the SDK's documentation shows it. By default the runner wants the server to keep the
    history, and sends it with each request to one that does not; thread=False never asks."""
    messages, used = [], usage(0, 0)
    async with client_of(task) as client, tools_of(task) as tools:
        for number, prompt in enumerate(task.prompts):
            model = task.prompt_models[number] if task.prompt_models else task.model
            asked = [*messages, {"role": "user", "content": prompt}]
            said = await task.of_prompt(ask(client, task, asked, used, model=model, tools=tools))
            if said is NO_ANSWER:
                continue  # the user goes on without an answer
            last, shown = said
            if not reason_to_stop(last):
                messages = shown
            elif not task.resume_after_failure:
                break  # there is no answer that the user could go on from
    return report(last, used)


def client_of(task: Task) -> AsyncAnthropic | AsyncAnthropicVertex | AsyncAnthropicBedrock:
    if task.profile in CLOUDS:
        return CLOUDS[task.profile](task)
    return AsyncAnthropic(base_url=task.base_url, api_key=task.api_key)


@asynccontextmanager
async def tools_of(task: Task):
    """The tools of the task, or those of its MCP server by the SDK's helpers:
    https://platform.claude.com/docs/en/agents-and-tools/mcp-connector#client-side-mcp-helpers-python"""
    if not task.mcp_tools:
        yield [*code(task.tools), *(as_tool(tool) for tool in task.tools)]
        return
    async with streamable_http_client(task.mcp_url) as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        yield [async_mcp_tool(tool, session) for tool in (await session.list_tools()).tools]


async def ask(client, task: Task, messages: list, used: dict, **more) -> tuple:
    """The last message of the model, and the conversation."""
    runner = client.beta.messages.tool_runner(
        max_tokens=16000,
        **({"system": task.system} if task.system else {}),
        messages=messages,
        thinking=thinking_for(task.profile),
        stream=task.stream,
        max_iterations=task.max_turns,
        **compacting(task.compact_threshold),
        **answering(task.answer_schema),
        **more,
        **({"thread": False} if "--no-threads" in sys.argv else {}),
    )
    async for item in runner:
        last = await item.get_final_message() if task.stream else item
        used["input_tokens"] += last.usage.input_tokens
        used["output_tokens"] += last.usage.output_tokens
    return last, history(runner)


def history(runner) -> list:
    """The conversation as the runner has it. set_messages_params is where it shows its parameters."""
    shown = {}

    def look(params):
        shown.update(params)
        return params

    runner.set_messages_params(look)
    return list(shown["messages"])


def thinking_for(profile: str) -> dict:
    """Ask for the model's reasoning in the way of its generation."""
    return {"type": "enabled", "budget_tokens": 4000} if profile == "anthropic-4.5" else {"type": "adaptive"}


def compacting(threshold: int) -> dict:
    """Lets the provider make the history shorter: https://platform.claude.com/docs/en/build-with-claude/compaction"""
    if not threshold:
        return {}
    edit = {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": threshold}}
    return {"context_management": {"edits": [edit]}, "betas": ["compact-2026-01-12"]}


def answering(schema: dict | None) -> dict:
    """Wants answers of a form: https://platform.claude.com/docs/en/build-with-claude/structured-outputs"""
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}} if schema else {}


def code(tools: list[Tool]) -> list:
    """The tool that runs code, if it may call tools: https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling"""
    return [{"type": CODE_EXECUTION, "name": "code_execution"}] if any(tool.programmatic for tool in tools) else []


def as_tool(tool: Tool):
    async def call(**arguments: object) -> str | list:
        result = await tool.call(arguments)
        if isinstance(result, Image):
            source = {"type": "base64", "media_type": result.media_type, "data": base64.b64encode(result.data).decode()}
            return [{"type": "image", "source": source}]
        return result

    return beta_async_tool(call, name=tool.name, description=tool.description, input_schema=tool.parameters,
                           allowed_callers=["direct", CODE_EXECUTION] if tool.programmatic else None)


def report(message, used: dict) -> dict:
    """How the conversation ended, in the words of the loop: from what it returned, not from what we know better."""
    text = "".join(block.text for block in message.content if block.type == "text")
    more = {"text": text, "usage": used, **({"finish_reason": message.stop_reason} if message.stop_reason else {})}
    if reason := reason_to_stop(message):
        return stopped(reason, **more)
    return completed(**more)


def reason_to_stop(message) -> str:
    """Why the last turn of the model is no answer. After max_iterations the runner gives the last turn that it got."""
    if message.stop_reason in ("max_tokens", "refusal", "model_context_window_exceeded", "pause_turn"):
        return message.stop_reason
    if message.stop_reason == "tool_use" and any(block.type == "tool_use" for block in message.content):
        return "turn limit"
    return ""


serve(
    run,
    name="Anthropic tool runner (Python)",
    version=version("anthropic"),
    dialects=["messages"],
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "images",
              "server-compaction", "server-tools", "answer-schema", "model-switch", "mcp-tools", "programmatic-tools"],
    **({"profiles": CLAIMED} if CLAIMED else {}),
)

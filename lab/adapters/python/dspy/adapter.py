"""Lets Loopproof judge ReActV2 of DSPy with native function calling, over Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import os
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped, usage

# What a model can do is looked up in the list that comes with the package, and not in one of the network.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "true")

import dspy
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

# A model of that list. The tools of one that is not there are only in the text of the prompt.
MODEL = "openai/gpt-4.1"


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://dspy.ai/diving-deeper/react/"""
    lm = dspy.LM(MODEL, api_base=task.base_url, api_key=task.api_key, cache=False)
    adapter = dspy.ChatAdapter(use_native_function_calling=True, parallel_tool_calls=True)
    used = usage(0, 0)
    async with tools_of(task) as tools:
        # Behind the limit of iterations the model is asked once more, with submit as its only choice.
        agent = dspy.ReActV2(dspy.Signature("question -> answer", task.system or None), tools, max_iters=task.max_turns - 1)
        history = dspy.History(messages=[])
        for prompt in task.prompts:
            with dspy.context(lm=lm, adapter=adapter, track_usage=True):
                try:
                    said = await task.of_prompt(ask(agent, task.stream, prompt, history))
                except ValueError as error:
                    if "after max_iters" in str(error):
                        return stopped(str(error), usage=used)
                    raise
            if said is NO_ANSWER:
                continue  # the user goes on without an answer; what the history has of it is the library's affair
            for of_model in (said.get_lm_usage() or {}).values():
                used["input_tokens"] += of_model["prompt_tokens"]
                used["output_tokens"] += of_model["completion_tokens"]
            history = said.history
        return completed(said.answer, usage=used)


async def ask(agent: dspy.Module, stream: bool, prompt: str, history: dspy.History) -> dspy.Prediction:
    if not stream:
        return await agent.acall(question=prompt, history=history)
    async for part in dspy.streamify(agent, is_async_program=True)(question=prompt, history=history):
        if isinstance(part, dspy.Prediction):
            said = part
    return said


@asynccontextmanager
async def tools_of(task: Task):
    """The tools of the task, or those of its MCP server: https://dspy.ai/diving-deeper/tools/"""
    if not task.mcp_tools:
        yield [as_tool(tool) for tool in task.tools]
        return
    async with streamable_http_client(task.mcp_url) as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        yield [dspy.Tool.from_mcp_tool(session, tool) for tool in (await session.list_tools()).tools]


def as_tool(tool: Tool) -> dspy.Tool:
    """A tool of a schema, which takes any arguments, as those of an MCP server do. It is told no id of the call."""

    async def call(**arguments) -> str:
        return await tool.call(arguments)

    return dspy.Tool(call, name=tool.name, desc=tool.description, args=tool.parameters.get("properties", {}))


serve(
    run,
    name="DSPy ReActV2",
    version=version("dspy"),
    concurrency=24,
    features=["streaming", "parallel-calls", "multi-prompt", "retries", "turn-limit", "usage", "cancel", "mcp-tools"],
    profiles=["openai"],
    designs=["answers-by-tool", "own-model"],
    answer_tool={"name": "submit", "argument": "answer"},
)

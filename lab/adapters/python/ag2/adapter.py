"""Lets Loopproof judge the agent of AG2, over Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped, usage

from ag2 import Agent, MemoryStream, tool as function_tool
from ag2.config import OpenAIConfig
from ag2.tools.tool import Tool as AG2Tool

NO_ANSWER_WITH = ("length", "content_filter", "error")  # the finish reasons with which there is none


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: the stream has its history, also where a prompt has no answer."""
    config = OpenAIConfig(task.model, api_key=task.api_key, base_url=task.base_url, streaming=task.stream)
    agent = Agent("loopproof", task.system or (), config=config, tools=[as_tool(tool) for tool in task.tools])
    stream = MemoryStream()
    for prompt in task.prompts:
        said = await task.of_prompt(agent.ask(prompt, stream=stream))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the stream keeps of it is the library's affair
        reply = said
        if reply.response.finish_reason in NO_ANSWER_WITH and not task.resume_after_failure:
            break  # there is no answer that the user could go on from
    total, finish = (await reply.usage()).total, reply.response.finish_reason
    more = {"text": reply.body or "", "usage": usage(total.prompt_tokens, total.completion_tokens), **({"finish_reason": finish} if finish else {})}
    return stopped(finish, **more) if finish in NO_ANSWER_WITH else completed(**more)


def as_tool(tool: Tool) -> AG2Tool:
    """A tool with a schema of its own. What it raises goes to the model."""

    async def call(**arguments) -> str:
        context = arguments.pop("__ctx__")  # a Context parameter is not filled beside any arguments
        return await tool.call(arguments, context.tool_call_id or "")

    return function_tool(call, name=tool.name, description=tool.description, schema=tool.parameters)


serve(
    run,
    name="AG2",
    version=version("ag2"),
    concurrency=24,
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "usage", "cancel"],
    profiles=["openai"],
)

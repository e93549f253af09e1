"""Lets Loopproof judge the Agent of Haystack, with OpenAIChatGenerator.

    loopproof run -- .venv/bin/python adapter.py
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, completed, serve, stopped, usage
from loopproof_adapter import Tool as Offered

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage, StreamingChunk
from haystack.tools import Tool
from haystack.utils import Secret


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://docs.haystack.deepset.ai/docs/agent"""
    agent = Agent(
        chat_generator=OpenAIChatGenerator(
            model=task.model,
            api_base_url=task.base_url,
            api_key=Secret.from_token(task.api_key),
            generation_kwargs={"stream_options": {"include_usage": True}} if task.stream else None,
        ),
        tools=[as_tool(tool) for tool in task.tools],
        max_agent_steps=task.max_turns,
    )
    messages = [ChatMessage.from_system(task.system)] if task.system else []
    used = usage(0, 0)
    for prompt in task.prompts:
        messages.append(ChatMessage.from_user(prompt))
        said = await task.of_prompt(agent.run_async(messages, streaming_callback=ignore if task.stream else None))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer
        result = said
        messages = result["messages"]
        used["input_tokens"] += result["token_usage"].get("prompt_tokens") or 0
        used["output_tokens"] += result["token_usage"].get("completion_tokens") or 0
        if result["exit_reason"] != "text" and not task.resume_after_failure:
            break  # there is no answer that the user could go on from
    last = result["last_message"]
    more = {"usage": used, **({"finish_reason": last.meta["finish_reason"]} if last.meta.get("finish_reason") else {})}
    if result["exit_reason"] != "text":  # length, content_filter or max_agent_steps
        return stopped(result["exit_reason"], text=last.text or "", **more)
    return completed(last.text or "", **more)


async def ignore(_: StreamingChunk) -> None:
    pass


def as_tool(tool: Offered) -> Tool:
    """A tool with a schema of its own. What it raises goes to the model."""

    async def call(**arguments) -> str:
        return await tool.call(arguments)

    return Tool(name=tool.name, description=tool.description, parameters=tool.parameters, async_function=call)


serve(
    run,
    name="Haystack Agent",
    version=version("haystack-ai"),
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel"],
)

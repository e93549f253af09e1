"""Lets Loopproof judge the AssistantAgent of AutoGen, over Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import asyncio
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped, usage

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.base import TaskResult
from autogen_agentchat.messages import ToolCallSummaryMessage
from autogen_core import CancellationToken
from autogen_core.models import ModelInfo
from autogen_core.tools import StaticStreamWorkbench, ToolSchema
from autogen_ext.models.openai import OpenAIChatCompletionClient

MODEL = ModelInfo(vision=False, function_calling=True, json_output=True, family="unknown", structured_output=True)


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://microsoft.github.io/autogen/stable/user-guide/agentchat-user-guide/tutorial/agents.html"""
    client = OpenAIChatCompletionClient(
        model=task.model,
        base_url=task.base_url,
        api_key=task.api_key,
        model_info=MODEL,
        stream_options={"include_usage": True} if task.stream else None,
    )
    agent = AssistantAgent(
        "assistant",
        client,
        workbench=StaticStreamWorkbench([LoopTool(tool) for tool in task.tools]),
        system_message=task.system or None,
        model_client_stream=task.stream,
        max_tool_iterations=task.max_turns,  # 1
    )
    used = usage(0, 0)
    for prompt in task.prompts:
        said = await task.of_prompt(ask(agent, prompt))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the agent keeps of it is the library's affair
        last = said.messages[-1]
        for message in said.messages:
            if message.models_usage:
                used["input_tokens"] += message.models_usage.prompt_tokens
                used["output_tokens"] += message.models_usage.completion_tokens
    if isinstance(last, ToolCallSummaryMessage):  # the results of the last round, in place of an answer
        return stopped("turn limit", usage=used)
    return completed(last.content, usage=used)


async def ask(agent: AssistantAgent, prompt: str) -> TaskResult:
    token = CancellationToken()
    try:
        return await agent.run(task=prompt, cancellation_token=token)
    except asyncio.CancelledError:
        token.cancel()
        raise


class LoopTool:
    """A Tool by its protocol, with a schema of its own. What it raises goes to the model."""

    def __init__(self, tool: Tool) -> None:
        self.tool, self.name = tool, tool.name
        self.schema = ToolSchema(name=tool.name, description=tool.description, parameters=tool.parameters)

    async def run_json(self, args: Mapping[str, Any], cancellation_token: CancellationToken, call_id: str | None = None) -> str:
        return await self.tool.call(dict(args), call_id or "")

    def return_value_as_string(self, value: str) -> str:
        return value


serve(
    run,
    name="AutoGen",
    version=version("autogen-agentchat"),
    concurrency=24,
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel"],
    profiles=["openai"],
)

"""Lets Loopproof judge the ChatAgent of CAMEL, over Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, failed, serve, stopped, usage

from camel.agents import ChatAgent
from camel.models import BaseModelBackend, ModelFactory
from camel.responses import ChatAgentResponse
from camel.toolkits import FunctionTool
from camel.types import ModelPlatformType
from camel.utils import BaseTokenCounter


class TokenCounter(BaseTokenCounter):
    """Four bytes are a token. The library's own counter fetches its table from the network."""

    def count_tokens_from_messages(self, messages: list) -> int:
        return len(json.dumps(messages)) // 4

    def encode(self, text: str) -> list[int]:
        return list(text.encode()[::4])

    def decode(self, token_ids: list[int]) -> str:
        return bytes(token_ids).decode(errors="replace")


def model_of(task: Task) -> BaseModelBackend:
    """As the documentation has it for OpenAI, and for servers that are compatible with it: https://docs.camel-ai.org/key_modules/models"""
    platform = ModelPlatformType.OPENAI if task.profile == "openai" else ModelPlatformType.OPENAI_COMPATIBLE_MODEL
    streamed = {"stream": True, "stream_options": {"include_usage": True}}
    return ModelFactory.create(
        model_platform=platform,
        model_type=task.model,
        url=task.base_url,
        api_key=task.api_key,
        model_config_dict=streamed if task.stream else {},
        token_counter=TokenCounter(),
    )


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://docs.camel-ai.org/key_modules/agents"""
    answers = []  # their numbers, from 1 at each prompt
    agent = ChatAgent(
        task.system or None,
        model=model_of(task),
        tools=[as_tool(tool) for tool in task.tools],
        max_iteration=task.max_turns,
        stream_accumulate=True,  # the last part of a stream has the whole text
        on_request_usage=lambda told: answers.append(told["request_index"]),
    )
    used = usage(0, 0)
    for prompt in task.prompts:
        said = await task.of_prompt(ask(agent, prompt))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the agent keeps of it is the library's affair
        result = said
        tokens = result.info.get("usage") or {}
        used["input_tokens"] += tokens.get("prompt_tokens", 0)
        used["output_tokens"] += tokens.get("completion_tokens", 0)
    cut_short = answers and answers[-1] == task.max_turns and agent.chat_history[-1]["role"] == "tool"  # by max_iteration
    return report(result, used, cut_short)


async def ask(agent: ChatAgent, prompt: str) -> ChatAgentResponse:
    response = await agent.astep(prompt)
    if not isinstance(response, ChatAgentResponse):  # a stream, which is awaited to its end
        response = await response
    if "error" in response.info:  # of a stream
        raise RuntimeError(response.info["error"])
    return response


def report(result: ChatAgentResponse, used: dict, cut_short: bool) -> dict:
    reasons = result.info.get("termination_reasons") or result.info.get("finish_reasons") or [""]
    text = result.msg.content if result.msg else ""
    if result.terminated or reasons[0] in ("length", "content_filter"):
        return stopped(reasons[0], text=text, finish_reason=reasons[0], usage=used)
    if cut_short:
        return stopped("turn limit", text=text, usage=used)
    if not result.msgs:  # "there is some error in message generation", as ChatAgentResponse documents
        return failed("no message was generated", usage=used)
    return completed(text, finish_reason=reasons[0], usage=used)


def as_tool(tool: Tool) -> FunctionTool:
    """A tool with a schema of its own. The library tells it no id of the call. What it raises goes to the model."""

    async def call(**arguments) -> str:
        return await tool.call(arguments)

    schema = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return FunctionTool(call, openai_tool_schema={"type": "function", "function": schema})


serve(
    run,
    name="CAMEL ChatAgent",
    version=version("camel-ai"),
    concurrency=8,
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel"],
)

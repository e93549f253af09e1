"""Lets Loopproof judge the chains of llm, the library of the command of that name, with its model for any
OpenAI-compatible server.

    loopproof run -- .venv/bin/python adapter.py
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped, usage

import llm
from llm.default_plugins.openai_models import AsyncChat


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://llm.datasette.io/en/stable/python-api.html"""
    # The options of extra-openai-models.yaml: https://llm.datasette.io/en/stable/other-models.html#openai-compatible-models
    model = AsyncChat(task.model, key=task.api_key, api_base=task.base_url, supports_tools=True, supports_schema=True)
    # The limit counts answers; 0 would be none.
    conversation = model.conversation(tools=[as_tool(tool) for tool in task.tools], chain_limit=task.max_turns)
    used, last = usage(0, 0), ("", None)
    for prompt in task.prompts:
        said = await task.of_prompt(ask(conversation, prompt, task, used))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the conversation keeps of it is the library's affair
        last = said
    text, finish = last
    more = {"text": text, "usage": used, **({"finish_reason": finish} if finish else {})}
    return stopped(finish, **more) if finish in ("length", "content_filter") else completed(**more)


async def ask(conversation, prompt: str, task: Task, used: dict) -> tuple[str, str | None]:
    """The text of the last answer of a chain, and why the model ended it."""
    chain = conversation.chain(prompt, system=task.system or None, schema=task.answer_schema or None, stream=task.stream)
    text, finish = "", None
    async for response in chain.responses():
        text = await response.text()
        counted = await response.usage()
        used["input_tokens"] += counted.input or 0
        used["output_tokens"] += counted.output or 0
        finish = finish_reason(await response.json())
    return text, finish


def finish_reason(body: dict | None) -> str | None:
    """The JSON of an answer as it came, or what is put together of a stream."""
    whole = (body or {}).get("choices") or [{}]
    return (body or {}).get("finish_reason") or whole[0].get("finish_reason")


def as_tool(tool: Tool) -> llm.Tool:
    """A tool with a schema of its own, whose exceptions the library tells the model."""

    async def call(**arguments) -> str:
        return await tool.call(arguments)

    return llm.Tool(tool.name, tool.description, tool.parameters, call)


serve(
    run,
    name="llm",
    version=version("llm"),
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "answer-schema"],
    profiles=["openai"],
)

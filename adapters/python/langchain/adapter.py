"""Lets Loopproof judge create_agent of LangChain, which runs on LangGraph, with ChatOpenAI or ChatGoogleGenerativeAI.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py gemini
"""

import base64
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from loopproof_adapter import NO_ANSWER, Image, Task, Tool, completed, serve, stopped, usage

from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware, ToolErrorMiddleware
from langchain.agents.middleware.model_call_limit import ModelCallLimitExceededError
from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.tools import StructuredTool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
MODELS = {
    "chat": lambda task: ChatOpenAI(
        base_url=task.base_url, api_key=task.api_key, model=task.model, streaming=task.stream, stream_usage=True
    ),
    "gemini": lambda task: ChatGoogleGenerativeAI(  # what it does about signatures depends on the name of the model
        base_url=task.base_url, api_key=task.api_key, model="gemini-3-pro-preview", streaming=task.stream, include_thoughts=True
    ),
}
PACKAGES = {"chat": "langchain-openai", "gemini": "langchain-google-genai"}
MORE = {"chat": [], "gemini": ["reasoning"]}


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://docs.langchain.com/oss/python/langchain/agents"""
    agent = create_agent(
        MODELS[DIALECT](task),
        tools=[as_tool(tool) for tool in task.tools],
        system_prompt=task.system or None,
        middleware=[
            ModelCallLimitMiddleware(run_limit=task.max_turns, exit_behavior="error"),
            ToolErrorMiddleware(lambda error, _call: f"Error: {error}"),  # else a tool that fails ends the run
        ],
    )
    counted = UsageMetadataCallbackHandler()
    messages: list = []
    for prompt in task.prompts:
        asked = [*messages, {"role": "user", "content": prompt}]
        try:
            state = await task.of_prompt(agent.ainvoke({"messages": asked}, {"callbacks": [counted], "recursion_limit": 1000}))
        except ModelCallLimitExceededError as limit:
            return stopped(str(limit))
        if state is NO_ANSWER:
            continue  # the user goes on without an answer
        messages = state["messages"]
    used = counted.usage_metadata.values()
    more = {"usage": usage(sum(u["input_tokens"] for u in used), sum(u["output_tokens"] for u in used))}
    answer = messages[-1]
    finish = answer.response_metadata.get("finish_reason")
    if finish in ("length", "content_filter", "MAX_TOKENS", "SAFETY"):  # the caller can see it
        return stopped(finish, text=answer.text, finish_reason=finish, **more)
    text = answer.text or answer.additional_kwargs.get("refusal") or ""  # a refusal stands beside the text
    return completed(text, finish_reason=finish, **more)


def as_tool(tool: Tool) -> StructuredTool:
    async def call(**arguments) -> str | list:
        result = await tool.call(arguments)
        if isinstance(result, Image):  # a content block, https://docs.langchain.com/oss/python/langchain/messages#multimodal
            return [{"type": "image", "base64": base64.b64encode(result.data).decode(), "mime_type": result.media_type}]
        return result

    return StructuredTool.from_function(
        coroutine=call, name=tool.name, description=tool.description, args_schema=tool.parameters
    )


serve(
    run,
    name="LangChain create_agent",
    dialects=[DIALECT],
    version=f"langchain {version('langchain')}, {PACKAGES[DIALECT]} {version(PACKAGES[DIALECT])}",
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "images", *MORE[DIALECT]],
)

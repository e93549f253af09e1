"""Lets Loopproof judge the agent of Pydantic AI, over Chat Completions, Responses or Gemini's generateContent.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py responses
    loopproof run -- .venv/bin/python adapter.py gemini
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Image, Task, Tool, ToolFailed, completed, serve, stopped, usage

import pydantic_ai
from google.genai.types import HttpRetryOptions
from openai import AsyncOpenAI
from pydantic_ai import Agent, BinaryContent, RunContext, RunUsage, UsageLimits
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.models import Model
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.providers.deepseek import DeepSeekProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider
from pydantic_ai.providers.vllm import VLLMProvider

# The library goes by the provider and by the name of the model: https://ai.pydantic.dev/models/overview/
PROVIDERS = {"deepseek": DeepSeekProvider, "openrouter": OpenRouterProvider, "vllm": VLLMProvider}
DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
MODELS = {"openrouter": OpenRouterModel}
DEFAULTS = {"chat": OpenAIChatModel, "responses": OpenAIResponsesModel}
NAMES = {"deepseek": "deepseek-v4-flash", "openrouter": "openai/loopproof"}


@asynccontextmanager
async def model_for(task: Task) -> AsyncIterator[Model]:
    if DIALECT == "gemini":  # without retry_options the client does not try again
        provider = GoogleProvider(api_key=task.api_key, base_url=task.base_url, retry_options=HttpRetryOptions(initial_delay=0.2))
        yield GoogleModel("gemini-3-pro-preview", provider=provider, settings={"google_thinking_config": {"include_thoughts": True}})
        return
    async with AsyncOpenAI(base_url=task.base_url, api_key=task.api_key) as client:
        provider = PROVIDERS.get(task.profile, OpenAIProvider)(openai_client=client)
        yield MODELS.get(task.profile, DEFAULTS[DIALECT])(NAMES.get(task.profile, "gpt-5.4" if DIALECT == "responses" else task.model), provider=provider)


async def run(task: Task) -> dict:
    async with model_for(task) as model:
        agent = Agent(model, instructions=task.system or None, tools=[as_tool(tool) for tool in task.tools])
        history, used = [], RunUsage()
        for prompt in task.prompts:
            try:
                said = await task.of_prompt(
                    agent.run(
                        prompt,
                        message_history=history,
                        usage=used,
                        usage_limits=UsageLimits(request_limit=task.max_turns),
                        event_stream_handler=ignore if task.stream else None,  # with a handler, it streams
                    )
                )
            except UsageLimitExceeded as limit:
                return stopped(str(limit))
            if said is NO_ANSWER:
                continue  # the user goes on without an answer
            result = said
            history = result.all_messages()
    finish = result.response.finish_reason
    more = {"finish_reason": finish, "usage": usage(used.input_tokens, used.output_tokens)}
    if finish in ("length", "content_filter"):  # the caller can see it
        return stopped(finish, text=result.output, **more)
    return completed(result.output, **more)


async def ignore(_context, events) -> None:
    async for _ in events:
        pass


def as_tool(tool: Tool) -> pydantic_ai.Tool:
    """A tool with a schema of its own, https://ai.pydantic.dev/tools-advanced/#custom-tool-schema"""

    async def call(context: RunContext, **arguments) -> str | BinaryContent:
        try:
            result = await tool.call(arguments, context.tool_call_id or "")
        except ToolFailed as error:  # what a tool raises to tell the model
            raise pydantic_ai.ToolFailed(str(error)) from error
        return BinaryContent(result.data, media_type=result.media_type) if isinstance(result, Image) else result

    return pydantic_ai.Tool.from_schema(call, tool.name, tool.description, tool.parameters, takes_ctx=True)


serve(
    run,
    name=f"Pydantic AI, {DIALECT}",
    dialects=[DIALECT],
    version=version("pydantic-ai-slim"),
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "images"],
    designs=["own-model"],
)

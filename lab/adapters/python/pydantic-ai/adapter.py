"""Lets Loopproof judge the agent of Pydantic AI, over Chat Completions, Responses, Messages, Gemini's generateContent, Bedrock
Converse or Cohere's /v2/chat.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py responses
    loopproof run -- .venv/bin/python adapter.py responses sockets   # asks over WebSockets alone
    loopproof run -- .venv/bin/python adapter.py messages
    loopproof run -- .venv/bin/python adapter.py gemini
    loopproof run -- .venv/bin/python adapter.py converse
    loopproof run -- .venv/bin/python adapter.py cohere-chat
    loopproof run -- .venv/bin/python adapter.py messages clouds     # through the clients of the clouds alone, also chat, responses and gemini
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import API, NO_ANSWER, Image, PendingCall, Task, Tool, ToolFailed, completed, serve, stopped, usage

import pydantic_ai
from anthropic import AsyncAnthropic, AsyncAnthropicBedrock, AsyncAnthropicVertex
from cohere import AsyncClientV2
from google.genai.types import HttpRetryOptions
from google.oauth2.credentials import Credentials
from openai import AsyncOpenAI
from pydantic import BaseModel, create_model
from pydantic_ai import (
    Agent,
    ApprovalRequired,
    BinaryContent,
    DeferredToolRequests,
    DeferredToolResults,
    RunContext,
    RunUsage,
    ToolApproved,
    ToolDenied,
    UsageLimits,
)
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicCompaction, AnthropicModel
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.cohere import CohereModel
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAICompaction, OpenAIResponsesModel
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.azure import AzureProvider
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.cohere import CohereProvider
from pydantic_ai.providers.deepseek import DeepSeekProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.google_cloud import GoogleCloudProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider
from pydantic_ai.providers.vllm import VLLMProvider

# The library goes by the provider and by the name of the model: https://ai.pydantic.dev/models/overview/
PROVIDERS = {"deepseek": DeepSeekProvider, "openrouter": OpenRouterProvider, "vllm": VLLMProvider}
DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
SOCKETS = "sockets" in sys.argv
CLOUDS = {  # the profiles that are played through the client of a cloud
    "messages": ["anthropic-vertex", "anthropic-bedrock"],
    "chat": ["azure"],
    "responses": ["azure-responses"],
    "gemini": ["vertex", "vertex-3"],
} if "clouds" in sys.argv else {}
MODELS = {"openrouter": OpenRouterModel}
DEFAULTS = {"chat": OpenAIChatModel, "responses": OpenAIResponsesModel}
BEDROCK = {
    "bedrock-claude": ("us.anthropic.claude-opus-4-7", {"thinking": {"type": "adaptive"}}),
    "bedrock-nova": ("us.amazon.nova-2-lite-v1:0", {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}}),
    "bedrock-llama": ("us.meta.llama4-maverick-17b-instruct-v1:0", {}),
}
CLAUDES = {"anthropic-4.5": "claude-sonnet-4-5", "anthropic-4.7": "claude-opus-4-7", "anthropic-bedrock": "us.anthropic.claude-opus-5"}
NAMES = {"deepseek": "deepseek-v4-flash", "openrouter": "openai/loopproof"}


@asynccontextmanager
async def models_for(task: Task) -> AsyncIterator[Callable[[str], Model]]:
    """Yield what makes a model: the first one of the task, by a name that the library knows, another one of that family, or one
    of another provider."""
    async with family(DIALECT, task, task) as make:
        if not task.second_api:
            yield make
            return
        async with family(task.second_api.dialect, task, task.second_api) as other:
            yield lambda name: other(name) if name == task.second_api.model else make(name)


@asynccontextmanager
async def family(dialect: str, task: Task, at: Task | API) -> AsyncIterator[Callable[[str], Model]]:
    """Yield what makes the models of a provider."""
    if dialect == "gemini":  # without retry_options the client does not try again
        through, key = GoogleProvider, {"api_key": task.api_key}
        if CLOUDS and at.profile.startswith("vertex"):  # https://ai.pydantic.dev/models/google/#google-cloud
            through, key = GoogleCloudProvider, {"credentials": Credentials(task.api_key), "project": "loopproof", "location": "global"}
        provider = through(base_url=at.base_url, retry_options=HttpRetryOptions(initial_delay=0.2), **key)
        settings = {"google_thinking_config": {"include_thoughts": True}}
        first, more = ("gemini-2.5-pro", "gemini-2.5") if CLOUDS and at.profile == "vertex" else ("gemini-3-pro-preview", "gemini-3")
        yield lambda name: GoogleModel(first if name == task.model else f"{more}-{name}", provider=provider, settings=settings)
        return
    if dialect == "messages":  # the library asks for no reasoning by itself
        old = at.profile == "anthropic-4.5"
        thinking = {"type": "enabled", "budget_tokens": 4000} if old else {"type": "adaptive"}
        settings = {"max_tokens": 16000, "anthropic_thinking": thinking}
        async with anthropic(task, at) as client:
            provider = AnthropicProvider(anthropic_client=client)
            first = CLAUDES.get(at.profile, "claude-opus-5")
            yield lambda name: AnthropicModel(first if name == task.model else f"{first}-{name}", provider=provider, settings=settings)
        return
    if dialect == "converse":  # what the models of a maker take depends on its name
        maker, more = BEDROCK.get(at.profile, BEDROCK["bedrock-claude"])
        provider = BedrockProvider(base_url=at.base_url, region_name="us-east-1", aws_access_key_id="any", aws_secret_access_key=task.api_key)
        settings = {"bedrock_additional_model_requests_fields": more} if more else {}
        yield lambda name: BedrockConverseModel(maker if name == task.model else f"{maker}-{name}", provider=provider, settings=settings)
        return
    if dialect == "cohere-chat":
        provider = CohereProvider(cohere_client=AsyncClientV2(api_key=task.api_key, base_url=at.base_url))
        yield lambda name: CohereModel(name, provider=provider)
        return
    first = NAMES.get(at.profile, "gpt-5.4" if dialect == "responses" else task.model)
    prefix = {"openrouter": "openai/", "deepseek": "deepseek-v4-"}.get(at.profile, "gpt-5.4-" if dialect == "responses" else "")
    async with AsyncOpenAI(base_url=at.base_url, api_key=task.api_key) as client:
        azured = CLOUDS and at.profile.startswith("azure")
        provider = azure(client, at.profile) if azured else PROVIDERS.get(at.profile, OpenAIProvider)(openai_client=client)
        made_by = MODELS.get(at.profile, DEFAULTS[dialect])
        settings = {"openai_transport": "websocket"} if SOCKETS else None  # https://ai.pydantic.dev/models/openai/#responses-websockets
        yield lambda name: made_by(first if name == task.model else prefix + name, provider=provider, settings=settings)


def anthropic(task: Task, at: Task | API) -> AsyncAnthropic | AsyncAnthropicVertex | AsyncAnthropicBedrock:
    """https://ai.pydantic.dev/models/anthropic/#cloud-platform-integrations"""
    if at.profile == "anthropic-vertex":
        return AsyncAnthropicVertex(base_url=f"{at.base_url}/v1", access_token=task.api_key, region="global", project_id="loopproof")
    if at.profile == "anthropic-bedrock":
        return AsyncAnthropicBedrock(base_url=at.base_url, aws_access_key=task.api_key, aws_secret_key="any", aws_region="us-east-1")
    return AsyncAnthropic(base_url=at.base_url, api_key=task.api_key)


def azure(client: AsyncOpenAI, profile: str) -> AzureProvider:
    """A deployment with the version of the API in the query, or the v1 API: https://ai.pydantic.dev/models/openai/#azure-ai-foundry"""
    root = str(client.base_url).removesuffix("/").removesuffix("/v1")
    if profile == "azure-responses":
        return AzureProvider(azure_endpoint=f"{root}/openai/v1", api_key=client.api_key)
    return AzureProvider(azure_endpoint=root, api_key=client.api_key, api_version="2024-10-21")


TYPES = {"string": str, "number": float, "integer": int, "boolean": bool}


def answer_model(schema: dict) -> type[BaseModel]:
    """The type of an answer. It is validated, which a JSON Schema that is handed over as a dictionary is not."""
    required = schema.get("required", [])
    fields = {name: (TYPES[value["type"]], ... if name in required else None) for name, value in schema["properties"].items()}
    return create_model("Answer", **fields)


async def run(task: Task) -> dict:
    async with models_for(task) as make:
        model = make(task.model)
        if task.fallback_model:  # https://ai.pydantic.dev/models/overview/#fallback-model
            model = FallbackModel(model, make(task.fallback_model))
        output = answer_model(task.answer_schema) if task.answer_schema else str  # https://ai.pydantic.dev/output/
        if any(tool.needs_approval for tool in task.tools):
            output = [output, DeferredToolRequests]
        tools = [as_agent(tool, task, model) if tool.agent else as_tool(tool) for tool in task.tools]
        servers = [MCPToolset(task.mcp_url)] if task.mcp_tools else []  # https://ai.pydantic.dev/mcp/client/
        agent = Agent(model, output_type=output, instructions=task.system or None, tools=tools, toolsets=servers, capabilities=compacting(task))
        history, used = [], RunUsage()
        for number, prompt in enumerate(task.prompts):
            if task.prompt_models:
                agent.model = make(task.prompt_models[number])
            spent = RunUsage() if task.token_budget else used  # the budget is that of a prompt
            try:
                said = await task.of_prompt(ask(agent, prompt, history, spent, task))
            except UsageLimitExceeded as limit:
                return stopped(str(limit))
            if spent is not used:
                used += spent
            if said is NO_ANSWER:
                continue  # the user goes on without an answer
            result = said
            history = result.all_messages()
    text = result.output.model_dump_json() if task.answer_schema else result.output
    finish = result.response.finish_reason
    more = {"finish_reason": finish, "usage": usage(used.input_tokens, used.output_tokens)}
    if finish in ("length", "content_filter"):  # the caller can see it
        return stopped(finish, text=text, **more)
    return completed(text, **more)


def compacting(task: Task) -> list:
    """Lets the provider make the history shorter: https://ai.pydantic.dev/capabilities/#compaction"""
    if not task.compact_threshold:
        return []
    return [{"messages": AnthropicCompaction, "responses": OpenAICompaction}[DIALECT](token_threshold=task.compact_threshold)]


async def ask(agent, prompt, history, spent, task):
    """Run the agent, and again with the decisions of the user as long as calls wait for them:
    https://ai.pydantic.dev/deferred-tools/#human-in-the-loop-tool-approval"""
    more = {"user_prompt": prompt}
    while True:
        result = await start(agent, history, spent, task, **more)
        if not isinstance(result.output, DeferredToolRequests):
            return result
        waiting = result.output.approvals
        decisions = await task.tool_approvals([PendingCall(c.tool_name, c.args_as_dict(), c.tool_call_id) for c in waiting])
        decided = {call.tool_call_id: decided_as(decision) for call, decision in zip(waiting, decisions)}
        history, more = result.all_messages(), {"deferred_tool_results": DeferredToolResults(approvals=decided)}


def decided_as(decision):
    if decision.approve:
        return ToolApproved(override_args=decision.arguments)
    return ToolDenied(decision.reason) if decision.reason else ToolDenied()


async def start(agent, history, spent, task, **more):
    limits = UsageLimits(request_limit=task.max_turns, total_tokens_limit=task.token_budget or None)
    more |= {"message_history": history, "usage": spent, "usage_limits": limits}
    if task.steering:
        return await steered(agent, task, more)
    return await agent.run(event_stream_handler=ignore if task.stream else None, **more)  # with a handler, it streams


async def steered(agent, task, more):
    """What the user says meanwhile is enqueued: https://ai.pydantic.dev/message-history/#enqueueing-messages"""
    async with agent.iter(**more) as run:
        listening = asyncio.create_task(listen(run, task))
        try:
            async for node in run:
                if task.stream and (Agent.is_model_request_node(node) or Agent.is_call_tools_node(node)):
                    async with node.stream(run.ctx) as events:
                        await ignore(None, events)
        finally:
            listening.cancel()
    return run.result


async def listen(run, task):
    while True:
        if (text := task.steered()) is not None:
            run.enqueue(text)
        await asyncio.sleep(0.01)


async def ignore(_context, events) -> None:
    async for _ in events:
        pass


def as_tool(tool: Tool) -> pydantic_ai.Tool:
    """A tool with a schema of its own, https://ai.pydantic.dev/tools-advanced/#custom-tool-schema"""

    async def call(context: RunContext, **arguments) -> str | BinaryContent:
        if tool.needs_approval and not context.tool_call_approved:
            raise ApprovalRequired
        try:
            result = await tool.call(arguments, context.tool_call_id or "")
        except ToolFailed as error:  # what a tool raises to tell the model
            raise pydantic_ai.ToolFailed(str(error)) from error
        return BinaryContent(result.data, media_type=result.media_type) if isinstance(result, Image) else result

    return pydantic_ai.Tool.from_schema(call, tool.name, tool.description, tool.parameters, takes_ctx=True)


def as_agent(tool: Tool, task: Task, model: Model) -> pydantic_ai.Tool:
    """An agent that a tool runs: https://ai.pydantic.dev/multi-agent-applications/#agent-delegation
    What ends its run is passed on, unless the tool says otherwise: so the limit of requests is told to the model."""
    agent = Agent(model, instructions=tool.agent.system, tools=[as_tool(own) for own in tool.agent.tools])

    async def call(_context: RunContext, prompt: str) -> str:
        limits = UsageLimits(request_limit=tool.agent.max_turns)
        try:
            result = await agent.run(prompt, usage_limits=limits, event_stream_handler=ignore if task.stream else None)
        except UsageLimitExceeded as limit:
            raise pydantic_ai.ToolFailed(str(limit)) from limit
        return result.output

    return pydantic_ai.Tool.from_schema(call, tool.name, tool.description, tool.parameters, takes_ctx=True)


serve(
    run,
    name=f"Pydantic AI, {DIALECT}{' over WebSockets' if SOCKETS else ''}{' through the clouds' if CLOUDS else ''}",
    dialects=[DIALECT],
    version=version("pydantic-ai-slim"),
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "images", "tool-approvals", "approval-edits", "token-budget", "answer-schema", "steering", "sub-agents", "model-fallback", "model-switch", "second-api", "mcp-tools", "changing-tools",
              *(["server-compaction"] if DIALECT in ("messages", "responses") else []), *(["sockets"] if SOCKETS else [])],
    **({"deliveries": ["socket"]} if SOCKETS else {}),
    **({"profiles": CLOUDS[DIALECT]} if CLOUDS else {}),
    designs=["own-model"],
)

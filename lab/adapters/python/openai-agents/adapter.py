"""Lets Loopproof judge the OpenAI Agents SDK for Python, with its model for Chat Completions or that for Responses.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py responses
    loopproof run -- .venv/bin/python adapter.py responses sockets   # asks over WebSockets alone
"""

import json
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, PendingCall, Task, Tool, ToolFailed, completed, serve, stopped, usage

from agents import (
    Agent,
    AgentOutputSchemaBase,
    FunctionTool,
    ModelRetrySettings,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    OpenAIResponsesWSModel,
    ProgrammaticToolCallingTool,
    RunConfig,
    Runner,
    RunState,
    SQLiteSession,
    retry_policies,
)
from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError
from agents.mcp import MCPServerStreamableHttp
from agents.tool_context import ToolContext
from openai import AsyncAzureOpenAI, AsyncOpenAI


DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
SOCKETS = "sockets" in sys.argv
MODELS = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesWSModel if SOCKETS else OpenAIResponsesModel}


async def run(task: Task) -> dict:
    """Hold the conversation as the SDK's documentation shows it: https://openai.github.io/openai-agents-python/running_agents/"""
    async with client_of(task) as client, servers(task) as mcp_servers:
        model = MODELS[DIALECT](task.model, client)
        agent = Agent(
            name="assistant",
            instructions=task.system or None,
            model=model,
            tools=[*code(task.tools), *(as_agent(tool, task, model) if tool.agent else as_tool(tool) for tool in task.tools)],
            model_settings=ModelSettings(include_usage=True, extra_args=compacting(task.compact_threshold), retry=retrying()),
            mcp_servers=mcp_servers,
            output_type=Answer(task.answer_schema) if task.answer_schema else None,
        )
        if task.session:
            return await go_on(agent, task)
        history, used = [], usage(0, 0)
        for number, prompt in enumerate(task.prompts):
            if task.prompt_models:
                agent = agent.clone(model=MODELS[DIALECT](task.prompt_models[number], client))
            try:
                said = await task.of_prompt(ask(agent, [*history, {"role": "user", "content": prompt}], task))
            except MaxTurnsExceeded as limit:
                return stopped(str(limit))
            if said is NO_ANSWER:
                continue  # the user goes on without an answer
            result = said
            history = result.to_input_list()
            used["input_tokens"] += result.context_wrapper.usage.input_tokens
            used["output_tokens"] += result.context_wrapper.usage.output_tokens
    output = json.dumps(result.final_output) if task.answer_schema else str(result.final_output)
    return completed(output, usage=used)


def client_of(task: Task) -> AsyncOpenAI:
    """The client of the provider that is played. Azure has its v1 API at a path of its own, and before it deployments."""
    root = task.base_url.removesuffix("/v1")
    if task.profile == "azure":
        return AsyncAzureOpenAI(azure_endpoint=root, api_key=task.api_key, api_version="2024-10-21")
    at = f"{root}/openai/v1" if task.profile == "azure-responses" else task.base_url
    return AsyncOpenAI(base_url=at, api_key=task.api_key, websocket_base_url=at.replace("http", "ws", 1))


@asynccontextmanager
async def servers(task: Task):
    """https://openai.github.io/openai-agents-python/mcp/#2-streamable-http-mcp-servers"""
    if not task.mcp_tools:
        yield []
        return
    async with MCPServerStreamableHttp(params={"url": task.mcp_url}) as server:
        yield [server]


class Answer(AgentOutputSchemaBase):
    """A schema of one's own, https://openai.github.io/openai-agents-python/ref/agent_output/"""

    def __init__(self, schema: dict):
        self.schema = schema

    def is_plain_text(self) -> bool:
        return False

    def name(self) -> str:
        return "answer"

    def json_schema(self) -> dict:
        return self.schema

    def is_strict_json_schema(self) -> bool:
        return True

    def validate_json(self, json_str: str) -> dict:
        try:
            return json.loads(json_str)
        except ValueError as error:
            raise ModelBehaviorError(f"no JSON: {error}") from error


def retrying() -> ModelRetrySettings | None:
    """Over HTTP the client tries again by itself, over a WebSocket the runner where it is told to:
    https://openai.github.io/openai-agents-python/models/#runner-managed-retries"""
    if not SOCKETS:
        return None
    policy = retry_policies.any(retry_policies.provider_suggested(), retry_policies.network_error(), retry_policies.http_status([408, 409, 429, 500, 502, 503, 504]))
    return ModelRetrySettings(max_retries=2, policy=policy)


def compacting(threshold: int) -> dict | None:
    """Lets the provider make the history shorter: https://developers.openai.com/api/docs/guides/compaction"""
    return {"context_management": [{"type": "compaction", "compact_threshold": threshold}]} if threshold else None


async def go_on(agent, task):
    """Hold a conversation that a session stores, from where it is: https://openai.github.io/openai-agents-python/sessions/
    A run that waits for the user is stored as its state, as the page of human_in_the_loop has it."""
    session = SQLiteSession(task.session.id, str(Path(task.session.dir, "session.db")))
    waiting = Path(task.session.dir, "state.json")
    items = await session.get_items()
    said = sum(item.get("role") == "user" for item in items)
    answered = bool(items) and items[-1].get("role") == "assistant"
    inputs = [[{"role": "user", "content": prompt}] for prompt in task.prompts[said:]]
    if waiting.exists():
        inputs.insert(0, await RunState.from_json(agent, json.loads(waiting.read_text())))
    elif items and not answered:
        inputs.insert(0, [])
    output = items[-1]["content"][0]["text"] if answered else ""
    for each in inputs:
        output = (await ask(agent, each, task, session=session)).final_output
        waiting.unlink(missing_ok=True)
    return completed(str(output))


async def ask(agent, history, task, **more):
    """Ask the agent, and resume it with the decisions of the user as long as it is interrupted:
    https://openai.github.io/openai-agents-python/human_in_the_loop/"""
    result = await start(agent, history, task, **more)
    while result.interruptions:
        state = result.to_state()
        if task.session:
            Path(task.session.dir, "state.json").write_text(json.dumps(state.to_json()))
        calls = [PendingCall(i.name, i.arguments or "{}", i.call_id or "") for i in result.interruptions]
        for interruption, decision in zip(result.interruptions, await task.tool_approvals(calls)):
            if decision.approve:
                state.approve(interruption)
            else:
                state.reject(interruption, **({"rejection_message": decision.reason} if decision.reason else {}))
        result = await start(agent, state, task, **more)
    return result


async def start(agent, history, task, **more):
    config = RunConfig(tracing_disabled=True)
    if not task.stream:
        return await Runner.run(agent, history, max_turns=task.max_turns, run_config=config, **more)
    result = Runner.run_streamed(agent, history, max_turns=task.max_turns, run_config=config, **more)
    async for _ in result.stream_events():
        pass
    return result


def code(tools: list[Tool]) -> list:
    """The tool that runs code, if it may call tools: https://openai.github.io/openai-agents-python/tools/#programmatic-tool-calling"""
    return [ProgrammaticToolCallingTool()] if any(tool.programmatic for tool in tools) else []


def as_tool(tool: Tool) -> FunctionTool:
    """A tool with a schema of its own. Of those the SDK says: return the error as a string, or raise and end the run."""

    async def invoke(context: ToolContext, arguments: str) -> str:
        try:
            return await tool.call(json.loads(arguments) if arguments else {}, context.tool_call_id)
        except (ToolFailed, ValueError) as error:
            return f"Error: {error}"

    return FunctionTool(
        tool.name, tool.description, tool.parameters, invoke, strict_json_schema=False, needs_approval=tool.needs_approval,
        allowed_callers=["direct", "programmatic"] if tool.programmatic else None,
    )


def as_agent(tool: Tool, task: Task, model) -> FunctionTool:
    """An agent as a tool: https://openai.github.io/openai-agents-python/tools/#agents-as-tools"""
    agent = Agent(
        name=tool.name,
        instructions=tool.agent.system,
        model=model,
        tools=[as_tool(own) for own in tool.agent.tools],
        model_settings=ModelSettings(include_usage=True),
    )
    streamed = (lambda _event: None) if task.stream else None  # with a handler, it streams
    return agent.as_tool(tool.name, tool.description, on_stream=streamed, max_turns=tool.agent.max_turns)


serve(
    run,
    name=f"OpenAI Agents SDK, {DIALECT}{' over WebSockets' if SOCKETS else ''}",
    dialects=[DIALECT],
    version=version("openai-agents"),
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "tool-approvals", "durable-sessions", "sub-agents", "answer-schema", "model-switch", "mcp-tools", "changing-tools", *(["reasoning", "server-compaction", "programmatic-tools"] if DIALECT == "responses" else []), *(["sockets"] if SOCKETS else [])],
    **({"deliveries": ["socket"]} if SOCKETS else {}),
)

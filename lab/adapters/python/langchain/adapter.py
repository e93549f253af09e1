"""Lets Loopproof judge create_agent of LangChain, which runs on LangGraph, with ChatOpenAI, over Chat Completions or
Responses, with ChatGoogleGenerativeAI, with ChatBedrockConverse, with ChatOllama, or with ChatCohere.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py responses
    loopproof run -- .venv/bin/python adapter.py gemini
    loopproof run -- .venv/bin/python adapter.py converse
    loopproof run -- .venv/bin/python adapter.py ollama-chat
    loopproof run -- .venv/bin/python adapter.py cohere-chat
"""

import base64
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Image, PendingCall, Task, Tool, completed, serve, stopped, usage

from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    ModelFallbackMiddleware,
    SummarizationMiddleware,
    ToolErrorMiddleware,
    wrap_model_call,
)
from langchain.agents.middleware.model_call_limit import ModelCallLimitExceededError
from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command
from pydantic import BaseModel, create_model

DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"


# Each imports its own package: the process is started again for every session that is killed.
def chat(task, name):
    from langchain_openai import ChatOpenAI

    more = {"use_responses_api": True} if DIALECT == "responses" else {"stream_usage": True}
    return ChatOpenAI(base_url=task.base_url, api_key=task.api_key, model=name, streaming=task.stream, **more)


def gemini(task, name):
    """What it does about signatures depends on the name of the model."""
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        base_url=task.base_url,
        api_key=task.api_key,
        model="gemini-3-pro-preview" if name == task.model else f"gemini-3-{name}",
        streaming=task.stream,
        include_thoughts=True,
    )


BEDROCK = {
    "bedrock-claude": ("us.anthropic.claude-opus-4-7", {"thinking": {"type": "adaptive"}}),
    "bedrock-nova": ("us.amazon.nova-2-lite-v1:0", {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}}),
    "bedrock-llama": ("us.meta.llama4-maverick-17b-instruct-v1:0", None),
}


def bedrock(task, name):
    """What the models of a maker take depends on its name: https://docs.langchain.com/oss/python/integrations/chat/bedrock"""
    from langchain_aws import ChatBedrockConverse

    maker, more = BEDROCK.get(task.profile, BEDROCK["bedrock-claude"])
    return ChatBedrockConverse(
        base_url=task.base_url,
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key=task.api_key,
        model=maker if name == task.model else f"{maker}-{name}",
        streaming=task.stream,
        additional_model_request_fields=more,
    )


def ollama(task, name):
    """It streams even when it is invoked."""
    from langchain_ollama import ChatOllama

    headers = {"Authorization": f"Bearer {task.api_key}"}
    return ChatOllama(base_url=task.base_url, model=name, reasoning=True, client_kwargs={"headers": headers})


def cohere(task, name):
    from langchain_cohere import ChatCohere

    return ChatCohere(base_url=task.base_url, cohere_api_key=task.api_key, model=name, streaming=task.stream)


# What makes a model, and its package.
model_of, LIBRARY = {
    "chat": (chat, "langchain-openai"),
    "responses": (chat, "langchain-openai"),
    "gemini": (gemini, "langchain-google-genai"),
    "converse": (bedrock, "langchain-aws"),
    "ollama-chat": (ollama, "langchain-ollama"),
    "cohere-chat": (cohere, "langchain-cohere"),
}[DIALECT]


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://docs.langchain.com/oss/python/langchain/agents"""
    async with checkpointer(task) as saver:
        return await converse(task, saver)


@asynccontextmanager
async def checkpointer(task: Task):
    """https://docs.langchain.com/oss/python/langchain/short-term-memory"""
    if not task.session:
        yield InMemorySaver()
        return
    async with AsyncSqliteSaver.from_conn_string(str(Path(task.session.dir, "checkpoints.sqlite"))) as saver:
        yield saver


async def converse(task: Task, saver) -> dict:
    model = model_of(task, task.model)
    switched = Switched()
    agent = create_agent(
        model,
        tools=[*[as_agent(tool, task, model) if tool.agent else as_tool(tool) for tool in task.tools], *await served(task)],
        system_prompt=task.system or None,
        checkpointer=saver,
        response_format=answer_model(task.answer_schema) if task.answer_schema else None,
        middleware=[
            *options(task, model, switched),
            ModelCallLimitMiddleware(run_limit=task.max_turns, exit_behavior="error"),
            ToolErrorMiddleware(lambda error, _call: f"Error: {error}"),  # else a tool that fails ends the run
        ],
    )
    counted = UsageMetadataCallbackHandler()
    thread = task.session.id if task.session else task.id
    config = {"configurable": {"thread_id": thread}, "callbacks": [counted], "recursion_limit": 1000}
    kept = await agent.aget_state(config)  # of a session that goes on
    messages: list = kept.values.get("messages", [])
    said = sum(isinstance(message, HumanMessage) for message in messages)
    for number, prompt in enumerate([*([None] if kept.next else []), *task.prompts[said:]]):
        if task.prompt_models:
            switched.to = model_of(task, task.prompt_models[number])
        try:
            state = await task.of_prompt(ask(agent, prompt, config, task))
        except ModelCallLimitExceededError as limit:
            return stopped(str(limit))
        if state is NO_ANSWER:
            continue  # the user goes on without an answer; what the thread keeps of it is the library's affair
        messages = state["messages"]
    used = counted.usage_metadata.values()
    more = {"usage": usage(sum(u["input_tokens"] for u in used), sum(u["output_tokens"] for u in used))}
    answer = messages[-1]
    if blocked := (answer.response_metadata.get("prompt_feedback") or {}).get("block_reason"):
        return stopped(f"the prompt was blocked: {blocked}", **more)
    finish = finish_reason(answer)
    if finish in ("length", "max_output_tokens", "content_filter", "MAX_TOKENS", "SAFETY", "max_tokens", "content_filtered", "guardrail_intervened", "model_context_window_exceeded"):  # the caller can see it
        return stopped(finish, text=answer.text, finish_reason=finish, **more)
    if task.answer_schema:
        said = state["structured_response"]
        return completed(said.model_dump_json() if said else "null", **more)
    return completed(answer.text or refusal(answer), finish_reason=finish, **more)


TYPES = {"string": str, "number": float, "integer": int, "boolean": bool}


def answer_model(schema: dict) -> type[BaseModel]:
    """The type of an answer. It is validated, which a JSON Schema that is handed over as a dictionary is not."""
    required = schema.get("required", [])
    fields = {name: (TYPES[value["type"]], ... if name in required else None) for name, value in schema["properties"].items()}
    return create_model("Answer", **fields)


class Switched:
    """The model that the user has chosen."""

    to = None


async def served(task: Task) -> list:
    """The tools of the MCP server of a task: https://docs.langchain.com/oss/python/langchain/mcp"""
    if not task.mcp_tools:
        return []
    from langchain_mcp_adapters.client import MultiServerMCPClient

    return await MultiServerMCPClient({"loopproof": {"transport": "http", "url": task.mcp_url}}).get_tools()


def choosing(switched: Switched):
    """https://docs.langchain.com/oss/python/langchain/agents#dynamic-model"""

    @wrap_model_call
    async def choose(request, handler):
        return await handler(request.override(model=switched.to))

    return choose


def options(task: Task, model, switched: Switched) -> list:
    """What some tasks want, each as its page shows it: https://docs.langchain.com/oss/python/langchain/middleware/built-in"""
    middleware = []
    if names := [tool.name for tool in task.tools if tool.needs_approval]:
        middleware.append(HumanInTheLoopMiddleware(interrupt_on=dict.fromkeys(names, True)))
    if task.context_limit:
        model.profile = {"max_input_tokens": task.context_limit}
        middleware.append(SummarizationMiddleware(model, trigger=("fraction", 0.8), keep=("fraction", 0.3)))
    if task.fallback_model:
        middleware.append(ModelFallbackMiddleware(model_of(task, task.fallback_model)))
    if task.prompt_models:
        middleware.append(choosing(switched))
    return middleware


async def ask(agent, prompt, config, task):
    """Ask the agent, and resume it with the decisions of the user as long as it is interrupted:
    https://docs.langchain.com/oss/python/langchain/human-in-the-loop. Without a prompt it goes on from its last checkpoint."""
    asked = {"messages": [{"role": "user", "content": prompt}]} if prompt is not None else None
    stored = {"durability": "sync"} if task.session else {}
    state = await agent.ainvoke(asked, config, **stored)
    while state.get("__interrupt__"):
        calls = [PendingCall(each["name"], each["args"]) for each in state["__interrupt__"][0].value["action_requests"]]
        decisions = [as_decision(call, said) for call, said in zip(calls, await task.tool_approvals(calls))]
        state = await agent.ainvoke(Command(resume={"decisions": decisions}), config, **stored)
    return state


def as_decision(call, said) -> dict:
    if not said.approve:
        return {"type": "reject", **({"message": said.reason} if said.reason else {})}
    if said.arguments is not None:
        return {"type": "edit", "edited_action": {"name": call.name, "args": said.arguments}}
    return {"type": "approve"}


def finish_reason(answer: AIMessage) -> str | None:
    said = answer.response_metadata
    return said.get("finish_reason") or said.get("stopReason") or said.get("done_reason") or (said.get("incomplete_details") or {}).get("reason")


def refusal(answer: AIMessage) -> str:
    """The words of a refusal, which are beside the text, or a block of the content over Responses."""
    blocks = answer.content if isinstance(answer.content, list) else []
    told = [block.get("refusal", "") for block in blocks if isinstance(block, dict) and block.get("type") == "refusal"]
    return answer.additional_kwargs.get("refusal") or "".join(told)


def as_tool(tool: Tool) -> StructuredTool:
    async def call(**arguments) -> str | list:
        result = await tool.call(arguments)
        if isinstance(result, Image):  # a content block, https://docs.langchain.com/oss/python/langchain/messages#multimodal
            return [{"type": "image", "base64": base64.b64encode(result.data).decode(), "mime_type": result.media_type}]
        return result

    return StructuredTool.from_function(
        coroutine=call, name=tool.name, description=tool.description, args_schema=tool.parameters
    )


def as_agent(tool: Tool, task: Task, model) -> StructuredTool:
    """A tool that asks an agent: https://docs.langchain.com/oss/python/langchain/multi-agent/subagents"""
    limits = ModelCallLimitMiddleware(run_limit=tool.agent.max_turns, exit_behavior="error")
    failing = ToolErrorMiddleware(lambda error, _call: f"Error: {error}")
    agent = create_agent(model, tools=[as_tool(own) for own in tool.agent.tools], system_prompt=tool.agent.system, middleware=[limits, failing])

    async def call(prompt: str) -> str:
        result = await agent.ainvoke({"messages": [{"role": "user", "content": prompt}]}, {"recursion_limit": 1000})
        return result["messages"][-1].text

    return StructuredTool.from_function(coroutine=call, name=tool.name, description=tool.description, args_schema=tool.parameters)


serve(
    run,
    name="LangChain create_agent",
    dialects=[DIALECT],
    version=f"langchain {version('langchain')}, {LIBRARY} {version(LIBRARY)}",
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", *([] if DIALECT == "ollama-chat" else ["retries"]), "turn-limit", "usage", "cancel", "images", "tool-approvals", "approval-edits", "compaction", "durable-sessions", "answer-schema", "model-fallback", "model-switch", "mcp-tools", "sub-agents", *([] if DIALECT == "chat" else ["reasoning"])],
    **({"deliveries": ["lines*"]} if DIALECT == "ollama-chat" else {}),
    designs=["own-model"] if DIALECT in ("gemini", "converse") else [],
)

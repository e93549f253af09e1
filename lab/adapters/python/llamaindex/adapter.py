"""Lets Loopproof judge the FunctionAgent of LlamaIndex, with its models for Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped

from llama_index.core.agent.workflow import AgentOutput, FunctionAgent
from llama_index.core.bridge.pydantic import BaseModel
from llama_index.core.memory import Memory
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import WorkflowRuntimeError
from llama_index.llms.openai import OpenAI
from llama_index.llms.openai_like import OpenAILike


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://developers.llamaindex.ai/python/framework/module_guides/deploying/agents/memory/"""
    agent = FunctionAgent(
        tools=[as_tool(tool) for tool in task.tools],
        llm=model_for(task),
        system_prompt=task.system or None,
        streaming=task.stream,
    )
    memory = Memory.from_defaults(session_id=task.id, token_limit=1_000_000)  # by default it forgets what is beyond 30,000
    for prompt in task.prompts:
        try:
            said = await task.of_prompt(ask(agent, memory, prompt, task.max_turns))
        except WorkflowRuntimeError as error:
            if str(error).startswith("Max iterations"):
                return stopped(str(error))
            raise
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the memory keeps of it is the library's affair
        result = said
    return completed(str(result))


def model_for(task: Task) -> OpenAI:
    """The class goes by the provider, and what it does by the name of the model:
    https://developers.llamaindex.ai/python/framework/integrations/llm/openai_like/"""
    where = {"api_base": task.base_url, "api_key": task.api_key}
    if task.profile == "openai":
        return OpenAI("gpt-4.1-mini", **where)
    return OpenAILike(task.model, **where, context_window=128000, is_chat_model=True, is_function_calling_model=True)


async def ask(agent: FunctionAgent, memory: Memory, prompt: str, max_turns: int) -> AgentOutput:
    handler = agent.run(prompt, memory=memory, max_iterations=max_turns)
    try:
        return await asyncio.shield(asyncio.ensure_future(handler))
    except asyncio.CancelledError:
        await handler.cancel_run()  # as documented, rather than by a cancelled await
        raise


def as_tool(tool: Tool) -> FunctionTool:
    """A tool with a schema of its own. What it raises goes to the model."""

    class Arguments(BaseModel):
        @classmethod
        def __get_pydantic_json_schema__(cls, _schema, _handler) -> dict:
            return tool.parameters

    async def call(**arguments) -> str:
        return await tool.call(arguments)

    return FunctionTool.from_defaults(async_fn=call, name=tool.name, description=tool.description, fn_schema=Arguments)


serve(
    run,
    name="LlamaIndex FunctionAgent",
    version=version("llama-index-core"),
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "cancel"],
    designs=["own-model"],
)

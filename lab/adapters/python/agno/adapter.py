"""Lets Loopproof judge the agent of Agno, with its models for Chat Completions and for Gemini's Interactions.

    loopproof run -- .venv/bin/python adapter.py
    loopproof run -- .venv/bin/python adapter.py interactions
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, failed, serve, stopped, usage

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.base import Model
from agno.models.google import GeminiInteractions
from agno.models.openai import OpenAIChat
from agno.models.openai.like import OpenAILike
from agno.run.agent import RunOutput
from agno.run.base import RunStatus
from agno.tools.function import Function, FunctionCall


DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"


def model_of(task: Task) -> Model:
    if DIALECT == "interactions":
        client = {"http_options": {"base_url": task.base_url}}
        return GeminiInteractions(id=task.model, api_key=task.api_key, client_params=client, generation_config={"thinking_summaries": "auto"})
    # For every other provider the documentation has OpenAILike: https://docs.agno.com/models/providers/openai-like
    made_by = OpenAIChat if task.profile == "openai" else OpenAILike
    return made_by(id=task.model, base_url=task.base_url, api_key=task.api_key)


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://docs.agno.com/agents/overview"""
    agent = Agent(
        model=model_of(task),
        tools=[as_tool(tool) for tool in task.tools],
        system_message=task.system or None,
        db=InMemoryDb(),
        session_id=task.id,
        add_history_to_context=True,
        num_history_runs=100,  # 3
        telemetry=False,
    )
    used = usage(0, 0)
    for prompt in task.prompts:
        said = await task.of_prompt(ask(agent, prompt, task.stream))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the session keeps of it is the library's affair
        result = said
        if result.metrics:
            used["input_tokens"] += result.metrics.input_tokens
            used["output_tokens"] += result.metrics.output_tokens
        if result.status is not RunStatus.completed and not task.resume_after_failure:
            break  # there is no answer that the user could go on from
    return report(result, used)


async def ask(agent: Agent, prompt: str, stream: bool) -> RunOutput:
    if not stream:
        return await agent.arun(prompt)
    async for event in agent.arun(prompt, stream=True, yield_run_output=True):
        last = event
    if not isinstance(last, RunOutput):  # an event that tells the error
        raise RuntimeError(last.content)
    return last


def report(result: RunOutput, used: dict) -> dict:
    text = result.content if isinstance(result.content, str) else ""
    if result.status is RunStatus.error:
        return failed(text or "the run ended with an error", usage=used)
    if result.status is not RunStatus.completed:
        return stopped(result.status.value, text=text, usage=used)
    return completed(text, usage=used)


def as_tool(tool: Tool) -> Function:
    """A tool with a schema of its own. What it raises goes to the model."""

    async def call(fc: FunctionCall, **arguments) -> str:
        return await tool.call(arguments, fc.call_id or "")

    return Function(
        name=tool.name, description=tool.description, parameters=tool.parameters, entrypoint=call, skip_entrypoint_processing=True
    )


serve(
    run,
    name="Agno",
    version=version("agno"),
    dialects=[DIALECT],
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "usage", "cancel"] + (["reasoning"] if DIALECT == "interactions" else []),
)

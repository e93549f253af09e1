"""Lets Loopproof judge the OpenAI Agents SDK for Python, with its model for Chat Completions or that for Responses.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py responses
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, PendingCall, Task, Tool, ToolFailed, completed, serve, stopped, usage

from agents import Agent, FunctionTool, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, RunConfig, Runner
from agents.exceptions import MaxTurnsExceeded
from agents.tool_context import ToolContext
from openai import AsyncOpenAI


DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
MODELS = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}


async def run(task: Task) -> dict:
    """Hold the conversation as the SDK's documentation shows it: https://openai.github.io/openai-agents-python/running_agents/"""
    async with AsyncOpenAI(base_url=task.base_url, api_key=task.api_key) as client:
        agent = Agent(
            name="assistant",
            instructions=task.system or None,
            model=MODELS[DIALECT](task.model, client),
            tools=[as_tool(tool) for tool in task.tools],
            model_settings=ModelSettings(include_usage=True),
        )
        history, used = [], usage(0, 0)
        for prompt in task.prompts:
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
    return completed(str(result.final_output), usage=used)


async def ask(agent, history, task):
    """Ask the agent, and resume it with the decisions of the user as long as it is interrupted:
    https://openai.github.io/openai-agents-python/human_in_the_loop/"""
    result = await start(agent, history, task)
    while result.interruptions:
        state = result.to_state()
        calls = [PendingCall(i.name, i.arguments or "{}", i.call_id or "") for i in result.interruptions]
        for interruption, decision in zip(result.interruptions, await task.tool_approvals(calls)):
            if decision.approve:
                state.approve(interruption)
            else:
                state.reject(interruption, **({"rejection_message": decision.reason} if decision.reason else {}))
        result = await start(agent, state, task)
    return result


async def start(agent, history, task):
    config = RunConfig(tracing_disabled=True)
    if not task.stream:
        return await Runner.run(agent, history, max_turns=task.max_turns, run_config=config)
    result = Runner.run_streamed(agent, history, max_turns=task.max_turns, run_config=config)
    async for _ in result.stream_events():
        pass
    return result


def as_tool(tool: Tool) -> FunctionTool:
    """A tool with a schema of its own. Of those the SDK says: return the error as a string, or raise and end the run."""

    async def invoke(context: ToolContext, arguments: str) -> str:
        try:
            return await tool.call(json.loads(arguments) if arguments else {}, context.tool_call_id)
        except (ToolFailed, ValueError) as error:
            return f"Error: {error}"

    return FunctionTool(
        tool.name, tool.description, tool.parameters, invoke, strict_json_schema=False, needs_approval=tool.needs_approval
    )


serve(
    run,
    name=f"OpenAI Agents SDK, {DIALECT}",
    dialects=[DIALECT],
    version=version("openai-agents"),
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage", "cancel", "tool-approvals", *(["reasoning"] if DIALECT == "responses" else [])],
)

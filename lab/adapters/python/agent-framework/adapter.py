"""Lets Loopproof judge the agent of Microsoft Agent Framework, over Chat Completions or Responses.

    loopproof run -- .venv/bin/python adapter.py chat
    loopproof run -- .venv/bin/python adapter.py responses
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Image, Task, Tool, completed, serve, stopped, usage

from agent_framework import Agent, AgentResponse, AgentSession, Content, FunctionTool
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient

DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
CLIENTS = {"chat": OpenAIChatCompletionClient, "responses": OpenAIChatClient}
# Chat Completions leaves images out of results, and of reasoning it knows only that of OpenRouter.
MORE = {"chat": [], "responses": ["reasoning", "images"]}

# Where a provider of Responses keeps them, the documentation leaves the history to it; elsewhere store is switched off.
KEPT = ("openai-responses", "openai-responses-stored", "azure-responses", "xai-responses")

NO_ANSWER_WITH = ("length", "content_filter", "error")  # the finish reasons with which there is none


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://learn.microsoft.com/agent-framework/agents/conversations/session"""
    client = CLIENTS[DIALECT](
        task.model,
        base_url=task.base_url,
        api_key=task.api_key,
        # Off, so that secrets in errors do not reach the model; what these tools raise is meant for it.
        function_invocation_configuration={"include_detailed_errors": True},
    )
    options = {"store": False} if DIALECT == "responses" and task.profile not in KEPT else None
    agent = Agent(client, task.system or None, tools=[as_tool(tool) for tool in task.tools], default_options=options)
    session = agent.create_session()
    used = usage(0, 0)
    for prompt in task.prompts:
        said = await task.of_prompt(ask(agent, session, prompt, task.stream))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the session keeps of it is the library's affair
        result = said
        if result.usage_details:
            used["input_tokens"] += result.usage_details.get("input_token_count") or 0
            used["output_tokens"] += result.usage_details.get("output_token_count") or 0
        if result.finish_reason in NO_ANSWER_WITH and not task.resume_after_failure:
            break  # there is no answer that the user could go on from
    finish = result.finish_reason
    more = {"usage": used, **({"finish_reason": finish} if finish else {})}
    if finish in NO_ANSWER_WITH:  # the caller can see it
        return stopped(finish, text=result.text, **more)
    return completed(result.text, **more)


async def ask(agent: Agent, session: AgentSession, prompt: str, stream: bool) -> AgentResponse:
    if not stream:
        return await agent.run(prompt, session=session)
    updates = agent.run(prompt, session=session, stream=True)
    async for _ in updates:
        pass
    return await updates.get_final_response()


def as_tool(tool: Tool) -> FunctionTool:
    """A tool with a schema of its own. What it raises goes to the model."""

    async def call(**arguments) -> str | Content:
        result = await tool.call(arguments)
        return Content.from_data(result.data, result.media_type) if isinstance(result, Image) else result

    return FunctionTool(name=tool.name, description=tool.description, func=call, input_model=tool.parameters)


serve(
    run,
    name=f"Microsoft Agent Framework, {DIALECT}",
    version=version("agent-framework-core"),
    dialects=[DIALECT],
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "usage", "cancel", *MORE[DIALECT]],
)

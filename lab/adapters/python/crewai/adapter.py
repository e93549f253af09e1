"""Lets Loopproof judge the Agent of CrewAI, over Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, Tool, completed, serve, usage

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"

from crewai import LLM, Agent
from crewai.tools import BaseTool
from crewai.utilities.pydantic_schema_utils import create_model_from_schema


# The providers that the documentation names for this client, by the profiles that play them: https://docs.crewai.com/en/concepts/llms
PROVIDERS = {
    "openai": "openai",
    "openrouter": "openrouter",
    "deepseek": "deepseek",
    "ollama": "ollama",
    "vllm": "hosted_vllm",
    "cerebras": "cerebras",
    "dashscope": "dashscope",
}
MODEL = "gpt-4o"  # the context window goes by the name; that of an unknown model is small, and its history soon made shorter


def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://docs.crewai.com/en/concepts/agents#direct-agent-interaction-with-kickoff"""
    agent = Agent(
        role="Assistant",
        goal="Answer what you are asked.",
        backstory=task.system,
        llm=LLM(model=MODEL, provider=PROVIDERS[task.profile], base_url=task.base_url, api_key=task.api_key, stream=task.stream),
        tools=[as_tool(tool) for tool in task.tools],
        max_iter=task.max_turns,
    )
    used = usage(0, 0)
    messages = []
    for i, prompt in enumerate(task.prompts):
        messages.append({"role": "user", "content": prompt})
        try:
            result = agent.kickoff(messages)
        except Exception:
            if not task.resume_after_failure or i == len(task.prompts) - 1:
                raise
            continue  # the user asks something else
        messages.append({"role": "assistant", "content": result.raw})
        if result.usage_metrics:
            used["input_tokens"] += result.usage_metrics["prompt_tokens"]
            used["output_tokens"] += result.usage_metrics["completion_tokens"]
    return completed(result.raw, usage=used)


def as_tool(tool: Tool) -> BaseTool:
    """A tool with a schema of its own, made into a model as the library does with the tools of MCP servers. It is told no id of the call."""

    class OfTask(BaseTool):
        def _run(self, **arguments) -> str:
            return tool.run(arguments)

    return OfTask(name=tool.name, description=tool.description, args_schema=create_model_from_schema(tool.parameters))


serve(
    run,
    name="CrewAI Agent",
    version=version("crewai"),
    concurrency=8,
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage"],
    profiles=list(PROVIDERS),
    designs=["own-model"],
)

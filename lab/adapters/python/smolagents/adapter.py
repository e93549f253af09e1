"""Lets Loopproof judge the ToolCallingAgent of smolagents, with its model for any OpenAI-compatible server.

    loopproof run -- .venv/bin/python adapter.py
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, Tool, completed, serve, stopped, usage

import smolagents
from smolagents import LogLevel, OpenAIModel, ToolCallingAgent
from smolagents.agents import RunResult


def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://huggingface.co/docs/smolagents/guided_tour"""
    agent = ToolCallingAgent(
        tools=[as_tool(tool) for tool in task.tools],
        # Its own attempts begin after a minute; the client below it tries again at once.
        model=OpenAIModel(model_id=task.model, api_base=task.base_url, api_key=task.api_key, retry=False),
        instructions=task.system or None,
        max_steps=task.max_turns,
        stream_outputs=task.stream,
        return_full_result=True,
        verbosity_level=LogLevel.OFF,
    )
    used = usage(0, 0)
    for i, prompt in enumerate(task.prompts):
        result: RunResult = agent.run(prompt, reset=i == 0)
        if result.token_usage:
            used["input_tokens"] += result.token_usage.input_tokens
            used["output_tokens"] += result.token_usage.output_tokens
        if result.state == "max_steps_error":
            return stopped("max_steps_error", text=str(result.output), usage=used)
    return completed(str(result.output), usage=used)


def as_tool(tool: Tool) -> smolagents.Tool:
    """A tool with the inputs of its schema. The library tells it no id of the call."""

    class OfTask(smolagents.Tool):
        name, description, output_type = tool.name, tool.description, "string"
        inputs = inputs_of(tool.parameters)
        skip_forward_signature_validation = True

        def forward(self, **arguments) -> str:
            return tool.run(arguments)

    return OfTask()


def inputs_of(schema: dict) -> dict:
    """The properties as the library wants them: each has a type and a description, and may be null if it is not required."""
    required = schema.get("required", [])
    return {
        name: {"type": "any", "description": "", **schema, **({} if name in required else {"nullable": True})}
        for name, schema in schema.get("properties", {}).items()
    }


serve(
    run,
    name="smolagents ToolCallingAgent",
    version=version("smolagents"),
    features=["streaming", "parallel-calls", "multi-prompt", "turn-limit", "usage"],
    designs=["answers-by-tool"],
)

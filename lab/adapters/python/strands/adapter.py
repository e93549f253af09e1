"""Lets Loopproof judge the agent of Strands Agents, with its OpenAI model provider, that of Amazon Bedrock over Converse, or that of
Ollama over its own API.

    loopproof run -- .venv/bin/python adapter.py
    loopproof run -- .venv/bin/python adapter.py converse
    loopproof run -- .venv/bin/python adapter.py ollama-chat
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Image, Task, Tool, ToolFailed, completed, serve, stopped, usage

from strands import Agent, ModelRetryStrategy
from strands.agent.conversation_manager import SummarizingConversationManager
from strands.models.bedrock import BedrockModel
from strands.models.ollama import OllamaModel
from strands.models.openai import OpenAIModel
from strands.session.file_session_manager import FileSessionManager
from strands.tools import PythonAgentTool


DIALECT = sys.argv[1] if len(sys.argv) > 1 else "chat"
os.environ |= {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}  # it sends no bearer token without TLS


def over_chat(task: Task, **window) -> OpenAIModel:
    return OpenAIModel(client_args={"base_url": task.base_url, "api_key": task.api_key}, model_id=task.model, stream=task.stream, **window)


def over_converse(task: Task, **window) -> BedrockModel:
    """https://strandsagents.com/latest/documentation/docs/user-guide/concepts/model-providers/amazon-bedrock/"""
    return BedrockModel(
        endpoint_url=task.base_url,
        region_name="us-east-1",
        model_id=task.model,
        streaming=task.stream,
        additional_request_fields={"thinking": {"type": "adaptive"}},
        **window,
    )


def over_ollama(task: Task, **window) -> OllamaModel:
    """https://strandsagents.com/latest/documentation/docs/user-guide/concepts/model-providers/ollama/"""
    return OllamaModel(task.base_url, ollama_client_args={"headers": {"Authorization": f"Bearer {task.api_key}"}}, model_id=task.model, **window)


MODELS = {"chat": over_chat, "converse": over_converse, "ollama-chat": over_ollama}


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it: https://strandsagents.com/latest/documentation/docs/"""
    window = {"context_window_limit": task.context_limit} if task.context_limit else {}
    agent = Agent(
        MODELS[DIALECT](task, **window),
        tools=[as_tool(tool) for tool in task.tools],
        system_prompt=task.system or None,
        callback_handler=None,  # the default one prints
        retry_strategy=ModelRetryStrategy(max_attempts=3, initial_delay=1),  # 6 and 4 s, which looks like a hang
        # At 70% of the window it asks for a summary of the oldest messages; by default it waits for a refusal.
        conversation_manager=SummarizingConversationManager(proactive_compression=True) if task.context_limit else None,
        session_manager=FileSessionManager(task.session.id, task.session.dir) if task.session else None,
    )
    limits = {"turns": task.max_turns, **({"total_tokens": task.token_budget} if task.token_budget else {})}
    for prompt in still_to_say(task, agent):
        said = await task.of_prompt(agent.invoke_async(prompt, limits=limits))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the agent keeps of it is its affair
        result = said
        if result.stop_reason != "end_turn" and not task.resume_after_failure:
            break
    counted = result.metrics.accumulated_usage
    text = "".join(block.get("text", "") for block in result.message["content"])
    more = {"text": text, "usage": usage(counted["inputTokens"], counted["outputTokens"])}
    if result.stop_reason != "end_turn":
        return stopped(result.stop_reason, **more)
    return completed(**more)


def still_to_say(task, agent) -> list[str | None]:
    """The prompts that the messages of a session do not have. None goes on with the messages as they are, as long as there is
    no answer to the last one."""
    said = [message for message in agent.messages if message["role"] == "user" and "text" in message["content"][0]]
    if not said:
        return task.prompts
    last = agent.messages[-1]
    answered = last["role"] == "assistant" and not any("toolUse" in block for block in last["content"])
    return [*([] if answered else [None]), *task.prompts[len(said) :]]


def as_tool(tool: Tool) -> PythonAgentTool:
    """A tool with a schema of its own. It reports its failure as a result with the status error."""

    async def call(use: dict, **_) -> dict:
        try:
            status, content = "success", as_content(await tool.call(use["input"], use["toolUseId"]))
        except ToolFailed as error:
            status, content = "error", as_content(str(error))
        return {"toolUseId": use["toolUseId"], "status": status, "content": [content]}

    spec = {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.parameters}}
    return PythonAgentTool(tool.name, spec, call)


def as_content(result: str | Image) -> dict:
    if isinstance(result, Image):
        return {"image": {"format": result.media_type.removeprefix("image/"), "source": {"bytes": result.data}}}
    return {"text": result}


serve(
    run,
    name="Strands Agents",
    dialects=[DIALECT],
    version=version("strands-agents"),
    **({"deliveries": ["lines*"]} if DIALECT == "ollama-chat" else {}),  # OllamaModel always streams
    features=[*(["reasoning"] if DIALECT == "converse" else []), "streaming", "parallel-calls", "multi-prompt", "resume-after-failure", *(["retries"] if DIALECT != "ollama-chat" else []), "turn-limit", "usage", "cancel", "images", "token-budget", "compaction", "durable-sessions"],
)

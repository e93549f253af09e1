"""Lets Loopproof judge the ChatCompletionAgent of Semantic Kernel, with its service for Chat Completions.

    loopproof run -- .venv/bin/python adapter.py
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped, usage

from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.contents import ChatMessageContent
from semantic_kernel.functions import KernelFunctionFromMethod, KernelParameterMetadata, KernelPlugin, kernel_function

NO_ANSWER_WITH = ("length", "content_filter")  # the finish reasons with which there is none


async def run(task: Task) -> dict:
    """Hold the conversation as the documentation shows it:
    https://learn.microsoft.com/semantic-kernel/frameworks/agent/agent-types/chat-completion-agent"""
    async with AsyncOpenAI(base_url=task.base_url, api_key=task.api_key) as client:
        agent = ChatCompletionAgent(
            service=OpenAIChatCompletion(ai_model_id=task.model, async_client=client),
            name="Agent",
            instructions=task.system or None,
            plugins=[KernelPlugin(name="tools", functions=[as_tool(tool) for tool in task.tools])],
            # 5, and then a request without tools: more than any conversation here needs.
            function_choice_behavior=FunctionChoiceBehavior.Auto(maximum_auto_invoke_attempts=100),
        )
        thread, used = ChatHistoryAgentThread(), usage(0, 0)
        for prompt in task.prompts:
            said = await task.of_prompt(ask(agent, thread, prompt, task.stream))
            if said is NO_ANSWER:
                continue  # the user goes on without an answer; what the thread keeps of it is the library's affair
            text, finish = said
            if finish in NO_ANSWER_WITH and not task.resume_after_failure:
                break  # there is no answer that the user could go on from
    more = {"finish_reason": finish} if finish else {}
    if finish in NO_ANSWER_WITH:  # the caller can see it
        return stopped(finish, text=text, **more)
    return completed(text, **more)


async def ask(agent: ChatCompletionAgent, thread: ChatHistoryAgentThread, prompt: str, stream: bool) -> tuple[str, str | None]:
    """The answer and its finish reason. Streamed, the text is that of the last turn."""
    if not stream:
        message: ChatMessageContent = (await agent.get_response(prompt, thread=thread)).message
        return str(message), message.finish_reason and message.finish_reason.value
    text, finish = "", None
    async for response in agent.invoke_stream(prompt, thread=thread):
        text += str(response.message)
        finish = (response.message.finish_reason and response.message.finish_reason.value) or finish
    return text, finish


def as_tool(tool: Tool) -> KernelFunctionFromMethod:
    """A function with parameters of its own. What it raises goes to the model."""

    @kernel_function(name=tool.name, description=tool.description)
    async def call(**arguments) -> str:
        return await tool.call(arguments)

    required = tool.parameters.get("required", [])
    parameters = [
        KernelParameterMetadata(name=name, schema_data=schema, is_required=name in required)
        for name, schema in tool.parameters.get("properties", {}).items()
    ]
    return KernelFunctionFromMethod(method=call, plugin_name="tools", parameters=parameters)


serve(
    run,
    name="Semantic Kernel ChatCompletionAgent",
    version=version("semantic-kernel"),
    features=["streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "cancel"],
)

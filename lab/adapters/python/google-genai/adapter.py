"""Lets Loopproof judge the automatic function calling of the official google-genai package, as a chat does it.

    loopproof run -- .venv/bin/python adapter.py
"""

import inspect
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "packages/starters/protocol/python"))
from loopproof_adapter import NO_ANSWER, Task, Tool, completed, serve, stopped, usage

from google import genai
from google.genai import types
from google.oauth2.credentials import Credentials

# The kinds of parameters, as Python writes them.
KINDS = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict, "array": list}


async def run(task: Task) -> dict:
    # Without retry_options the client does not try again.
    options = types.HttpOptions(base_url=task.base_url, retry_options=types.HttpRetryOptions(initial_delay=0.2))
    if task.profile == "vertex":
        client = genai.Client(vertexai=True, project="loopproof", location="global", credentials=Credentials(task.api_key), http_options=options)
    else:
        client = genai.Client(api_key=task.api_key, http_options=options)
    try:
        return await converse(client, task)
    finally:
        await client.aio.aclose()


async def converse(client: genai.Client, task: Task) -> dict:
    config = types.GenerateContentConfig(
        system_instruction=task.system or None,
        tools=[as_function(tool) for tool in task.tools] or None,
        thinking_config=types.ThinkingConfig(include_thoughts=True),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(maximum_remote_calls=task.max_turns),
    )
    chat = client.aio.chats.create(model=task.model, config=config)
    answer: dict = {}
    for prompt in task.prompts:
        said = await task.of_prompt(ask(chat, prompt, task.stream))
        if said is NO_ANSWER:
            continue  # the user goes on without an answer; what the chat keeps of it is the library's affair
        answer = said
        if answer["status"] != "completed" and not task.resume_after_failure:
            break  # there is no answer that the user could go on from
    return answer


async def ask(chat: genai.chats.AsyncChat, prompt: str, stream: bool) -> dict:
    if stream:
        chunks = [chunk async for chunk in await chat.send_message_stream(prompt)]
    else:
        chunks = [await chat.send_message(prompt)]
    return report(chunks)


def report(chunks: list[types.GenerateContentResponse]) -> dict:
    """How a prompt ended, by what the SDK returned. The chunks of a stream are those of all its turns."""
    blocked = next((chunk.prompt_feedback.block_reason for chunk in chunks if chunk.prompt_feedback and chunk.prompt_feedback.block_reason), None)
    if blocked:
        return stopped(f"the prompt was blocked: {blocked.value}")
    candidates = [chunk.candidates[0] for chunk in last_turn(chunks) if chunk.candidates]
    reason = next((candidate.finish_reason for candidate in reversed(candidates) if candidate.finish_reason), None)
    parts = [part for candidate in candidates if candidate.content for part in candidate.content.parts or []]
    text = "".join(part.text for part in parts if part.text and not part.thought)
    used = chunks[-1].usage_metadata if chunks else None
    more = {"usage": usage(used.prompt_token_count, (used.candidates_token_count or 0) + (used.thoughts_token_count or 0))} if used else {}
    if reason is None:
        raise RuntimeError("the answer has no finish reason")
    if reason is not types.FinishReason.STOP:
        return stopped(reason.value, text=text, finish_reason=reason.value, **more)
    if any(part.function_call for part in parts):
        return stopped("turn limit", finish_reason=reason.value, **more)
    return completed(text, finish_reason=reason.value, **more)


def last_turn(chunks: list[types.GenerateContentResponse]) -> list[types.GenerateContentResponse]:
    """The chunks of the last turn: those after the last one that ended a turn before. Chunks without a candidate end none."""
    told = [chunk for chunk in chunks if chunk.candidates]
    ends = [i for i, chunk in enumerate(told[:-1]) if chunk.candidates[0].finish_reason]
    return told[ends[-1] + 1 if ends else 0 :]


def as_function(tool: Tool):
    """A function as a user of the SDK writes it, whose signature declares the tool. It is not told the id of its call."""

    async def call(**arguments):
        return await tool.call(arguments)

    call.__name__ = call.__qualname__ = tool.name
    call.__doc__ = tool.description
    parameters = [parameter(name, schema, tool) for name, schema in tool.parameters.get("properties", {}).items()]
    call.__signature__ = inspect.Signature(parameters)
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def parameter(name: str, schema: dict, tool: Tool) -> inspect.Parameter:
    kind = KINDS[schema["type"]]
    if name in tool.parameters.get("required", []):
        made = inspect.Parameter("named_below", inspect.Parameter.KEYWORD_ONLY, annotation=kind)
    else:
        made = inspect.Parameter("named_below", inspect.Parameter.KEYWORD_ONLY, annotation=kind | None, default=None)
    made._name = name  # a word of Python's own, such as from, is refused above
    return made


serve(
    run,
    name="google-genai automatic function calling",
    dialects=["gemini"],
    version=version("google-genai"),
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "cancel"],
)

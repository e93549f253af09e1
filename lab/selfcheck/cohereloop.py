"""A plain loop over Cohere's SDK for Python, which reads what the mock provider sends in /v2/chat, whole and as a stream.

    pip install cohere && loopproof run --dialect cohere-chat -- python3 selfcheck/cohereloop.py

The SDK reads answers and events into its own types, and skips an event that does not fit one. The loop is written from the guides:
https://docs.cohere.com/docs/tool-use-usage-patterns
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, ToolFailed, completed, serve, stopped, usage

import cohere


def run(task: Task) -> dict:
    client = cohere.ClientV2(api_key=task.api_key, base_url=task.base_url, timeout=20)
    messages = [{"role": "system", "content": task.system}] if task.system else []
    used = [0, 0]
    for prompt in task.prompts:
        messages.append({"role": "user", "content": prompt})
        for _ in range(task.max_turns or 50):
            message, stop, counted = ask(client, task, messages)
            if counted and counted.tokens:
                used = [used[0] + int(counted.tokens.input_tokens or 0), used[1] + int(counted.tokens.output_tokens or 0)]
            text = "".join(block["text"] for block in message.get("content", []) if block["type"] == "text")
            more = {"usage": usage(*used), "finish_reason": stop}
            if stop in ("ERROR", "TIMEOUT", None):
                raise ConnectionError(f"the model failed: {stop}")
            if stop not in ("TOOL_CALL", "COMPLETE", "STOP_SEQUENCE"):
                return stopped(stop, text=text, **more)
            messages.append(message)
            if not message.get("tool_calls"):
                break
            messages.extend(answer(task, call) for call in message["tool_calls"])
        else:
            return stopped("too many turns", **more)
    if not text.strip():
        raise ValueError("the model has not said anything")
    return completed(text, **more)


def ask(client: cohere.ClientV2, task: Task, messages: list) -> tuple:
    request = {"model": task.model, "messages": messages}
    if task.tools:
        request["tools"] = [
            {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}} for t in task.tools
        ]
    if task.stream:
        return put_together(client.chat_stream(**request))
    said = client.chat(**request)
    return said.message.dict(exclude_none=True), said.finish_reason, said.usage


def put_together(events) -> tuple:
    """The blocks and the calls by their indexes."""
    blocks, plan, calls, stop, counted = {}, "", {}, None, None
    for e in events:
        said = e.delta.message if e.type in ("content-start", "content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta") else None
        if e.type == "content-start":
            blocks[e.index] = {"type": said.content.type, said.content.type: ""}
        elif e.type == "content-delta":
            kind = blocks[e.index]["type"]
            blocks[e.index][kind] += getattr(said.content, kind) or ""
        elif e.type == "tool-plan-delta":
            plan += said.tool_plan
        elif e.type == "tool-call-start":
            call = said.tool_calls
            calls[e.index] = {"id": call.id, "type": "function", "function": {"name": call.function.name, "arguments": call.function.arguments or ""}}
        elif e.type == "tool-call-delta":
            calls[e.index]["function"]["arguments"] += said.tool_calls.function.arguments
        elif e.type == "message-end":
            stop, counted = e.delta.finish_reason, e.delta.usage
    message = {"role": "assistant", "tool_plan": plan or None, "content": list(blocks.values()), "tool_calls": list(calls.values())}
    return {key: value for key, value in message.items() if value}, stop, counted


def answer(task: Task, call: dict) -> dict:
    return {"role": "tool", "tool_call_id": call["id"], "content": result(task, call["id"], **call["function"])}


def result(task: Task, call_id: str, name: str, arguments: str) -> str:
    tool = next((t for t in task.tools if t.name == name), None)
    if tool is None:
        return f"There is no tool {name}."
    try:
        return tool.run(json.loads(arguments or "{}") or {}, call_id)
    except ToolFailed as error:
        return f"Error: {error}"
    except ValueError as error:
        return f"The arguments are not JSON: {error}"


serve(
    run,
    name="cohere",
    version=cohere.__version__,
    dialects=["cohere-chat"],
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "turn-limit", "usage"],
)

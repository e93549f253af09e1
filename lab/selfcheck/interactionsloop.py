"""A plain loop over Google's SDK for Python, which reads what the mock provider sends as Interactions, whole and as a stream.

    pip install google-genai && loopproof run --dialect interactions -- python3 selfcheck/interactionsloop.py

The SDK reads answers and events into its generated types. The loop sends the whole history, and is written from the guides:
https://ai.google.dev/gemini-api/docs/interactions
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, ToolFailed, completed, serve, stopped, usage

from google import genai


def run(task: Task) -> dict:
    options = genai.types.HttpOptions(base_url=task.base_url, timeout=20_000)
    client = genai.Client(api_key=task.api_key, http_options=options)
    history, used = [], [0, 0]
    for prompt in task.prompts:
        history.append({"type": "user_input", "content": [{"type": "text", "text": prompt}]})
        for _ in range(task.max_turns or 50):
            steps, status, counted = ask(client, task, history)
            if counted:
                used = [used[0] + (counted.total_input_tokens or 0), used[1] + (counted.total_output_tokens or 0) + (counted.total_thought_tokens or 0)]
            text = "".join(c["text"] for s in steps if s["type"] == "model_output" for c in s.get("content") or [] if c["type"] == "text")
            more = {"usage": usage(*used), "finish_reason": status}
            if status not in ("completed", "requires_action"):
                if status == "incomplete":
                    return stopped(status, text=text, **more)
                raise ConnectionError(f"the model failed: {status}")
            calls = [s for s in steps if s["type"] == "function_call"]
            history.extend(steps)
            if not calls:
                break
            history.extend(answer(task, call) for call in calls)
        else:
            return stopped("too many turns", **more)
    if not text.strip():
        raise ValueError("the model has not said anything")
    return completed(text, **more)


def ask(client: genai.Client, task: Task, history: list) -> tuple:
    request = {"model": task.model, "input": history, "store": False, "generation_config": {"thinking_summaries": "auto"}}
    if task.system:
        request["system_instruction"] = task.system
    if task.tools:
        request["tools"] = [{"type": "function", "name": t.name, "description": t.description, "parameters": t.parameters} for t in task.tools]
    if task.stream:
        return put_together(client.interactions.create(stream=True, **request))
    said = client.interactions.create(**request)
    return [whole(step) for step in said.steps or []], said.status, said.usage


def whole(step) -> dict:
    return step.model_dump(mode="json", by_alias=True, exclude_none=True)


def put_together(events) -> tuple:
    """The steps by their indexes."""
    steps, arguments, last = {}, {}, None
    for e in events:
        if e.event_type == "step.start":
            steps[e.index] = whole(e.step)
        elif e.event_type == "step.delta":
            grow(steps[e.index], arguments, e.index, e.delta)
        elif e.event_type == "interaction.completed":
            last = e.interaction
        elif e.event_type == "error":
            raise ConnectionError(f"the stream carries an error: {e.error}")
    if last is None:
        raise ConnectionError("the stream broke off")
    for index, text in arguments.items():
        read(steps[index], text)
    return list(steps.values()), last.status, last.usage


UNREAD = {}  # by the id of a call, why its arguments could not be read


def read(call: dict, text: str) -> None:
    try:
        call["arguments"] = json.loads(text)
    except ValueError as error:
        UNREAD[call["id"]] = error


def grow(step: dict, arguments: dict, index: int, delta) -> None:
    if delta.type == "text":
        content = step.setdefault("content", [])
        if not content:
            content.append({"type": "text", "text": ""})
        content[-1]["text"] += delta.text
    elif delta.type == "thought_summary":
        step.setdefault("summary", []).append({"type": "text", "text": delta.content.text})
    elif delta.type == "thought_signature":
        step["signature"] = step.get("signature", "") + delta.signature
    elif delta.type == "arguments_delta":
        arguments[index] = arguments.get(index, "") + delta.arguments


def answer(task: Task, call: dict) -> dict:
    text, failed = result(task, call)
    said = {"type": "function_result", "call_id": call["id"], "name": call["name"], "result": text}
    return said | {"is_error": True} if failed else said


def result(task: Task, call: dict) -> tuple:
    tool = next((t for t in task.tools if t.name == call["name"]), None)
    if tool is None:
        return f"There is no tool {call['name']}.", True
    if broken := UNREAD.pop(call["id"], None):
        return f"Error: {broken}", True
    try:
        return tool.run(call.get("arguments") or {}, call["id"]), False
    except ToolFailed as error:
        return f"Error: {error}", True


serve(
    run,
    name="google-genai",
    version=genai.__version__,
    dialects=["interactions"],
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "turn-limit", "usage"],
)

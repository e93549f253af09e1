"""A plain loop over Ollama's client for Python, which reads what the mock provider sends in /api/chat, whole and as lines.

    pip install ollama && loopproof run --dialect ollama-chat -- python3 selfcheck/ollamaloop.py

The client reads answers and lines into its own types. The loop is written from the guides:
https://docs.ollama.com/capabilities/tool-calling and https://docs.ollama.com/capabilities/streaming
"""

import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, ToolFailed, completed, serve, stopped, usage

import ollama


def run(task: Task) -> dict:
    client = ollama.Client(host=task.base_url, headers={"Authorization": f"Bearer {task.api_key}"}, timeout=20)
    messages = [{"role": "system", "content": task.system}] if task.system else []
    used = [0, 0]
    for prompt in task.prompts:
        messages.append({"role": "user", "content": prompt})
        for _ in range(task.max_turns or 50):
            message, last = ask(client, task, messages)
            used = [used[0] + (last.prompt_eval_count or 0), used[1] + (last.eval_count or 0)]
            text = message["content"]
            more = {"usage": usage(*used), "finish_reason": last.done_reason}
            if last.done_reason != "stop":
                return stopped(last.done_reason or "unknown", text=text, **more)
            messages.append(message)
            if not message.get("tool_calls"):
                break
            messages.extend({"role": "tool", "tool_name": call.function.name, "content": result(task, call.function)} for call in message["tool_calls"])
        else:
            return stopped("too many turns", **more)
    if not text.strip():
        raise ValueError("the model has not said anything")
    return completed(text, **more)


def ask(client: ollama.Client, task: Task, messages: list) -> tuple[dict, ollama.ChatResponse]:
    """The message, and what the last line says beside it. A stream may end without that line, and the client does not mind."""
    tools = [{"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}} for t in task.tools]
    said = client.chat(model=task.model, messages=messages, tools=tools, stream=task.stream)
    content, thinking, calls = "", "", []
    for last in said if task.stream else [said]:
        content += last.message.content or ""
        thinking += last.message.thinking or ""
        calls.extend(last.message.tool_calls or [])
        if last.done:
            message = {"role": "assistant", "content": content, "thinking": thinking, "tool_calls": calls}
            return {key: value for key, value in message.items() if value or key in ("role", "content")}, last
    raise ConnectionError("the answer broke off")


def result(task: Task, call: ollama.Message.ToolCall.Function) -> str:
    tool = next((t for t in task.tools if t.name == call.name), None)
    if tool is None:
        return f"There is no tool {call.name}."
    try:
        return tool.run(dict(call.arguments))
    except ToolFailed as error:
        return f"Error: {error}"


serve(
    run,
    name="ollama",
    version=version("ollama"),
    dialects=["ollama-chat"],
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "turn-limit", "usage"],
)

"""A plain loop over boto3, AWS's SDK for Python, which reads what the mock provider sends in Converse and ConverseStream.

    pip install boto3 && loopproof run --dialect converse -- python3 selfcheck/converseloop.py

botocore checks the length and the checksums of each message of a stream, reads the answers by its service model, and refuses
requests that do not fit it. The loop is written from the documentation:
https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, ToolFailed, completed, serve, stopped, usage

import boto3
from botocore import __version__
from botocore.config import Config


BROKEN = "INVALID_JSON"


def run(task: Task) -> dict:
    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=task.base_url,
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key=task.api_key,
        config=Config(retries={"mode": "standard", "total_max_attempts": 3}, read_timeout=20),
    )
    messages, used = [], [0, 0]
    for prompt in task.prompts:
        messages.append({"role": "user", "content": [{"text": prompt}]})
        for _ in range(task.max_turns or 50):
            message, stop, counted = ask(client, task, messages)
            used = [used[0] + counted.get("inputTokens", 0), used[1] + counted.get("outputTokens", 0)]
            text = "".join(block.get("text", "") for block in message["content"])
            more = {"usage": usage(*used), "finish_reason": stop}
            if stop not in ("tool_use", "end_turn", "stop_sequence"):
                return stopped(stop, text=text, **more)
            message["content"] = [block for block in message["content"] if block.get("text") != ""]  # which is refused
            if message["content"]:
                messages.append(message)
            if stop != "tool_use":
                break
            messages.append({"role": "user", "content": [answer(task, block["toolUse"]) for block in message["content"] if "toolUse" in block]})
        else:
            return stopped("too many turns", **more)
    if not text.strip():
        raise ValueError("the model has not said anything")
    return completed(text, **more)


def ask(client, task: Task, messages: list) -> tuple[dict, str, dict]:
    request = {"modelId": task.model, "messages": messages, "additionalModelRequestFields": {"thinking": {"type": "adaptive"}}}
    if task.system:
        request["system"] = [{"text": task.system}]
    if task.tools:
        request["toolConfig"] = {
            "tools": [{"toolSpec": {"name": t.name, "description": t.description, "inputSchema": {"json": t.parameters}}} for t in task.tools]
        }
    if not task.stream:
        said = client.converse(**request)
        return said["output"]["message"], said["stopReason"], said["usage"]
    return put_together(client.converse_stream(**request)["stream"])


def put_together(stream) -> tuple[dict, str, dict]:
    """The blocks by their indexes, of which only those of calls have a start."""
    blocks, stop, counted = {}, None, {}
    for event in stream:
        if start := event.get("contentBlockStart"):
            blocks[start["contentBlockIndex"]] = {"toolUse": {**start["start"]["toolUse"], "input": ""}}
        elif grown := event.get("contentBlockDelta"):
            grow(blocks.setdefault(grown["contentBlockIndex"], {}), grown["delta"])
        elif "messageStop" in event:
            stop = event["messageStop"]["stopReason"]
        elif "metadata" in event:
            counted = event["metadata"]["usage"]
    if stop is None:
        raise ConnectionError("the stream ended before the message did")
    for block in blocks.values():
        if "toolUse" in block:
            block["toolUse"]["input"] = read(block["toolUse"]["input"])
    return {"role": "assistant", "content": [blocks[at] for at in sorted(blocks)]}, stop, counted


def read(written: str) -> dict:
    """The input of a call. What is none goes back within an object, for the model to see what it wrote."""
    try:
        value = json.loads(written or "{}")
    except ValueError:
        return {BROKEN: written}
    return value if isinstance(value, dict) else {BROKEN: written}


def grow(block: dict, delta: dict) -> None:
    if "text" in delta:
        block["text"] = block.get("text", "") + delta["text"]
    elif "toolUse" in delta:
        block["toolUse"]["input"] += delta["toolUse"]["input"]
    elif "redactedContent" in (thought := delta.get("reasoningContent", {})):
        block["reasoningContent"] = thought
    elif thought:
        text = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})["reasoningText"]
        for key, more in thought.items():
            text[key] = text.get(key, "") + more


def answer(task: Task, use: dict) -> dict:
    result = {"toolUseId": use["toolUseId"]}
    tool = next((t for t in task.tools if t.name == use["name"]), None)
    if tool is None:
        return {"toolResult": {**result, "content": [{"text": f"There is no tool {use['name']}."}], "status": "error"}}
    if BROKEN in use["input"]:
        return {"toolResult": {**result, "content": [{"text": "The input is not a JSON object."}], "status": "error"}}
    try:
        said = tool.run(use["input"], use["toolUseId"])
        return {"toolResult": {**result, "content": [{"text": said}] if said.strip() else []}}
    except ToolFailed as error:
        return {"toolResult": {**result, "content": [{"text": f"Error: {error}"}], "status": "error"}}


serve(
    run,
    name="boto3",
    version=f"botocore {__version__}",
    dialects=["converse"],
    features=["streaming", "parallel-calls", "reasoning", "multi-prompt", "turn-limit", "usage"],
)

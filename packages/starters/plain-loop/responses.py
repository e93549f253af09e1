"""OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses

A conversation is a list of items. Those of the model go back as they came, in their order, also when they mean nothing to
us: reasoning is encrypted, and belongs to the item behind it. The provider keeps nothing, so all of it is in each request.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from errors import Broken, decode, reported
from tools import Tool
from turn import JSON, Call, Question, Result, Turn, Usage

# What a tool is called by: a function takes JSON, a custom tool any text.
CALLS = {"function_call", "custom_tool_call"}

# The events with which a stream ends: https://platform.openai.com/docs/api-reference/responses-streaming
LAST = {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}


@dataclass(frozen=True)
class Responses:
    compact_at: int = 0  # input tokens at which the provider makes the history shorter; 0: it does not
    bound_reasoning: bool = False  # what is encrypted is for the model that wrote it alone

    def path(self, model: str) -> str:
        return "/responses"

    def of_another(self, messages: list[JSON]) -> list[JSON]:
        """By its id, a call would be missed its reasoning."""
        if not self.bound_reasoning:
            return messages
        rest = [item for item in messages if not item.get("encrypted_content")]
        return [{key: value for key, value in item.items() if key != "id"} if item.get("type") in CALLS else item for item in rest]

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": "Bearer " + key}

    def request(self, model: str, system: str, messages: list[JSON], tools: list[Tool], stream: bool) -> JSON:
        request: JSON = {"model": model, "input": messages, "store": False, "include": ["reasoning.encrypted_content"]}
        if system:
            request["instructions"] = system
        if tools:
            request["tools"] = [_function(tool) for tool in tools]
        if self.compact_at:  # https://developers.openai.com/api/docs/guides/compaction
            request["context_management"] = [{"type": "compaction", "compact_threshold": self.compact_at}]
        if stream:
            request["stream"] = True
        return request

    def prompt(self, text: str) -> JSON:
        return {"role": "user", "content": [{"type": "input_text", "text": text}]}

    def results(self, results: list[Result]) -> list[JSON]:
        return [_output(result) for result in results]

    def read(self, pieces: Iterable[str]) -> Turn:
        try:
            return _read(pieces)
        except (AttributeError, KeyError, TypeError) as error:
            raise Broken(f"the answer is not one of the Responses API: {error!r}") from error


def _function(tool: Tool) -> JSON:
    """Unsaid, strict would be true, which not every schema is written for."""
    if tool.parameters is None:  # https://platform.openai.com/docs/guides/function-calling (custom tools)
        return {"type": "custom", "name": tool.name, "description": tool.description}
    function = {"type": "function", "name": tool.name, "description": tool.description}
    return function | {"parameters": tool.parameters, "strict": False}


def _output(result: Result) -> JSON:
    """There is no flag for a failure: the text says it."""
    output: Any = result.text
    if result.image:  # https://platform.openai.com/docs/guides/function-calling
        url = f"data:{result.image.media_type};base64,{result.image.data}"
        output = [{"type": "input_image", "image_url": url}]
    kind = "custom_tool_call_output" if result.call.free_text else "function_call_output"
    return {"type": kind, "call_id": result.call.id, "output": output}


def _read(pieces: Iterable[str]) -> Turn:
    """Each item comes whole at its end, so what comes of it before is not needed, and no unknown event is missed."""
    items: dict[Any, JSON] = {}
    names: dict[Any, Any] = {}
    for piece in pieces:
        if not piece.strip() or piece.strip() == "[DONE]":
            continue
        event = decode(piece)
        if not isinstance(event, dict):  # something on the way keeps the connection alive with null or []
            continue
        match event.get("type"):
            case None:  # all at once
                return _turn(event, event.get("output") or [])
            case "error":
                raise reported(event)
            case "response.created":  # what came before, when anything did, broke off on its way
                items = {}
            case "response.output_item.added":
                names[event["item"].get("id")] = event["item"].get("name")
            case "response.output_item.done":
                item = event["item"]  # some servers give all items of an answer one index, or name a call only at its start
                if item.get("type") in CALLS and not item.get("name"):
                    item = item | {"name": names.get(item.get("id"))}
                items[event.get("output_index", len(items)), item.get("id")] = item
            case last if last in LAST:
                whole = [items[at] for at in sorted(items, key=lambda at: at[0])]
                return _turn(event["response"], whole or event["response"].get("output") or [])
    raise Broken("the answer broke off")


def _turn(response: JSON, items: list[JSON]) -> Turn:
    status = response.get("status")
    if response.get("error") or status in ("failed", "cancelled"):
        raise reported(response)
    if status in ("in_progress", "queued") or not (status or items):  # any other word, or none, is that of a whole answer
        raise Broken(f"the answer ended as {status}")
    text = _text(items)
    usage = _usage(response.get("usage") or {})
    if status == "incomplete":
        reason = (response.get("incomplete_details") or {}).get("reason") or status
        return Turn(text, [], reason, [], cut_off=True, usage=usage)
    items = [_repaired(item) if item["type"] in CALLS else item for item in items]
    calls = [_call(item) for item in items if item["type"] in CALLS]
    questions = [_question(item) for item in items if item["type"] == "mcp_approval_request"]
    return Turn(text, calls, status, items, questions=questions, usage=usage)


def _text(items: list[JSON]) -> str:
    """What the model said. A commentary on its work is no part of its answer, and is one only where there is nothing else:
    https://openrouter.ai/docs/cookbook/evaluate-and-optimize/model-migrations/gpt-5-4"""
    messages = [item for item in items if item["type"] == "message"]
    answer = [message for message in messages if message.get("phase") != "commentary"]
    return "".join(_said(part) for message in answer or messages for part in message.get("content") or [])


def _said(part: JSON) -> str:
    return part.get("text") or part.get("refusal") or ""


def _repaired(item: JSON) -> JSON:
    """A call as it goes back. An output has to name it, and its arguments are a text, also where the server thinks
    otherwise."""
    if item.get("status") == "incomplete":
        raise Broken("a call is incomplete")
    if not item.get("call_id"):
        item = item | {"call_id": "call_" + uuid.uuid4().hex[:24]}
    if isinstance(item.get("arguments"), dict):
        item = item | {"arguments": json.dumps(item["arguments"])}
    return item


def _call(item: JSON) -> Call:
    if item["type"] == "custom_tool_call":
        return Call(item["call_id"], item["name"], item.get("input") or "", free_text=True)
    return Call(item["call_id"], item["name"], item.get("arguments") or "")


def _question(item: JSON) -> Question:
    """https://platform.openai.com/docs/guides/tools-connectors-mcp"""
    response = {"type": "mcp_approval_response", "approval_request_id": item["id"]}
    return Question(item["name"], lambda allowed: response | {"approve": allowed})


def _usage(usage: JSON) -> Usage:
    return Usage(usage.get("input_tokens") or 0, usage.get("output_tokens") or 0)

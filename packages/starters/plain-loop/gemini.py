"""Google's generateContent: https://ai.google.dev/api/generate-content

A conversation is a list of contents with parts. Those of the model go back as they came, with the thought signatures on them,
and the responses to the calls of a turn stand in one content behind it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import exact
from errors import Broken, decode, reported
from tools import Tool
from turn import JSON, Call, Result, Turn, Usage

CUT_OFF = {"MAX_TOKENS", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"}

# Calls that cannot be run: the model may do better when it is asked again.
MALFORMED = {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"}


@dataclass(frozen=True)
class Gemini:
    stream: bool

    def path(self, model: str) -> str:
        method = "streamGenerateContent?alt=sse" if self.stream else "generateContent"
        return f"/v1beta/models/{quote(model, safe='')}:{method}"

    def of_another(self, messages: list[JSON]) -> list[JSON]:
        return messages

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def request(self, model: str, system: str, messages: list[JSON], tools: list[Tool], stream: bool) -> JSON:
        request: JSON = {"contents": messages, "generationConfig": {"thinkingConfig": {"includeThoughts": True}}}
        if system:
            request["systemInstruction"] = {"parts": [{"text": system}]}
        if tools:
            request["tools"] = [{"functionDeclarations": [_function(tool) for tool in tools]}]
        return request

    def prompt(self, text: str) -> JSON:
        return {"role": "user", "parts": [{"text": text}]}

    def results(self, results: list[Result]) -> list[JSON]:
        return [{"role": "user", "parts": [_response(result) for result in results]}]

    def read(self, pieces: Iterable[str]) -> Turn:
        try:
            return _read(pieces)
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise Broken(f"the answer is not one of generateContent: {error!r}") from error


def _function(tool: Tool) -> JSON:
    return {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}


def _response(result: Result) -> JSON:
    """The keys output and error are those of the reference: https://ai.google.dev/api/caching#FunctionResponse"""
    said: JSON = {"name": result.call.name, "response": {"error" if result.failed else "output": result.text}}
    if result.call.id:
        said["id"] = result.call.id
    if result.image:
        said["parts"] = [{"inlineData": {"mimeType": result.image.media_type, "data": result.image.data}}]
    return {"functionResponse": said}


def _read(pieces: Iterable[str]) -> Turn:
    """Each call is whole in its part. What follows the reason to stop is read, too: the connection ends a stream."""
    parts: list[JSON] = []
    reason, usage = "", {}
    for piece in pieces:
        if not piece.strip():
            continue
        if piece == "[DONE]":  # the end mark of another API
            break
        chunk = decode(piece)
        if not isinstance(chunk, dict):  # something on the way may keep the connection alive with null or []
            continue
        usage |= {key: count for key, count in (chunk.get("usageMetadata") or {}).items() if count is not None}
        blocked = (chunk.get("promptFeedback") or {}).get("blockReason")
        if blocked:
            return Turn("", [], blocked, [], cut_off=True, usage=_usage(usage))
        for candidate in (chunk.get("candidates") or [])[:1]:
            if candidate.get("error"):
                raise reported(candidate)
            for part in (candidate.get("content") or {}).get("parts") or []:
                _add(parts, _with_id(part))
            reason = candidate.get("finishReason") or reason
    if not reason:
        raise Broken("the answer broke off")
    if reason in MALFORMED:
        raise Broken(f"the model made a call that cannot be run: {reason}")
    text = "".join(part.get("text") or "" for part in parts if not part.get("thought"))
    if reason in CUT_OFF:
        return Turn(text, [], reason, [], cut_off=True, usage=_usage(usage))
    calls = [_call(part["functionCall"]) for part in parts if "functionCall" in part]
    return Turn(text, calls, reason, [{"role": "model", "parts": parts}], usage=_usage(usage))


def _add(parts: list[JSON], part: JSON) -> None:
    """Pieces of a text are put together, but for one that is signed, which stays a part of its own. The empty text at the end
    of a stream says nothing."""
    if set(part) - {"text", "thought"}:
        parts.append(part)
    elif parts and not set(parts[-1]) - {"text", "thought"} and parts[-1].get("thought") == part.get("thought"):
        parts[-1] = parts[-1] | {"text": parts[-1]["text"] + part["text"]}
    elif part.get("text"):
        parts.append(part)


def _with_id(part: JSON) -> JSON:
    """A call without an id gets one, by which its response is told from those of its siblings."""
    call: Any = part.get("functionCall")
    if call is None or call.get("id"):
        return part
    return part | {"functionCall": call | {"id": "call_" + uuid.uuid4().hex[:24]}}


def _call(call: JSON) -> Call:
    return Call(call["id"], call["name"], exact.dumps(call.get("args") or {}))


def _usage(usage: JSON) -> Usage:
    output = (usage.get("candidatesTokenCount") or 0) + (usage.get("thoughtsTokenCount") or 0)
    return Usage(usage.get("promptTokenCount") or 0, output)

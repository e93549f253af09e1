"""OpenAI's Chat Completions, which most providers speak: https://platform.openai.com/docs/api-reference/chat

Where providers are known to write it in another way, the code says so.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import exact
from errors import Broken, decode
from tools import Tool
from turn import JSON, Call, Image, Result, Turn, Usage

CUT_OFF = {"length", "content_filter"}


@dataclass(frozen=True)
class Chat:
    resend_reasoning: bool = True  # with the turns that called tools
    resend_all_reasoning: bool = False  # with answers, too
    mend_arguments: bool = False  # of calls that go back, where they are no JSON
    bound_reasoning: bool = False  # what is encrypted is for the model that wrote it alone

    def path(self, model: str) -> str:
        return "/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": "Bearer " + key}

    def request(self, model: str, system: str, messages: list[JSON], tools: list[Tool], stream: bool) -> JSON:
        head = [{"role": "system", "content": system}] if system else []
        request: JSON = {"model": model, "messages": head + messages}
        if tools:  # an empty list is refused by some
            request["tools"] = [{"type": "function", "function": _function(tool)} for tool in tools]
        if stream:
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        return request

    def prompt(self, text: str) -> JSON:
        return {"role": "user", "content": text}

    def results(self, results: list[Result]) -> list[JSON]:
        """A message for each, and behind all of them one of the user with their images: few providers take images in the
        messages of tools, and nothing may stand between those."""
        messages = [{"role": "tool", "tool_call_id": result.call.id, "content": result.text} for result in results]
        shown = [part for result in results if result.image for part in _shown(result, result.image)]
        return [*messages, {"role": "user", "content": shown}] if shown else messages

    def of_another(self, messages: list[JSON]) -> list[JSON]:
        if not self.bound_reasoning:
            return messages
        return [_readable(message) for message in messages]

    def read(self, pieces: Iterable[str]) -> Turn:
        assembly = Assembly()
        for piece in pieces:
            if piece.strip() == "[DONE]":
                assembly.done = True
                break
            if piece.strip():  # some keep the connection alive with nothing
                assembly.add(decode(piece))
        assembly.check()
        usage = Usage(assembly.usage.get("prompt_tokens") or 0, assembly.usage.get("completion_tokens") or 0)
        reason = assembly.finish_reason
        return Turn(
            assembly.text, list(assembly.calls), reason, [self._message(assembly)], cut_off=reason in CUT_OFF, usage=usage
        )

    def _message(self, turn: Assembly) -> JSON:
        """The turn as a message of the history: these keys and no others, since some providers refuse what they do not
        know. A content of null is refused by some and missing content beside calls by none, so it is left out."""
        message: JSON = {"role": "assistant"}
        wanted = self.resend_reasoning if turn.calls else self.resend_all_reasoning
        if wanted and turn.thought:
            message["content"] = [{"type": "thinking", "thinking": [_text(turn.thought)]}]
            message["content"] += [_text(turn.text)] if turn.text else []
        elif turn.text or not turn.calls:
            message["content"] = turn.text
        if turn.calls:
            message["tool_calls"] = [call.echo(self.mend_arguments) for call in turn.calls]
        return message | turn.reasoning if wanted else message


def _text(text: str) -> JSON:
    return {"type": "text", "text": text}


def _shown(result: Result, image: Image) -> list[JSON]:
    """The image of a result: https://platform.openai.com/docs/guides/images-vision"""
    url = f"data:{image.media_type};base64,{image.data}"
    caption = f"What {result.call.name} returned for {result.call.id}:"
    return [_text(caption), {"type": "image_url", "image_url": {"url": url}}]


def _function(tool: Tool) -> JSON:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


@dataclass
class ChatCall(Call):
    """A call whose arguments stay as they are: what goes back is exactly what came."""

    extra: JSON = field(default_factory=dict)  # what a provider put beside them and wants back: Gemini's thought signature

    def echo(self, mended: bool) -> JSON:
        """The call as it goes back into the history, or with nothing in the place of arguments that are no JSON."""
        arguments = "{}" if mended and self.arguments and not _is_json(self.arguments) else self.arguments
        function = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function} | self.extra


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


class Assembly:
    """Collects chunks. A whole answer is taken as a single one, with `message` in the place of `delta`."""

    def __init__(self) -> None:
        self.text = ""
        self.thought = ""  # what Mistral's models think stands in the content: https://docs.mistral.ai/capabilities/reasoning
        self.calls: list[ChatCall] = []
        self.reasoning: JSON = {}  # by the key under which the provider wrote it
        self.finish_reason = ""
        self.usage: JSON = {}
        self.done = False  # the provider said that nothing more comes
        self._by_index: dict[Any, ChatCall] = {}

    def add(self, chunk: Any) -> None:
        if not chunk:  # some send null or an empty list between two chunks
            return
        try:
            if chunk.get("usage"):  # in a stream it comes last and alone, or again and again: the last one counts
                self.usage = chunk["usage"]
            for choice in chunk.get("choices") or []:
                self.usage = choice.get("usage") or self.usage  # https://platform.moonshot.ai/docs/api/chat
                self.finish_reason = choice.get("finish_reason") or self.finish_reason
                self._add_delta(choice.get("message") or choice.get("delta") or {})
        except (AttributeError, TypeError) as error:
            raise Broken(f"the answer is not one of Chat Completions: {json.dumps(chunk)}") from error

    def check(self) -> None:
        """A stream that just ends was cut, however complete its text may look."""
        if not self.finish_reason and not self.done:
            raise Broken("the answer broke off")
        if self.finish_reason == "error":  # Mistral and OpenRouter say so without another word
            raise Broken("the provider ended its answer with an error")

    def _add_delta(self, delta: JSON) -> None:
        self._add_content(delta.get("content") or "")
        self.text += delta.get("refusal") or ""
        for key in ("reasoning_content", "reasoning"):
            if isinstance(delta.get(key), str):  # an empty reasoning is not the same as none
                self.reasoning[key] = self.reasoning.get(key, "") + delta[key]
        for block in delta.get("reasoning_details") or []:
            _add_block(self.reasoning.setdefault("reasoning_details", []), block)
        for fragment in delta.get("tool_calls") or []:
            self._add_fragment(fragment)

    def _add_content(self, content: Any) -> None:
        if isinstance(content, str):
            self.text += content
            return
        for part in content:
            self.text += part.get("text") or ""
            self.thought += "".join(piece.get("text") or "" for piece in part.get("thinking") or [])

    def _add_fragment(self, fragment: JSON) -> None:
        function = fragment.get("function") or {}
        name = function.get("name") or ""
        call = self._call_of(fragment.get("index"), fragment.get("id") or "", name)
        if name != call.name:  # it comes once, or in pieces, or whole in every fragment
            call.name += name
        call.arguments = _joined(call.arguments, function.get("arguments"))
        extra = fragment.get("extra_content")
        if isinstance(extra, dict) and "google" in extra:  # https://ai.google.dev/gemini-api/docs/thought-signatures
            call.extra = {"extra_content": extra}

    def _call_of(self, index: Any, id: str, name: str) -> ChatCall:
        """The call that a fragment belongs to: that of its index. Some providers send no index, or 0 for every call; their
        calls begin with an id of their own and a name."""
        last = self.calls[-1] if self.calls else None
        call = last if index is None else self._by_index.get(index)
        if call is not None and not (name and (id != call.id if id else index is None)):
            return call
        call = ChatCall(id or f"call_{uuid.uuid4().hex}")
        self.calls.append(call)
        self._by_index[index] = call
        return call


def _joined(arguments: str, fragment: Any) -> str:
    """Arguments come as pieces of a string. Seen too: an object, and `{}` in front of the real ones."""
    if fragment is None:
        return arguments
    if not isinstance(fragment, str):
        return exact.dumps(fragment)
    if arguments == "{}" and fragment.lstrip().startswith("{"):
        return fragment
    return arguments + fragment


def _add_block(blocks: list[JSON], piece: JSON) -> None:
    """Structured reasoning, https://openrouter.ai/docs/use-cases/reasoning-tokens: a piece continues the block before it
    when it has the same type and index, until that one is signed. Encrypted blocks are always whole."""
    last = blocks[-1] if blocks else {}
    same = all(last.get(key) == piece.get(key) for key in ("type", "index"))
    if not blocks or not same or "data" in piece or last.get("signature"):
        blocks.append(dict(piece))
        return
    for key, value in piece.items():
        text = key in ("text", "summary") and isinstance(last.get(key), str) and isinstance(value, str)
        last[key] = last[key] + value if text else value


def _readable(message: JSON) -> JSON:
    """A turn without its encrypted reasoning."""
    details = [block for block in message.get("reasoning_details", []) if "data" not in block]
    rest = {key: value for key, value in message.items() if key != "reasoning_details"}
    return rest | ({"reasoning_details": details} if details else {})

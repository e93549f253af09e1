"""A turn of the model, put together from one answer or from the chunks of a stream.

The format is that of https://platform.openai.com/docs/api-reference/chat and its streaming chapter. Where providers are
known to write it in another way, the code says so.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

JSON = dict[str, Any]


class Failed(Exception):
    """Asking the model gave no turn."""

    retriable = True  # whether another attempt may succeed
    retry_after = 0.0  # seconds, when the provider says how long to wait


class Broken(Failed):
    """The answer is not whole, or no answer at all, and nothing of it can be used."""


@dataclass
class Call:
    """A tool call. The arguments are JSON as the model wrote it, and stay so: what goes back is exactly that."""

    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: JSON = field(default_factory=dict)  # what a provider put beside them and wants back: Gemini's thought signature

    def echo(self, mended: bool = False) -> JSON:
        """The call as it goes back into the history, or with nothing in the place of arguments that are no JSON."""
        arguments = "{}" if mended and self.arguments and not is_json(self.arguments) else self.arguments
        function = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function} | self.extra


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@dataclass
class Turn:
    text: str = ""
    calls: list[Call] = field(default_factory=list)
    reasoning: JSON = field(default_factory=dict)  # by the key under which the provider wrote it
    finish_reason: str = ""
    usage: JSON = field(default_factory=dict)

    @property
    def cut_off(self) -> bool:
        return self.finish_reason in ("length", "content_filter")

    def message(self, with_reasoning: bool, mended: bool = False) -> JSON:
        """The turn as a message of the history: these keys and no others, since some providers refuse what they do not
        know. A content of null is refused by some and missing content beside calls by none, so it is left out."""
        message: JSON = {"role": "assistant"}
        if self.text or not self.calls:
            message["content"] = self.text
        if self.calls:
            message["tool_calls"] = [call.echo(mended) for call in self.calls]
        return message | self.reasoning if with_reasoning else message


class Assembly:
    """Collects chunks. A whole answer is taken as a single one, with `message` in the place of `delta`."""

    def __init__(self) -> None:
        self._turn = Turn()
        self._by_index: dict[Any, Call] = {}
        self._done = False

    def add(self, chunk: Any) -> None:
        try:
            if chunk.get("usage"):  # in a stream it comes last and alone, or again and again: the last one counts
                self._turn.usage = chunk["usage"]
            for choice in chunk.get("choices") or []:
                self._turn.usage = choice.get("usage") or self._turn.usage  # https://platform.moonshot.ai/docs/api/chat
                self._turn.finish_reason = choice.get("finish_reason") or self._turn.finish_reason
                self._add_delta(choice.get("message") or choice.get("delta") or {})
        except (AttributeError, TypeError) as error:
            raise Broken(f"the answer is not one of Chat Completions: {json.dumps(chunk)}") from error

    def done(self) -> None:
        """The provider said that nothing more comes."""
        self._done = True

    def turn(self) -> Turn:
        """The turn, if it is whole: a stream that just ends was cut, however complete its text may look."""
        if not self._turn.finish_reason and not self._done:
            raise Broken("the answer broke off")
        if self._turn.finish_reason == "error":  # Mistral and OpenRouter say so without another word
            raise Broken("the provider ended its answer with an error")
        return self._turn

    def _add_delta(self, delta: JSON) -> None:
        self._turn.text += (delta.get("content") or "") + (delta.get("refusal") or "")
        for key in ("reasoning_content", "reasoning"):
            if isinstance(delta.get(key), str):  # an empty reasoning is not the same as none
                self._turn.reasoning[key] = self._turn.reasoning.get(key, "") + delta[key]
        for block in delta.get("reasoning_details") or []:
            add_block(self._turn.reasoning.setdefault("reasoning_details", []), block)
        for fragment in delta.get("tool_calls") or []:
            self._add_fragment(fragment)

    def _add_fragment(self, fragment: JSON) -> None:
        function = fragment.get("function") or {}
        name = function.get("name") or ""
        call = self._call_of(fragment.get("index"), fragment.get("id") or "", name)
        if name != call.name:  # it comes once, or in pieces, or whole in every fragment
            call.name += name
        call.arguments = joined(call.arguments, function.get("arguments"))
        extra = fragment.get("extra_content")
        if isinstance(extra, dict) and "google" in extra:  # https://ai.google.dev/gemini-api/docs/thought-signatures
            call.extra = {"extra_content": extra}

    def _call_of(self, index: Any, id: str, name: str) -> Call:
        """The call that a fragment belongs to: that of its index. Some providers send no index, or 0 for every call; their
        calls begin with an id of their own and a name."""
        calls = self._turn.calls
        last = calls[-1] if calls else None
        call = last if index is None else self._by_index.get(index)
        if call is not None and not (name and (id != call.id if id else index is None)):
            return call
        call = Call(id or f"call_{uuid.uuid4().hex}")
        calls.append(call)
        self._by_index[index] = call
        return call


def joined(arguments: str, fragment: Any) -> str:
    """Arguments come as pieces of a string. Seen too: an object, and `{}` in front of the real ones."""
    if fragment is None:
        return arguments
    if not isinstance(fragment, str):
        return json.dumps(fragment)
    if arguments == "{}" and fragment.lstrip().startswith("{"):
        return fragment
    return arguments + fragment


def add_block(blocks: list[JSON], piece: JSON) -> None:
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

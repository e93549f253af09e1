"""Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages

A message is a list of blocks. Those of the model go back as they came, in their order, also when they mean nothing to us:
reasoning is signed, and the provider goes on from the work of its own tools.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import exact
from errors import Broken, decode
from tools import Tool
from turn import JSON, Call, Result, Turn, Usage

VERSION = "2023-06-01"

# Other reasons to stop leave half a turn behind, also such as are not known yet: max_tokens, refusal and
# model_context_window_exceeded. https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
WHOLE = {"end_turn", "stop_sequence", "tool_use", "pause_turn"}


# The key under which an input that is no JSON goes back.
BROKEN_INPUT = "INVALID_JSON"


@dataclass(frozen=True)
class Messages:
    thinking: JSON | None = None  # https://platform.claude.com/docs/en/build-with-claude/thinking
    max_tokens: int = 16_000
    compact_at: int = 0  # input tokens at which the provider makes the history shorter; 0: it does not

    def path(self, model: str) -> str:
        return "/v1/messages"

    def of_another(self, messages: list[JSON]) -> list[JSON]:
        """What the model cannot read of another one's thinking, the provider leaves out."""
        return messages

    def headers(self, key: str) -> dict[str, str]:
        betas = {"anthropic-beta": "compact-2026-01-12"} if self.compact_at else {}
        return {"x-api-key": key, "anthropic-version": VERSION, **betas}

    def request(self, model: str, system: str, messages: list[JSON], tools: list[Tool], stream: bool) -> JSON:
        request: JSON = {"model": model, "max_tokens": self.max_tokens, "messages": messages}
        if system:
            request["system"] = system
        if tools:
            request["tools"] = [_definition(tool) for tool in tools]
        if self.thinking:
            request["thinking"] = self.thinking
        if self.compact_at:  # https://platform.claude.com/docs/en/build-with-claude/compaction
            trigger = {"type": "input_tokens", "value": self.compact_at}
            request["context_management"] = {"edits": [{"type": "compact_20260112", "trigger": trigger}]}
        if stream:
            request["stream"] = True
        return request

    def prompt(self, text: str) -> JSON:
        return {"role": "user", "content": [{"type": "text", "text": text}]}

    def results(self, results: list[Result]) -> list[JSON]:
        """All of them in one message: who spreads them teaches the model to call one tool at a time."""
        return [{"role": "user", "content": [_result(result) for result in results]}]

    def read(self, pieces: Iterable[str]) -> Turn:
        reply = Reply()
        try:
            for piece in pieces:
                event = decode(piece) if piece.strip() else None
                if isinstance(event, dict):  # something on the way may keep the connection alive with null or []
                    reply.add(event)
                if reply.over:
                    return reply.turn()
        except (AttributeError, KeyError, TypeError) as error:
            raise Broken(f"the answer is not one of the Messages API: {error!r}") from error
        raise Broken("the answer broke off")


def _definition(tool: Tool) -> JSON:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _result(result: Result) -> JSON:
    block: JSON = {"type": "tool_result", "tool_use_id": result.call.id}
    if result.image:  # https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
        source = {"type": "base64", "media_type": result.image.media_type, "data": result.image.data}
        block["content"] = [{"type": "image", "source": source}]
    elif result.text.strip():  # empty text is refused, missing content is not
        block["content"] = result.text
    if result.failed:
        block["is_error"] = True
    return block


class Reply:
    """A message of the model, whole or growing by events: https://platform.claude.com/docs/en/build-with-claude/streaming

    Unknown events and deltas are skipped, as the documentation asks; unknown blocks are kept."""

    def __init__(self) -> None:
        self.over = False
        self._blocks: list[Block] = []
        self._by_index: dict[Any, Block] = {}  # the last one of an index, which need not be its position
        self._stop_reason = ""
        self._container: JSON = {}  # in which tools of the provider run
        self._usage: JSON = {}

    def add(self, event: JSON) -> None:
        match event["type"]:
            case "message":  # all at once
                self._start(event)
                self.over = True
            case "message_start":
                self._start(event["message"])
            case "content_block_start":
                self._begin(Block(event["content_block"]), event.get("index"))
            case "content_block_delta":
                self._by_index.get(event.get("index"), self._blocks[-1]).add(event.get("delta") or {})
            case "message_delta":
                delta = event.get("delta") or {}
                self._stop_reason = delta.get("stop_reason") or self._stop_reason
                self._container = delta.get("container") or self._container
                self._count(event.get("usage"))
            case "message_stop":
                self.over = True

    def turn(self) -> Turn:
        if not self._stop_reason:
            raise Broken("the answer ended without a reason")
        blocks = self._blocks
        text = "".join(block.fields["text"] for block in blocks if block.type == "text")
        reason, usage = self._stop_reason, _usage(self._usage)
        if reason not in WHOLE:
            return Turn(text, [], reason, [], cut_off=True, usage=usage)
        blocks = [block for block in blocks if not block.is_blank()]
        content = [block.whole() for block in blocks]
        calls = [block.call() for block in blocks if block.type == "tool_use"]
        paused = reason == "pause_turn" and bool(content)
        # https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling
        carry = {"container": self._container["id"]} if self._container else {}
        message = {"role": "assistant", "content": content}
        return Turn(text, calls, reason, [message], paused=paused, carry=carry, usage=usage)

    def _start(self, message: JSON) -> None:
        """Begin, or begin again: blocks of two messages are never mixed."""
        self._blocks, self._by_index = [], {}
        for index, block in enumerate(message.get("content") or []):
            self._begin(Block(block), index)
        self._stop_reason = message.get("stop_reason") or ""
        self._container = message.get("container") or {}
        self._usage = {}
        self._count(message.get("usage"))

    def _begin(self, block: Block, index: int | None) -> None:
        self._blocks.append(block)
        self._by_index[index] = block

    def _count(self, usage: JSON | None) -> None:
        """The counts are of the whole message so far: the last one of a kind counts."""
        self._usage |= {key: count for key, count in (usage or {}).items() if count is not None}


@dataclass
class Block:
    """A block of a message, as it began and as it grew."""

    fields: JSON
    partial_json: str = ""  # the input of a tool, which is JSON only when it is whole
    citations: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        """A call has an id, by which its result is told from others, and an input that is an object."""
        if self.type == "tool_use":
            call_id = self.fields.get("id") or "toolu_" + uuid.uuid4().hex[:24]
            self.fields = self.fields | {"id": call_id, "input": self.fields.get("input") or {}}

    @property
    def type(self) -> str:
        return str(self.fields["type"])

    def add(self, delta: JSON) -> None:
        match delta.get("type"):
            case "text_delta":
                self._append("text", delta["text"])
            case "thinking_delta":
                self._append("thinking", delta["thinking"])
            case "signature_delta":
                self.fields["signature"] = delta["signature"]
            case "citations_delta":
                self.citations.append(delta["citation"])
            case "compaction_delta":  # what stands for all before it, whole
                self.fields["content"] = delta["content"]
            case "input_json_delta":
                self.partial_json += delta["partial_json"]

    def whole(self) -> JSON:
        block = copy.copy(self.fields)
        if self.partial_json.strip():  # otherwise the empty input stands with which the block began
            block["input"] = self._input()
        if self.citations:
            block["citations"] = (block.get("citations") or []) + self.citations
        return block

    def call(self) -> Call:
        """The arguments are as the model wrote them: tools.py says what is wrong with those that are no JSON."""
        block = self.whole()
        broken = BROKEN_INPUT in block["input"]
        return Call(block["id"], block["name"], self.partial_json if broken else exact.dumps(block["input"]))

    def _input(self) -> Any:
        """An input has to be an object. One that is no JSON goes back within one:
        https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming"""
        try:
            return exact.loads(self.partial_json) or {}  # null stands for no arguments
        except ValueError:
            return {BROKEN_INPUT: self.partial_json}

    def is_blank(self) -> bool:
        """Whether it is a text that says nothing, the one thing that is refused when it goes back as it came."""
        return self.type == "text" and not self.fields["text"].strip()

    def _append(self, key: str, text: str) -> None:
        self.fields[key] = self.fields.get(key, "") + text


def _usage(usage: JSON) -> Usage:
    """What was read from a cache or written to one is input, too, and counted apart."""
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(sum(usage.get(key, 0) for key in read), usage.get("output_tokens", 0))

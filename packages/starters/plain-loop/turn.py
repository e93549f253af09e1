"""What passes between the loop and the model, in no wire API's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

JSON = dict[str, Any]


@dataclass
class Call:
    """A tool call. The arguments are JSON as the model wrote it."""

    id: str = ""
    name: str = ""
    arguments: str = ""
    free_text: bool = False  # the arguments are a text of any form, and not JSON


@dataclass(frozen=True)
class Question:
    """The provider asks whether it may call a tool of its own."""

    tool: str
    answer: Callable[[bool], JSON]  # the message that says so


@dataclass(frozen=True)
class Image:
    """What a tool returns that shows something. The data is in base64, as all wire APIs want it."""

    media_type: str
    data: str


@dataclass(frozen=True)
class Result:
    """What a call came to: what the tool returned, or why there is nothing."""

    call: Call
    text: str
    failed: bool = False
    image: Image | None = None  # beside the text, which speaks of it


@dataclass
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Turn:
    """A whole turn of the model."""

    text: str
    calls: list[Call]
    finish_reason: str  # in the words of the provider
    messages: list[JSON]  # the turn as it goes back into the history
    cut_off: bool = False  # it is half a turn, and its calls may be half calls
    paused: bool = False  # the provider goes on with it when it gets it back
    carry: JSON = field(default_factory=dict)  # keys that the requests behind it have besides
    questions: list[Question] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

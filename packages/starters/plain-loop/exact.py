"""JSON that is written again as it was read: 1.0 stays 1.0, and no digit of a number gets lost."""

from __future__ import annotations

import json
from typing import Any


class Spelled(float):
    """A number that remembers how it was spelled."""

    def __new__(cls, spelling: str) -> Spelled:
        number = super().__new__(cls, spelling)
        number.spelling = spelling
        return number

    spelling: str


def loads(text: str | bytes, **how: Any) -> Any:
    return json.loads(text, parse_float=Spelled, **how)


def dumps(value: Any) -> str:
    """Like json.dumps, whose way of writing numbers cannot be changed."""
    if isinstance(value, Spelled):
        return value.spelling
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    return json.dumps(value)

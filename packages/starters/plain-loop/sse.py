"""Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO


def events(stream: BinaryIO) -> Iterator[str]:
    """Yield the data of each event as soon as it is there.

    The text layer of the standard library does the hard half: characters that arrive in two pieces, a byte order mark,
    and line ends of all three kinds. What stands behind the last empty line is no event, and is dropped.
    """
    data: list[str] = []
    for line in io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace"):
        line = line.removesuffix("\n")
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
        # Comments (an empty field) keep the connection alive; the other fields say nothing in this API.

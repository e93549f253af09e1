"""Asks for a turn of the model over HTTP, and asks again when that may help."""

from __future__ import annotations

import http.client
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import exact
from errors import Broken, Failed, refusal
from sse import events
from tools import Tool
from transport import Abort, post
from turn import JSON, Result, Turn


class API(Protocol):
    """A wire API: how a conversation is written in it, and how turns are read."""

    def path(self, model: str) -> str:
        """Behind the base URL that the API's official SDK takes."""

    def of_another(self, messages: list[JSON]) -> list[JSON]:
        """A turn of one model, as it goes to another one."""

    def headers(self, key: str) -> dict[str, str]: ...
    def request(self, model: str, system: str, messages: list[JSON], tools: list[Tool], stream: bool) -> JSON: ...
    def prompt(self, text: str) -> JSON:
        """What the user says, as a message."""

    def results(self, results: list[Result]) -> list[JSON]:
        """The messages that answer all calls of a turn."""

    def read(self, pieces: Iterable[str]) -> Turn:
        """The turn, from the data of the events of a stream, or from one piece that is all of it."""


@dataclass
class Client:
    """client = Client(Chat(), "https://api.openai.com/v1", key, "gpt-5")"""

    api: API
    base_url: str
    api_key: str
    model: str
    stream: bool = True
    attempts: int = 3
    backoff: float = 0.5  # seconds before the second attempt, doubled for each further one
    timeout: float = 60.0  # seconds without a sign of life

    def complete(self, system: str, messages: list[JSON], tools: list[Tool], abort: Abort, carried: JSON) -> Turn:
        """Asking has no effect on the world, so an attempt that failed is made again; nothing of it is kept."""
        request = self.api.request(self.model, system, messages, tools, self.stream) | carried
        body = exact.dumps(request).encode()
        for attempt in range(1, self.attempts + 1):
            abort.check()
            try:
                return self._attempt(body, abort)
            except Failed as error:
                if attempt == self.attempts or not error.retriable:
                    raise
                pause = self.backoff * 2 ** (attempt - 1) * random.uniform(0.75, 1)
                abort.wait(max(pause, error.retry_after))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def size(self, system: str, messages: list[JSON], tools: list[Tool]) -> int:
        """How many bytes a request has."""
        return len(exact.dumps(self.api.request(self.model, system, messages, tools, self.stream)).encode())

    def _attempt(self, body: bytes, abort: Abort) -> Turn:
        url = self.base_url.rstrip("/") + self.api.path(self.model)
        try:
            with post(url, body, self.api.headers(self.api_key), timeout=self.timeout, abort=abort) as response:
                if response.status != 200:
                    raise refusal(response)
                # Some answer whole though a stream was asked for.
                streamed = response.headers.get_content_type() == "text/event-stream"
                return self.api.read(events(response) if streamed else [response.read().decode("utf-8", "replace")])
        except (OSError, http.client.HTTPException) as error:
            raise Broken(f"the connection to the provider broke: {error or type(error).__name__}") from error

"""A client of the Chat Completions API: asks for a turn of the model, and asks again when that may help."""

from __future__ import annotations

import http.client
import json
import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from sse import events
from transport import Abort, post
from turn import JSON, Assembly, Broken, Failed, Turn

RETRIABLE = {408, 409, 429, 500, 502, 503, 504, 529}  # https://platform.openai.com/docs/guides/error-codes
LONGEST_WAIT = 60.0  # seconds; a provider that asks for more has refused


class Refused(Failed):
    """The provider answered with an error."""

    def __init__(
        self, message: str, status: int = 0, code: str = "", retry_after: float = 0.0, told: str | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        # A quota that is used up is refused with 429, like a limit that passes. What the server says weighs more.
        self.retriable = told == "true" or (told != "false" and status in RETRIABLE and code != "insufficient_quota")
        if retry_after > LONGEST_WAIT:
            self.retriable = False


@dataclass
class Client:
    """client = Client("https://api.openai.com/v1", key, "gpt-5")"""

    base_url: str
    api_key: str
    model: str
    stream: bool = True
    attempts: int = 3
    backoff: float = 0.5  # seconds before the second attempt, doubled for each further one
    timeout: float = 60.0  # seconds without a sign of life

    def complete(self, messages: list[JSON], tools: list[JSON], abort: Abort) -> Turn:
        """Asking has no effect on the world, so an attempt that failed is made again; nothing of it is kept."""
        body = json.dumps(self._request(messages, tools)).encode()
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

    def _request(self, messages: list[JSON], tools: list[JSON]) -> JSON:
        request: JSON = {"model": self.model, "messages": messages}
        if tools:  # an empty list is refused by some
            request["tools"] = tools
        if self.stream:
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        return request

    def _attempt(self, body: bytes, abort: Abort) -> Turn:
        url = self.base_url.rstrip("/") + "/chat/completions"
        headers = {"Authorization": "Bearer " + self.api_key}
        try:
            with post(url, body, headers, timeout=self.timeout, abort=abort) as response:
                if response.status != 200:
                    raise _refusal(response)
                # Some answer whole though a stream was asked for.
                streamed = response.headers.get_content_type() == "text/event-stream"
                return _read_stream(response) if streamed else _read_whole(response)
        except (OSError, http.client.HTTPException) as error:
            raise Broken(f"the connection to the provider broke: {error or type(error).__name__}") from error


def _read_whole(response: http.client.HTTPResponse) -> Turn:
    assembly = Assembly()
    assembly.add(_decode(response.read()))
    return assembly.turn()


def _read_stream(response: http.client.HTTPResponse) -> Turn:
    assembly = Assembly()
    for data in events(response):
        if data.strip() == "[DONE]":
            assembly.done()
            break
        if data.strip():  # some keep the connection alive with nothing
            assembly.add(_decode(data))
    return assembly.turn()


def _decode(data: str | bytes) -> Any:
    try:
        answer = json.loads(data)
    except ValueError as error:
        raise Broken(f"the answer is not JSON: {error}") from error
    if isinstance(answer, dict) and (answer.get("error") or answer.get("object") == "error"):
        message, code = _why(answer)  # an error may come after the status 200, when it is too late for another
        raise Refused(f"the provider reported an error: {message}", int(code) if code.isdigit() else 500, code)
    return answer


def _refusal(response: http.client.HTTPResponse) -> Refused:
    text = response.read().decode("utf-8", "replace")
    try:
        message, code = _why(json.loads(text))
    except ValueError:
        message, code = text, ""
    message = f"the provider answered {response.status}: {message or response.reason}"
    told = response.headers.get("x-should-retry")
    return Refused(message, response.status, code, _retry_after(response.headers), told)


def _why(envelope: Any) -> tuple[str, str]:
    """The message and the code of an error. OpenAI's envelope is an object under `error`; others put a text there, or the
    same keys at the top, or all of it into a list."""
    if isinstance(envelope, list) and envelope:
        return _why(envelope[0])
    if not isinstance(envelope, dict):
        return str(envelope), ""
    error = envelope.get("error") or envelope
    if not isinstance(error, dict):
        return str(error), ""
    message = error.get("message") or error.get("detail") or json.dumps(envelope)
    words = [message, (error.get("metadata") or {}).get("raw")]  # a router's words, and those of the provider behind it
    text = ": ".join(word if isinstance(word, str) else json.dumps(word) for word in words if word)
    return text, str(error.get("code") or "")


def _retry_after(headers: http.client.HTTPMessage) -> float:
    """How long the provider asks to wait: in milliseconds, in seconds, or until a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(name, "")) * unit)
        except ValueError:
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0

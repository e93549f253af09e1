"""How asking the model fails, and what providers say about it."""

from __future__ import annotations

import http.client
import json
import time
from email.utils import parsedate_to_datetime
from typing import Any

import exact

# https://platform.openai.com/docs/guides/error-codes and https://platform.claude.com/docs/en/api/errors
RETRIABLE = {408, 409, 429, 500, 502, 503, 504, 529}
LONGEST_WAIT = 60.0  # seconds; a provider that asks for more has refused

# Types of errors that come after the status 200 though asking again cannot help.
FINAL = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413,
    "invalid_prompt": 400, "context_length_exceeded": 400,
}  # fmt: skip


class Failed(Exception):
    """Asking the model gave no turn."""

    retriable = True  # whether another attempt may succeed
    retry_after = 0.0  # seconds, when the provider says how long to wait


class Broken(Failed):
    """The answer is not whole, or no answer at all, and nothing of it can be used."""


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


def decode(data: str) -> Any:
    """An answer, or an event of one. It may be an error, too, when it was too late for another status than 200."""
    try:
        answer = exact.loads(data)
    except ValueError as error:
        raise Broken(f"the answer is not JSON: {error}") from error
    if isinstance(answer, dict) and (answer.get("error") or answer.get("object") == "error"):
        raise reported(answer)
    return answer


def reported(envelope: Any) -> Refused:
    """An error that came after the status 200."""
    message, code = _why(envelope)
    status = int(code) if code.isdigit() else FINAL.get(code, 500)
    return Refused(f"the provider reported an error: {message}", status, code)


def refusal(response: http.client.HTTPResponse) -> Refused:
    text = response.read().decode("utf-8", "replace")
    try:
        message, code = _why(json.loads(text))
    except ValueError:  # what stands in front of a provider has its own words
        message, code = text, ""
    message = f"the provider answered {response.status}: {message or response.reason}"
    told = response.headers.get("x-should-retry")
    return Refused(message, response.status, code, max(_retry_after(response.headers), _retry_delay(text)), told)


def _why(envelope: Any) -> tuple[str, str]:
    """The message of an error, and its code or type. The envelope of most is an object under `error`; others put a text
    there, or the same keys at the top, or all of it into a list."""
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
    return text, str(error.get("code") or error.get("type") or "")


def _retry_delay(body: str) -> float:
    """How long Google asks to wait: in a RetryInfo among the details of the error."""
    try:
        details = json.loads(body)["error"]["details"]
        delays = [each["retryDelay"] for each in details if each.get("@type", "").endswith("google.rpc.RetryInfo")]
        return max([0.0, *(float(delay.removesuffix("s")) for delay in delays)])
    except (ValueError, LookupError, TypeError, AttributeError):
        return 0.0


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

"""One HTTP request at a time, and a way to give it up from another thread."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from urllib.parse import urljoin, urlsplit

REDIRECTS = 3


class Cancelled(Exception):
    """The caller gave the conversation up."""


class Abort:
    """Gives up what it watches over: waits end, and requests under way are cut off.

    abort = Abort()
    threading.Timer(10, abort.abort).start()
    conversation.say("Count the files.", abort)  # raises Cancelled after ten seconds
    """

    def __init__(self) -> None:
        self._aborted = threading.Event()
        self._changing = threading.Lock()
        self._open: set[socket.socket] = set()

    def abort(self) -> None:
        with self._changing:
            self._aborted.set()
            for connection in self._open:
                _cut_off(connection)

    def check(self) -> None:
        if self._aborted.is_set():
            raise Cancelled("the conversation was cancelled")

    def wait(self, seconds: float) -> None:
        """Sleep, unless there is nothing to wait for any more."""
        self._aborted.wait(seconds)
        self.check()

    @contextmanager
    def watching(self, connection: socket.socket) -> Iterator[None]:
        with self._changing:
            self._open.add(connection)
            if self._aborted.is_set():
                _cut_off(connection)
        try:
            yield
        except (OSError, http.client.HTTPException):
            self.check()  # it broke because it was cut off
            raise
        finally:
            with self._changing:
                self._open.discard(connection)
        self.check()


def _cut_off(connection: socket.socket) -> None:
    with suppress(OSError):  # the other side may have been faster
        connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def post(
    url: str, body: bytes, headers: Mapping[str, str], *, timeout: float, abort: Abort
) -> Iterator[http.client.HTTPResponse]:
    """POST some JSON. The timeout is for each wait for the other side, not for the whole answer."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=timeout)
    try:
        connection.connect()
        with abort.watching(connection.sock):
            target = parts.path + ("?" + parts.query if parts.query else "")
            for _ in range(REDIRECTS):
                connection.request("POST", target, body, {"Content-Type": "application/json", **headers})
                response = connection.getresponse()
                moved = _moved(url, response)
                if not moved:
                    break
                response.read()
                target = moved
            yield response
    finally:
        connection.close()


def _moved(url: str, response: http.client.HTTPResponse) -> str:
    """Where the request is to be made again as it was, if that is at the same host: our key is for nobody else."""
    old, new = urlsplit(url), urlsplit(urljoin(url, response.headers.get("location", "")))
    same = (old.scheme, old.netloc) == (new.scheme, new.netloc)
    return new.path + ("?" + new.query if new.query else "") if response.status in (307, 308) and same else ""

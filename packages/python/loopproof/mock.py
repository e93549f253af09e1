"""Runs the mock provider for tests: a server in a process of its own, and a run for each test. The pytest plugin uses it.

    with Server(scenarios=["scripts"]) as server:
        run = server.new_run()
        client = openai.OpenAI(base_url=run.base_url, api_key=run.api_key)
        ...
        run.assert_request(tool="get_weather", result="4 C", count=1)
        run.check()
"""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from loopproof._binary import find_binary



class Violation(AssertionError):
    """The application sent what a real provider refuses; the message has the rule, the place and the source."""


@dataclass(frozen=True)
class Verdict:
    """What is wrong with the requests of a run."""

    passed: bool
    message: str  # each broken rule and each request without an answer; empty when nothing was found
    requests: int
    broken: dict[str, str]  # the level of each broken rule
    reason: str  # why the test fails, in a line; empty when it passed

    def failure(self) -> str:
        """Return what a failed test says."""
        return f"{self.reason}\n\n{self.message}"


class Server:
    """A mock provider. It ends with close, and also when this process ends or is killed."""

    def __init__(
        self,
        scenarios: Iterable[str | Path] = (),
        profiles: Iterable[str] = (),
        args: Iterable[str] = (),
        cwd: str | Path | None = None,
    ) -> None:
        command = [find_binary(), "serve", "--addr", "127.0.0.1:0", "--exit-with-stdin"]
        for scenario in scenarios:
            command += ["--scenario", str(scenario)]
        for profile in profiles:
            command += ["--profile", profile]
        command += args
        self._log: IO[bytes] = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            raise RuntimeError(f"the mock provider did not start: {subprocess.list2cmdline(command)}\n{self.log()}")
        ready = json.loads(line)
        self.base_url: str = ready["base_url"]
        self.page_url: str = ready["page_url"]

    def log(self) -> str:
        """Return what the server has written to standard error."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def new_run(
        self,
        *,
        name: str = "run",
        scripts: Iterable[Path | str | Mapping[str, Any]] = (),
        behaviour: Mapping[str, Any] | None = None,
        profile: str | None = None,
        lenient: bool = False,
    ) -> Run:
        """Begin a run, which has its own journal and verdict. Scripts are files, texts or mappings; without any, those of
        the server are played. The name, such as that of a test, is what the journal shows."""
        run_id = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:50] + "-" + secrets.token_hex(3)
        wanted: dict[str, Any] = {"id": run_id, "lenient": lenient}
        if texts := [_text(script) for script in scripts]:
            wanted["scripts"] = texts
        if behaviour:
            wanted["behaviour"] = dict(behaviour)
        if profile:
            wanted["profile"] = profile
        made = self._call("POST", "/runs", wanted)
        return Run(self, made["id"], made["base_url"], made["api_key"], made["environment"])

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        __tracebackhide__ = True
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base_url}/loopproof{path}", data, method=method)
        try:
            with _direct.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            told = json.load(error)
            if error.code == 409 and "holds" in told:
                return told
            raise ValueError(told["error"]["message"]) from None


_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the server is on this machine


@dataclass(frozen=True)
class Run:
    """What one test asks of the model. It sees nothing of other tests."""

    server: Server = field(repr=False)
    id: str
    base_url: str  # what the official SDK takes
    api_key: str
    environment: dict[str, str] = field(repr=False)  # what SDKs read: OPENAI_BASE_URL, OPENAI_API_KEY, ...

    def requests(self, **filters: Any) -> list[dict[str, Any]]:
        """Return the requests that fit all filters: user, tool, result, answer, called, contains, status, rule, ...
        https://github.com/loopproof/loopproof/blob/main/docs/journal.md has all."""
        query = urllib.parse.urlencode({"run": self.id, "limit": 0, **filters})
        found: list[dict[str, Any]] = self.server._call("GET", f"/requests?{query}")["requests"]
        return found

    def assert_request(self, **expectation: Any) -> None:
        """Fail unless there is a request that fits all filters, or as many as count, at_least or at_most say. With
        within="5s" wait for it."""
        __tracebackhide__ = True
        query = urllib.parse.urlencode({"run": self.id, **expectation})
        _expect(self.server._call("GET", f"/assert?{query}"))

    def assert_in_order(self, *filters: Mapping[str, Any], within: str | None = None) -> None:
        """Fail unless there is a request for each of the filters, every one later than the one before."""
        __tracebackhide__ = True
        wanted = {"run": self.id, "in_order": list(filters), **({"within": within} if within else {})}
        _expect(self.server._call("POST", "/assert", wanted))

    def verdict(self) -> Verdict:
        """Return what is wrong with the requests so far."""
        told = self.server._call("GET", f"/runs/{self.id}/verdict")
        broken = {rule["rule"]: rule["level"] for rule in told["broken"]}
        return Verdict(told["passed"], told["message"].rstrip(), told["sum"]["requests"], broken, told["failure"])

    def check(self) -> None:
        """Fail if a real provider would have refused a request."""
        __tracebackhide__ = True
        verdict = self.verdict()
        if not verdict.passed:
            raise Violation(verdict.failure())

    def end(self) -> None:
        """Forget the run."""
        self.server._call("DELETE", f"/runs/{self.id}")


def _expect(outcome: dict[str, Any]) -> None:
    __tracebackhide__ = True
    if not outcome["holds"]:
        raise AssertionError(outcome["message"])


def _text(script: Path | str | Mapping[str, Any]) -> str:
    if isinstance(script, Path):
        return script.read_text(encoding="utf-8")
    if isinstance(script, str):
        return script
    return json.dumps({"loopproof": 1, "title": "script of a test", **script})

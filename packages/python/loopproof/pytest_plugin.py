"""The pytest plugin: the fixture `loopproof` is a run of a mock provider for the test alone. A test in which a real
provider would have refused a request fails, and the end of the session says what was found."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from loopproof.mock import Run, Server

_MARK = "loopproof"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("loopproof_scenarios", "the scenarios and scripts of the mock provider: files, folders or ids", "linelist")
    parser.addini("loopproof_args", "further flags of loopproof serve, such as --profile anthropic", "args")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Summary(), "loopproof-summary")
    config.addinivalue_line(
        "markers",
        f"{_MARK}(scripts, behaviour, profile, lenient, may_violate): how the mock provider behaves in this test; "
        "with may_violate=True a request that a real provider refuses does not fail the test",
    )


@pytest.fixture(scope="session")
def loopproof_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """The mock provider of the session; with pytest-xdist, of each of its processes."""
    folder = pytestconfig.inipath.parent if pytestconfig.inipath else pytestconfig.rootpath
    with Server(pytestconfig.getini("loopproof_scenarios"), args=pytestconfig.getini("loopproof_args"), cwd=folder) as server:
        yield server


@pytest.fixture
def loopproof(loopproof_server: Server, request: pytest.FixtureRequest) -> Iterator[Run]:
    """A run of the mock provider for this test: base_url and api_key for a client, and assertions about its requests."""
    options = {name: value for name, value in _options(request.node).items() if name != "may_violate"}
    run = loopproof_server.new_run(name=request.node.name, **options)
    yield run
    run.end()


@pytest.fixture
def loopproof_environment(loopproof: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same, with OPENAI_BASE_URL, OPENAI_API_KEY and the like set for an application that makes its own client."""
    for name, value in loopproof.environment.items():
        monkeypatch.setenv(name, value)
    return loopproof


def _options(item: pytest.Item) -> dict[str, Any]:
    """Return the arguments of the marks of a test; those nearer to it win."""
    options: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers(_MARK))):
        options |= mark.kwargs
    return options


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Judge a test after its last line, so that it fails itself, and not its teardown."""
    failed = True
    try:
        result = yield
        failed = False
    finally:
        run = getattr(item, "funcargs", {}).get("loopproof")
        verdict = run.verdict() if isinstance(run, Run) else None
        if verdict:
            found = {"requests": verdict.requests, "broken": verdict.broken}
            item.user_properties.append(("loopproof", json.dumps(found)))
            if failed and verdict.message:
                item.add_report_section("call", "loopproof", verdict.message)
    if verdict and not verdict.passed and not _options(item).get("may_violate"):
        pytest.fail(verdict.failure(), pytrace=False)
    return result


class _Summary:
    """What the tests of all processes found, for the end of the session."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}  # by test

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            for name, value in report.user_properties:
                if name == "loopproof":
                    self.found[report.nodeid] = json.loads(str(value))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.found:
            return
        terminalreporter.section("loopproof")
        requests = sum(found["requests"] for found in self.found.values())
        silent = sum(not found["requests"] for found in self.found.values())
        line = f"{_count(requests, 'request')} in {_count(len(self.found), 'test')}"
        terminalreporter.line(line + (f"; {_count(silent, 'test')} without a request" if silent else ""))
        tests: dict[tuple[str, str], list[str]] = {}  # by level and rule
        for test, found in self.found.items():
            for rule, level in found["broken"].items():
                tests.setdefault((level, rule), []).append(test)
        for level, rule in sorted(tests, key=lambda broken: (_LEVELS.index(broken[0]), broken[1])):
            where = tests[level, rule]
            terminalreporter.line(f"{level:6}  {rule}  in {where[0]}" + (f", and {len(where) - 1} more" if where[1:] else ""))
        if not tests:
            terminalreporter.line("no rule is broken")


_LEVELS = ["must", "should", "info"]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")

"""Tests of the pytest plugin: sessions of pytest with applications that are wrong."""

import os
import signal
import subprocess
import sys
import time

import pytest

APPLICATION = """
import json, os, urllib.request, urllib.error
import pytest

def ask(run, *messages):
    body = json.dumps({"model": "gpt-5", "messages": messages}).encode()
    request = urllib.request.Request(run.base_url + "/chat/completions", body, {"Authorization": "Bearer " + run.api_key})
    try:
        return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return error.code

HELLO = {"role": "user", "content": "Hello?"}
ORPHAN = {"role": "tool", "tool_call_id": "none", "content": "4 C"}
SCRIPT = {"model": [{"text": "Good day."}]}
pytestmark = pytest.mark.loopproof(scripts=[SCRIPT])
"""


@pytest.fixture
def session(pytester):
    """Run pytest, in a process of its own, on some tests of an application."""

    def run(tests, *args):
        pytester.makepyfile(APPLICATION + tests)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *args)

    return run


TESTS = """
def test_right(loopproof):
    assert ask(loopproof, HELLO) == "Good day."
    loopproof.assert_request(user="Hello", answer="Good", count=1)
    loopproof.assert_in_order({"user": "Hello"})
    assert [request["number"] for request in loopproof.requests(user="Hello")] == [1]

def test_orphan(loopproof):
    assert ask(loopproof, HELLO, ORPHAN) == 400

def test_silent(loopproof):
    pass

def test_no_mock():
    pass
"""


@pytest.mark.parametrize("processes", [(), ("-n", "2")])
def test_violation_fails_the_test(session, processes):
    if processes:
        pytest.importorskip("xdist")
    result = session(TESTS, *processes)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines([
        "*a real provider refuses what was sent: pairing/no-orphan-result",
        "FAIL  pairing/no-orphan-result  must",
        "*request 1  /messages/1*",
        "*provider  OpenAI (openai) answers 400*",
        "*source  http*",
        "*2 requests in 3 tests; 1 test without a request",
        "must    pairing/no-orphan-result  in *::test_orphan",
    ])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_request_without_an_answer_fails_the_test(session):
    result = session("""
@pytest.mark.loopproof(scripts=[{"model": [{"when": {"user": "Sing."}, "text": "La."}]}])
def test_unanswered(loopproof):
    assert ask(loopproof, HELLO) == 404
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*1 request got no answer from the scripts",
        "*got a 404: no script answers it: the user said*",
        '*step 1 (line *): user: * is not "Sing."',
    ])


def test_assertions_say_what_came(session):
    result = session("""
def test_count(loopproof):
    ask(loopproof, HELLO)
    loopproof.assert_request(user="Hello", count=2)

def test_misspelt(loopproof):
    loopproof.assert_request(usr="Hello")
""")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["E *expected 2 requests with*", "E *these came:*", "E *Hello?*", '*no parameter "usr" (did you mean "user"?)*'])
    result.stdout.no_fnmatch_line("*mock.py*")


def test_marks(session):
    session("""
@pytest.mark.loopproof(may_violate=True)
def test_may_violate(loopproof):
    assert ask(loopproof, ORPHAN) == 400

@pytest.mark.loopproof(lenient=True)
def test_lenient(loopproof):
    assert ask(loopproof, HELLO, ORPHAN) == "Good day."

@pytest.mark.loopproof(behaviour={"faults": [{"status": 503}]})
def test_faults(loopproof):
    assert ask(loopproof, HELLO) == 503

def test_environment(loopproof_environment):
    assert os.environ["OPENAI_BASE_URL"] == loopproof_environment.base_url
    assert os.environ["OPENAI_API_KEY"] == loopproof_environment.api_key
""").assert_outcomes(passed=4)


def test_a_failed_test_shows_the_violation_too(session):
    result = session("""
def test_orphan(loopproof):
    assert ask(loopproof, HELLO, ORPHAN) == "Good day."
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *assert 400 == 'Good day.'*", "FAIL  pairing/no-orphan-result  must"])


def test_server_that_does_not_start(pytester, session):
    pytester.makeini("[pytest]\nloopproof_scenarios = pairing/singl-call")
    result = session("def test_it(loopproof): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['*the mock provider did not start*', '*did you mean "pairing/single-call"*'])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_the_server_ends_when_the_tests_are_killed():
    program = "from loopproof import Server; print(Server()._process.pid, flush=True); input()"
    tests = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    server = int(tests.stdout.readline())
    tests.send_signal(signal.SIGKILL)
    tests.wait()
    deadline = time.monotonic() + 10
    while _runs(server):
        assert time.monotonic() < deadline, "the server still runs"
        time.sleep(0.05)


def _runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") if os.path.exists(f"/proc/{pid}/stat") else open(os.devnull) as stat:
        return " Z " not in stat.read()  # in a container without an init, what has ended may stay a zombie

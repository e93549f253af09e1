"""The half of an adapter that is the same for every loop in Python; standard library only, to be copied.

    from loopproof_adapter import Task, completed, serve

    def run(task: Task) -> dict:
        agent = Agent(task.system, tools=[...], base_url=task.base_url, api_key=task.api_key)
        for prompt in task.prompts:
            answer = agent.ask(prompt)
        return completed(answer.text)

    serve(run, name="my agent", features=["multi-prompt"])

`run` may be a coroutine function: then a cancelled task is a cancelled asyncio task. Where only a prompt is cancelled,
`await task.of_prompt(agent.ask(prompt))` returns NO_ANSWER, and the next prompt follows; so it does where a prompt fails
and the task resumes after a failure. A plain function runs in a thread of its own, and can look at `task.cancelled` and
`task.resume_after_failure`.

What `run` raises is what the loop raised, and is reported as a failure of the run, whatever it is: also SystemExit and
StopIteration, which no future carries. So is a result that is no outcome. Import this module first: from then on, everything
that is printed goes to standard error, since standard output is for the protocol.
"""

from __future__ import annotations

import asyncio
import email
import inspect
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

protocol, sys.stdout = sys.stdout, sys.stderr

_writing = threading.Lock()

JSON = dict[str, Any]
NO_ANSWER = object()  # of_prompt returns it for a prompt behind which the user goes on without an answer


class ToolFailed(Exception):
    """The tool failed; the message says why, and is meant for the model."""


@dataclass(frozen=True)
class Image:
    """What a tool returned to a loop that claims images."""

    media_type: str
    data: bytes


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: JSON  # JSON Schema
    url: str
    needs_approval: bool = False  # of the user, before each call; only for loops that claim tool-approvals
    programmatic: bool = False  # code of the provider may call it; only for loops that claim programmatic-tools
    agent: Agent | None = None  # the sub-agent that answers calls, instead of the URL; only for loops that claim sub-agents

    async def call(self, arguments: JSON, call_id: str = "") -> Any:
        """Run the tool with the arguments that the loop hands to its tools, as a value and not as JSON text, and the id of the
        call where the loop tells it.
        Returns a text, or an Image where the loop claims images; raises ToolFailed."""
        return _result(*await _post(self.url, json.dumps(arguments).encode(), call_id))

    def run(self, arguments: JSON, call_id: str = "", timeout: float | None = None) -> Any:
        """The same for a loop without asyncio. The timeout is in seconds."""
        headers = {"Content-Type": "application/json", **({"X-Tool-Call-Id": call_id} if call_id else {})}
        request = Request(self.url, json.dumps(arguments).encode(), headers)
        try:
            with urlopen(request, timeout=timeout) as answer:
                return _result(answer.status, answer.headers.get("Content-Type", ""), answer.read())
        except HTTPError as error:
            return _result(error.code, "", error.read())


@dataclass(frozen=True)
class Agent:
    """A sub-agent. Each call begins a conversation with it, whose last answer is the result of the call."""

    system: str
    tools: list[Tool]
    max_turns: int  # of each conversation


def _tool(line: JSON) -> Tool:
    agent = line.get("agent")
    if agent is not None:
        agent = Agent(agent["system"], [_tool(tool) for tool in agent["tools"]], agent["max_turns"])
    flags = {flag: line.get(flag, False) for flag in ("needs_approval", "programmatic")}
    return Tool(line["name"], line["description"], line["parameters"], line.get("url", ""), **flags, agent=agent)


@dataclass(frozen=True)
class PendingCall:
    """A call about which the user is asked."""

    name: str
    arguments: JSON | str  # as a value, or as the JSON that the model wrote
    call_id: str = ""  # where the loop tells it


@dataclass(frozen=True)
class Decision:
    """What the user has decided about a call."""

    approve: bool
    reason: str = ""  # why not, meant for the model
    arguments: JSON | None = None  # to run the call with instead of its own


@dataclass(frozen=True)
class Session:
    """A conversation that outlives its process, which is killed and started again with the same session and prompts."""

    id: str
    dir: str  # for what the loop stores, which survives
    resumed: bool = False  # the process was killed during an earlier task of this session


@dataclass
class _Asking:
    """What is being done for a prompt, and whether the user has taken the prompt back."""

    questions: dict[str, Future[list[Decision]]] = field(default_factory=dict)  # to the user, whether calls may be run

    work: asyncio.Task[Any] | None = None
    taken_back: bool = False
    prompts: int = 0  # asked so far
    cancelled: bool = False  # the user cancelled the task, or the prompt at which it was

    said: SimpleQueue[str] = field(default_factory=SimpleQueue)  # while tools ran

    def decide(self, message: JSON) -> None:
        answer = self.questions.get(message.get("approval", ""))
        if answer is not None and not answer.done():
            answer.set_result([Decision(d["approve"], d.get("reason", ""), d.get("arguments")) for d in message["decisions"]])

    def drop_questions(self) -> None:
        for answer in list(self.questions.values()):
            answer.cancel()

    def take_back(self) -> bool:
        if self.work is None or self.work.done():
            return False
        self.taken_back = True
        return self.work.cancel()


@dataclass(frozen=True)
class API:
    """Where a model of another provider is asked, in another wire API, with the key of the task."""

    model: str
    dialect: str
    base_url: str
    profile: str


@dataclass(frozen=True)
class Task:
    id: str
    base_url: str
    api_key: str
    model: str
    profile: str  # the provider that is played
    stream: bool
    system: str
    prompts: list[str]
    tools: list[Tool]
    max_turns: int
    timeout_ms: int
    fallback_model: str = ""  # to ask where model keeps failing; "": there is none
    prompt_models: list[str] | None = None  # of each prompt, chosen by the user; None: model is for all
    second_api: API | None = None  # where the other model is asked that these name, in another wire API; None: as model is
    mcp_url: str = ""  # an MCP server with the tools, over streamable HTTP
    mcp_tools: bool = False  # the tools are to be taken from mcp_url, and tools is empty; only for loops that claim mcp-tools
    answer_schema: dict | None = None  # JSON Schema of the answer; None: a text of any form
    token_budget: int = 0  # how many tokens the answer to each prompt may cost; 0: nothing is said of it
    compact_threshold: int = 0  # input tokens at which the provider is asked to make the history shorter; 0: it is not asked
    context_limit: int = 0  # how many tokens of four bytes a request may have; 0: nothing is said of it
    session: Session | None = None  # where the conversation is stored, for loops that claim durable-sessions
    resume_after_failure: bool = False  # the next prompt follows also after one without an answer
    steering: bool = False  # the user says one more prompt while tools run; only for loops that claim steering
    asking: _Asking = field(default_factory=_Asking, repr=False)
    cancelled: threading.Event = field(default_factory=threading.Event, repr=False)  # set when the task is cancelled

    async def of_prompt(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Await what is done for a prompt. NO_ANSWER where another prompt follows although there is none: the user cancelled
        that prompt and nothing else, or it failed in a task that resumes after a failure."""
        self.asking.taken_back, self.asking.work = False, asyncio.create_task(work)
        self.asking.prompts += 1
        try:
            return await self.asking.work
        except asyncio.CancelledError:
            if not self.asking.taken_back:
                raise
            return NO_ANSWER
        except Exception:
            if not self.resume_after_failure or self.asking.prompts == len(self.prompts):
                raise
            traceback.print_exc()
            return NO_ANSWER

    def steered(self) -> str | None:
        """What the user has said while tools ran, once; None where that is nothing, or nothing more. It does not wait."""
        with suppress(Empty):
            return self.asking.said.get_nowait()
        return None

    async def tool_approvals(self, calls: list[PendingCall]) -> list[Decision]:
        """Ask the user about calls of tools that need an approval; a decision for each."""
        return await asyncio.wrap_future(self._ask(calls))

    async def tool_approval(self, name: str, arguments: JSON | str, call_id: str = "") -> Decision:
        """The same for one call."""
        return (await self.tool_approvals([PendingCall(name, arguments, call_id)]))[0]

    def run_tool_approvals(self, calls: list[PendingCall]) -> list[Decision]:
        """The same for a loop without asyncio. Raises the CancelledError of asyncio when the user cancels."""
        try:
            return self._ask(calls).result()
        except FutureCancelled as error:
            raise asyncio.CancelledError("the user has cancelled") from error

    def _ask(self, calls: list[PendingCall]) -> Future[list[Decision]]:
        answer: Future[list[Decision]] = Future()
        number = str(len(self.asking.questions))
        self.asking.questions[number] = answer
        asked = [{**({"id": c.call_id} if c.call_id else {}), "name": c.name, "arguments": c.arguments} for c in calls]
        _say({"type": "approval", "id": self.id, "approval": number, "calls": asked})
        return answer

    @staticmethod
    def read(line: JSON) -> Task:
        known = {name: line[name] for name in Task.__dataclass_fields__ if name in line}
        tools = [_tool(tool) for tool in line["tools"]]
        return Task(**{"system": "", **known, "tools": tools, "session": _part(Session, line.get("session")), "second_api": _part(API, line.get("second_api"))})


T = TypeVar("T")


def _part(kind: type[T], line: JSON | None) -> T | None:
    return kind(**{name: line[name] for name in kind.__dataclass_fields__ if name in line}) if line else None  # type: ignore[attr-defined]


def completed(text: str, **more: Any) -> JSON:
    """There is an answer. More: finish_reason, usage."""
    return {"status": "completed", "text": text, **more}


def stopped(reason: str, **more: Any) -> JSON:
    """The loop gave up by itself. More: text, finish_reason, usage."""
    return {"status": "stopped", "reason": reason, **more}


def failed(error: str, **more: Any) -> JSON:
    """The loop reported an error to its caller. More: usage."""
    return {"status": "failed", "error": error, **more}


def usage(input_tokens: int | None, output_tokens: int | None) -> JSON:
    return {"input_tokens": input_tokens or 0, "output_tokens": output_tokens or 0}


Run = Callable[[Task], Awaitable[JSON]]


def serve(
    run: Run | Callable[[Task], JSON], *, name: str, version: str = "", features: Iterable[str] = (), concurrency: int = 4, **more: Any
) -> None:
    """Say hello, and run every task that comes, until there are no more. More: dialects, profiles, deliveries, executions,
    designs, answer_tool, summary_mark, second_dialects."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends us; a KeyboardInterrupt is one that the loop raised
    _say(
        {"type": "hello", "protocol": 2, "name": name, "version": version, "language": "python", "dialects": ["chat"],
         "features": list(features), "concurrency": concurrency, **more}
    )  # fmt: skip
    # Lines are not read in the threads that asyncio has for all, which clients that block may keep busy after a cancel, too.
    with ThreadPoolExecutor(concurrency) as threads, ThreadPoolExecutor(1) as reader:
        _run_to_the_end(_serve(_awaitable(run, threads), reader))


def _run_to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """asyncio.run for tasks that may raise SystemExit or KeyboardInterrupt: these leave the event loop, which goes on. Who
    awaits the task that raised it gets it, too."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    main = loop.create_task(work)
    try:
        while not main.done():
            try:
                loop.run_until_complete(main)
            except (SystemExit, KeyboardInterrupt):
                traceback.print_exc()
        main.result()
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _awaitable(run: Run | Callable[[Task], JSON], threads: ThreadPoolExecutor) -> Run:
    if inspect.iscoroutinefunction(run):
        return cast(Run, run)
    return _in_a_thread(cast(Callable[[Task], JSON], run), threads)


def _in_a_thread(run: Callable[[Task], JSON], threads: ThreadPoolExecutor) -> Run:
    def caught(task: Task) -> tuple[Any, BaseException | None]:  # no future carries StopIteration, nor SystemExit well
        try:
            return run(task), None
        except BaseException as error:
            return None, error

    async def run_in_a_thread(task: Task) -> JSON:
        work = asyncio.get_running_loop().run_in_executor(threads, caught, task)
        try:
            outcome, error = await asyncio.shield(work)
        except asyncio.CancelledError:  # a thread cannot be cancelled: the function sees it, or ends by itself
            task.cancelled.set()
            outcome, error = await work
            if error is None:
                return stopped("cancelled")
        if error is not None:
            raise _Raised(error)
        return await outcome if inspect.isawaitable(outcome) else outcome  # of a partial or an object, say

    return run_in_a_thread


class _Raised(Exception):
    """Carries what a function raised in a thread through a coroutine, which makes a RuntimeError of a StopIteration."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


async def _serve(run: Callable[[Task], Awaitable[JSON]], reader: ThreadPoolExecutor) -> None:
    running: dict[str, tuple[Task, asyncio.Task[None]]] = {}
    while line := await asyncio.get_running_loop().run_in_executor(reader, sys.stdin.readline):
        message = json.loads(line)
        if message["type"] == "task":
            task = Task.read(message)
            work = asyncio.create_task(_carry_out(run, task))
            running[task.id] = task, work
            work.add_done_callback(partial(_forget, running, task.id))
        elif message["type"] == "decision" and message["id"] in running:
            running[message["id"]][0].asking.decide(message)
        elif message["type"] == "prompt" and message["id"] in running:
            running[message["id"]][0].asking.said.put(message["text"])
        elif message["type"] == "cancel" and message["id"] in running:
            task, work = running[message["id"]]
            task.asking.cancelled = True
            task.asking.drop_questions()
            if message.get("scope") != "prompt" or not task.asking.take_back():
                work.cancel()  # also where only a prompt is meant and the loop does not say when it is at one
    await asyncio.gather(*(work for _, work in running.values()))


def _forget(running: dict[str, tuple[Task, asyncio.Task[None]]], id: str, _: asyncio.Task[None]) -> None:
    del running[id]


async def _carry_out(run: Callable[[Task], Awaitable[JSON]], task: Task) -> None:
    """Report exactly one outcome for a task, whatever happens."""
    try:
        line = _outcome_line(task, await run(task))
    except BaseException as raised:
        error = raised.error if isinstance(raised, _Raised) else raised
        if isinstance(error, asyncio.CancelledError) and task.asking.cancelled:
            line = _outcome_line(task, stopped("cancelled"))
        else:
            _print(error)
            line = _outcome_line(task, failed(_described(error)))
    _write(line)


def _outcome_line(task: Task, outcome: Any) -> str:
    """The line that reports an outcome, or that what should be one is none."""
    expected = "where completed(text), stopped(reason) or failed(error) is expected"
    if not isinstance(outcome, dict):
        got = "nothing" if outcome is None else f"a value of the type {type(outcome).__name__}"
        outcome = failed(f"the loop returned {got}, {expected}")
    elif outcome.get("status") not in ("completed", "stopped", "failed"):
        outcome = failed(f"the loop returned a dict whose status is {outcome.get('status')!r}, {expected}")
    line = {"type": "outcome", "id": task.id}
    try:
        return json.dumps({**line, **outcome}, allow_nan=False)
    except Exception as error:
        return json.dumps({**line, **failed(f"the outcome cannot be written as JSON: {_described(error)}")})


def _described(error: BaseException) -> str:
    """What was raised, as a text. An error of a library says enough; of others it is said where they come from."""
    if isinstance(error, RuntimeError) and isinstance(error.__cause__, (StopIteration, StopAsyncIteration)):
        error = error.__cause__  # which a coroutine wraps
    kind = type(error).__name__
    try:
        text = str(error)
        said = f"{kind}: {text}" if text else repr(error)
    except BaseException as failure:
        text, said = "", f"{kind}, whose text cannot be had: {type(failure).__name__} was raised"
    parts = getattr(error, "exceptions", ())  # of an ExceptionGroup
    if parts and isinstance(parts, tuple):
        said += ": " + "; ".join(_described(part) for part in parts)
    if text and isinstance(error, Exception) and not isinstance(error, _MISTAKES):
        return said
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        said += f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno}, in {frames[-1].name})"
    return said


_MISTAKES = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, StopAsyncIteration, StopIteration, TypeError)


def _print(error: BaseException) -> None:
    try:
        traceback.print_exception(error)
    except BaseException:
        print(_described(error), file=sys.stderr)


def _say(line: JSON) -> None:
    _write(json.dumps(line))


def _write(line: str) -> None:
    with _writing:
        print(line, file=protocol, flush=True)


def _result(status: int, media_type: str, body: bytes) -> Any:
    if status != 200:
        raise ToolFailed(body.decode())
    return Image(media_type, body) if media_type.startswith("image/") else body.decode()


async def _post(url: str, body: bytes, call_id: str) -> tuple[int, str, bytes]:
    """POST in the simplest HTTP there is, 1.0: the answer ends with the connection. So a task that is cancelled closes it."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        start = f"POST {parts.path} HTTP/1.0\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
        start += f"Content-Length: {len(body)}\r\n" + (f"X-Tool-Call-Id: {call_id}\r\n" if call_id else "")
        writer.write(start.encode() + b"\r\n" + body)
        answer = await reader.read()
    finally:
        writer.close()
    head, _, answered = answer.partition(b"\r\n\r\n")
    headers = email.message_from_bytes(head.partition(b"\r\n")[2])
    return int(head.split()[1]), headers.get("Content-Type", ""), answered

"""The half of an adapter that is the same for every loop in Python; standard library only, to be copied.

    from loopproof_adapter import Task, completed, serve

    def run(task: Task) -> dict:
        agent = Agent(task.system, tools=[...], base_url=task.base_url, api_key=task.api_key)
        for prompt in task.prompts:
            answer = agent.ask(prompt)
        return completed(answer.text)

    serve(run, name="my agent", version="1.0.0", features=["multi-prompt"])

`run` may be a coroutine function: then a cancelled task is a cancelled asyncio task. Where only a prompt is cancelled,
`await task.of_prompt(agent.ask(prompt))` returns NO_ANSWER, and the next prompt follows; so it does where a prompt fails
and the task resumes after a failure. A plain function runs in a thread of its own, and can look at `task.cancelled` and
`task.resume_after_failure`.

What `run` raises is what the loop raised, and is reported as a failure of the run. Import this module first: from then
on, everything that is printed goes to standard error, since standard output is for the protocol.
"""

from __future__ import annotations

import asyncio
import email
import inspect
import json
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

protocol, sys.stdout = sys.stdout, sys.stderr

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


@dataclass
class _Asking:
    """What is being done for a prompt, and whether the user has taken the prompt back."""

    work: asyncio.Task[Any] | None = None
    taken_back: bool = False
    prompts: int = 0  # asked so far

    def take_back(self) -> bool:
        if self.work is None or self.work.done():
            return False
        self.taken_back = True
        return self.work.cancel()


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
    resume_after_failure: bool = False  # the next prompt follows also after one without an answer
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

    @staticmethod
    def read(line: JSON) -> Task:
        known = {name: line[name] for name in Task.__dataclass_fields__ if name in line}
        tools = [Tool(t["name"], t["description"], t["parameters"], t["url"]) for t in line["tools"]]
        return Task(**{"system": "", **known, "tools": tools})


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
    run: Run | Callable[[Task], JSON], *, name: str, version: str, features: list[str], concurrency: int = 4, **more: Any
) -> None:
    """Say hello, and run every task that comes, until there are no more. More: dialects, profiles, deliveries, executions,
    designs, answer_tool."""
    _say(
        {"type": "hello", "protocol": 1, "name": name, "version": version, "language": "python", "dialects": ["chat"],
         "features": features, "concurrency": concurrency, **more}
    )  # fmt: skip
    with ThreadPoolExecutor(concurrency) as threads:
        asyncio.run(_serve(_awaitable(run, threads)))


def _awaitable(run: Run | Callable[[Task], JSON], threads: ThreadPoolExecutor) -> Run:
    if inspect.iscoroutinefunction(run):
        return cast(Run, run)
    return _in_a_thread(cast(Callable[[Task], JSON], run), threads)


def _in_a_thread(run: Callable[[Task], JSON], threads: ThreadPoolExecutor) -> Run:
    async def run_in_a_thread(task: Task) -> JSON:
        work = asyncio.get_running_loop().run_in_executor(threads, run, task)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:  # a thread cannot be cancelled: the function sees it, or ends by itself
            task.cancelled.set()
            await work
            return stopped("cancelled")

    return run_in_a_thread


async def _serve(run: Callable[[Task], Awaitable[JSON]]) -> None:
    running: dict[str, tuple[Task, asyncio.Task[None]]] = {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        message = json.loads(line)
        if message["type"] == "task":
            task = Task.read(message)
            work = asyncio.create_task(_carry_out(run, task))
            running[task.id] = task, work
            work.add_done_callback(partial(_forget, running, task.id))
        elif message["type"] == "cancel" and message["id"] in running:
            task, work = running[message["id"]]
            if message.get("scope") != "prompt" or not task.asking.take_back():
                work.cancel()  # also where only a prompt is meant and the loop does not say when it is at one
    await asyncio.gather(*(work for _, work in running.values()))


def _forget(running: dict[str, tuple[Task, asyncio.Task[None]]], id: str, _: asyncio.Task[None]) -> None:
    del running[id]


async def _carry_out(run: Callable[[Task], Awaitable[JSON]], task: Task) -> None:
    """Report exactly one outcome for a task, whatever happens."""
    try:
        outcome = await run(task)
    except asyncio.CancelledError:
        outcome = stopped("cancelled")
    except Exception as error:
        traceback.print_exc()
        outcome = failed(f"{type(error).__name__}: {error}" if str(error) else repr(error))
    _say({"type": "outcome", "id": task.id, **outcome})


def _say(line: JSON) -> None:
    print(json.dumps(line), file=protocol, flush=True)


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

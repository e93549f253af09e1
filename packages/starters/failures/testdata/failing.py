"""A loop that fails in the way that its prompt names."""

import asyncio
import os
import sys
import threading
import time

from loopproof_adapter import PendingCall, completed, serve


# The loop.

class Unprintable(Exception):
    def __str__(self):
        raise SystemExit("no text")

    __repr__ = __str__


class Several(Exception):  # as an ExceptionGroup, which Python 3.10 does not have
    exceptions = (ValueError("first"), KeyError("second"))


def raises(error):
    raise error


def deep():
    return deep()


FAILURES = {
    "fine": lambda: completed("fine"),
    "stop iteration": lambda: next(iter(())),
    "stop async iteration": lambda: raises(StopAsyncIteration()),
    "system exit": lambda: sys.exit("bye"),
    "system exit with a code": lambda: sys.exit(3),
    "keyboard interrupt": lambda: raises(KeyboardInterrupt()),
    "generator exit": lambda: raises(GeneratorExit()),
    "cancelled by itself": lambda: raises(asyncio.CancelledError()),
    "base exception": lambda: raises(BaseException("odd")),
    "key error": lambda: {}["choices"],
    "a library's error": lambda: raises(ValueError("429 try again")),
    "recursion": deep,
    "several": lambda: raises(Several("two")),
    "unprintable": lambda: raises(Unprintable()),
    "nothing": lambda: None,
    "text": lambda: "an answer",
    "list": lambda: [1],
    "no status": lambda: {"text": "an answer"},
    "odd status": lambda: {"status": "done"},
    "no JSON": lambda: completed("x", usage={1, 2}),
    "no number": lambda: completed("x", usage=float("nan")),
    "circular": lambda: circular(),
}


def circular():
    outcome = completed("x")
    outcome["transcript"] = outcome
    return outcome


# Its ways.


CALLS = [PendingCall("delete_file", {"path": "a"}, "call-1"), PendingCall("delete_file", '{"path":"c"}')]


def told(decisions):
    return completed("; ".join(f"runs {d.arguments['path']}" if d.approve else d.reason for d in decisions))


def until_steered(task):
    while (said := task.steered()) is None:
        time.sleep(0.001)
    return completed(said)


def run(task):
    if task.prompts[0] == "steering":
        return until_steered(task)
    if task.prompts[0] == "approval":
        return told(task.run_tool_approvals(CALLS))
    return FAILURES[task.prompts[0]]()


async def run_async(task):
    await asyncio.sleep(0)
    if task.prompts[0] == "steering":
        return await asyncio.to_thread(until_steered, task)
    if task.prompts[0] == "approval":
        return told(await task.tool_approvals(CALLS))
    return run(task)


async def run_in_a_task(task):
    """The failure is in a task of its own, as in a prompt."""
    return await task.of_prompt(run_async(task))


class Object:
    async def __call__(self, task):
        return await run_async(task)


async def run_with_a_callback(task):
    """Something fails that nobody waits for. That is printed, and the answer comes nevertheless."""
    for name, fails in FAILURES.items():
        asyncio.get_running_loop().call_soon(fails)
        asyncio.create_task(later(fails))
        threading.Thread(target=fails, name=name).start()
    await asyncio.sleep(0.01)
    return completed("in spite of it")


async def later(fails):
    await asyncio.sleep(0)
    fails()


busy = []  # threads, until they are released
released = threading.Event()


async def run_beside_busy_threads(task):
    """The first tasks keep all threads busy that asyncio has for clients that block, until the third one comes."""
    if len(busy) > 64:
        released.set()
    busy.extend(asyncio.get_running_loop().run_in_executor(None, released.wait) for _ in range(64))
    return completed("fine")


ways = {"busy": run_beside_busy_threads, "thread": run, "coroutine": run_async, "task": run_in_a_task, "object": Object(), "callback": run_with_a_callback}
serve(ways[os.environ["FAILING"]], name="failing")

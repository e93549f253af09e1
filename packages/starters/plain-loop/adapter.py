"""Lets Loopproof judge the loop beside it. Also the model for adapters in Python: a hello, then a task a line on standard
input, and an outcome a line on standard output.

    loopproof run -- python3 adapter.py
"""

from __future__ import annotations

import base64
import json
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from typing import Any

import exact
from chat import Chat
from client import API, Client
from errors import Failed
from gemini import Gemini
from loop import Conversation, Stopped
from messages import Messages
from responses import Responses
from tools import Decision, Tool
from transport import Abort, Cancelled, post
from turn import JSON, Call, Image

CONCURRENCY = 8
HELLO = {
    "type": "hello", "protocol": 2, "name": "plain Python loop", "version": "1.0.0", "language": "python",
    "dialects": ["chat", "messages", "responses", "gemini"], "concurrency": CONCURRENCY,
    "profiles": ["[!a]*", "azure*", "anthropic{,-[!bv]*}"],  # all but those that need the client of a cloud
    "features": ["streaming", "parallel-calls", "reasoning", "multi-prompt", "resume-after-failure", "retries", "turn-limit", "usage",
                 "cancel", "images", "custom-tools", "approvals", "server-tools",
                 "tool-approvals", "approval-edits",
                 "compaction", "server-compaction", "token-budget", "answer-schema", "durable-sessions", "steering",
                 "model-fallback", "model-switch", "sub-agents"],
}  # fmt: skip

# Whose documentation forbids that reasoning comes back: https://api-docs.deepseek.com/guides/reasoning_model
REASONING_REFUSED = {"deepseek-r1"}

# Whose documentation wants that of answers, too: https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
ALL_REASONING_WANTED = {"moonshot", "mistral-reasoning"}

# Whose servers parse the arguments of the calls that go back, and refuse what is no JSON, as their sources say; of
# DashScope it is known by https://github.com/HKUDS/nanobot/issues/1487
ARGUMENTS_READ = {"dashscope", "llamacpp", "ollama", "sglang"}

# Who refuses encrypted reasoning of another model: https://github.com/earendil-works/pi/issues/8874
REASONING_BOUND = {"openrouter", "openrouter-responses"}

# Whose models think within a budget, and do not decide for themselves how much:
# https://platform.claude.com/docs/en/build-with-claude/thinking
BUDGET_NEEDED = {"anthropic-4.5"}
BUDGETED = {"type": "enabled", "budget_tokens": 4_000}

protocol, sys.stdout = sys.stdout, sys.stderr  # whatever anybody prints is a log
writing = threading.Lock()


def say(line: JSON) -> None:
    with writing:
        print(json.dumps(line), file=protocol, flush=True)


class Running:
    """A task being carried out. It is cancelled as a whole, or only what is done for the current prompt."""

    def __init__(self, task: JSON) -> None:
        self.id = task["id"]
        self.questions: dict[str, Queue[JSON]] = {}  # whether calls may be run, each with the place for its answer
        self.said: SimpleQueue[str] = SimpleQueue()  # while tools ran
        self.abort = Abort()
        self.over = False
        self.changing = threading.Lock()
        self.deadline = threading.Timer(0.9 * task["timeout_ms"] / 1000, self.cancel)
        self.deadline.daemon = True
        self.deadline.start()

    def cancel(self, scope: str = "task") -> None:
        with self.changing:
            self.over = self.over or scope != "prompt"
            self.abort.abort()

    def ask(self, call: Call, arguments: JSON | str, abort: Abort) -> Decision:
        """Ask the user about a call, in a line of its own."""
        answer: Queue[JSON] = Queue()
        with self.changing:
            number = str(len(self.questions))
            self.questions[number] = answer
        shown = arguments if isinstance(arguments, str) else exact.dumps(arguments)
        say({"type": "approval", "id": self.id, "approval": number, "calls": [{"id": call.id, "name": call.name, "arguments": shown}]})
        while True:
            abort.check()
            with suppress(Empty):
                decision = answer.get(timeout=0.02)
                return Decision(decision["approve"], decision.get("reason", ""), decision.get("arguments"))

    def steered(self) -> str | None:
        with suppress(Empty):
            return self.said.get_nowait()
        return None

    def decide(self, message: JSON) -> None:
        self.questions[message["approval"]].put(message["decisions"][0])

    def next_prompt(self) -> Abort:
        with self.changing:
            if not self.over:
                self.abort = Abort()
            return self.abort


def main() -> None:
    say(HELLO)
    running: dict[str, Running] = {}
    with ThreadPoolExecutor(CONCURRENCY) as workers:
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "task":
                running[message["id"]] = Running(message)
                workers.submit(carry_out, message, running)
            elif message["type"] == "cancel" and message["id"] in running:
                running[message["id"]].cancel(message.get("scope", "task"))
            elif message["type"] == "prompt" and message["id"] in running:
                running[message["id"]].said.put(message["text"])
            elif message["type"] == "decision" and message["id"] in running:
                running[message["id"]].decide(message)


def carry_out(task: JSON, running: dict[str, Running]) -> None:
    """Report exactly one outcome for a task, whatever happens."""
    try:
        outcome = converse(task, running[task["id"]])
    except Exception as error:
        traceback.print_exc()
        outcome = {"status": "failed", "error": repr(error)}
    running.pop(task["id"]).deadline.cancel()
    say({"type": "outcome", "id": task["id"], **outcome})


def converse(task: JSON, running: Running) -> JSON:
    """Hold the conversation, and tell how it ended in the words of the loop."""
    conversation = Conversation(
        client_for(task),
        tools=[as_agent(tool, task) if "agent" in tool else as_tool(tool) for tool in task["tools"]],
        system=task.get("system", ""),
        approve=frozenset(task.get("approve", [])),
        ask=running.ask,
        steered=running.steered,
        max_turns=task["max_turns"],
        token_budget=task.get("token_budget", 0),
        answer_schema=task.get("answer_schema"),
        context_limit=task.get("context_limit", 0),
        fallback=task.get("fallback_model", ""),
        store=Path(task["session"]["dir"], "conversation.json") if "session" in task else None,
    )
    conversation.restore()
    said = conversation.said  # before the process was killed
    outcome: dict[str, Any] = {}
    for number, prompt in enumerate(task["prompts"], start=1):
        if number < said or number == said and conversation.parts[-1].answer is not None:
            outcome = {"status": "completed", "text": conversation.parts[-1].answer}
            continue
        try:
            abort = running.next_prompt()
            if "prompt_models" in task:
                conversation.client.model = task["prompt_models"][number - 1]
            answer = conversation.go_on(abort) if number == said else conversation.say(prompt, abort)
            while (late := running.steered()) is not None:  # it came when the tools had ended
                answer = conversation.say(late, abort)
            outcome = {"status": "completed", "text": answer.text, "finish_reason": answer.finish_reason}
            continue
        except Cancelled:
            outcome = {"status": "stopped", "reason": "cancelled"}
            continue
        except Stopped as stop:
            outcome = {"status": "stopped", "reason": str(stop), "text": stop.text, "finish_reason": stop.finish_reason}
        except Failed as error:
            outcome = {"status": "failed", "error": str(error)}
        if not task.get("resume_after_failure"):
            break
    return outcome | {"usage": asdict(conversation.usage)}


def client_for(task: JSON) -> Client:
    return Client(api_for(task), task["base_url"], task["api_key"], task["model"], stream=task["stream"], backoff=0.05)


def api_for(task: JSON) -> API:
    """The wire API of a task, in the way of the provider that is played."""
    profile = task["profile"]
    if task["dialect"] == "messages":
        thinking = BUDGETED if profile in BUDGET_NEEDED else {"type": "adaptive"}
        return Messages(thinking, compact_at=task.get("compact_threshold", 0))
    if task["dialect"] == "responses":
        return Responses(bound_reasoning=profile in REASONING_BOUND, compact_at=task.get("compact_threshold", 0))
    if task["dialect"] == "gemini":
        return Gemini(task["stream"])
    return Chat(
        resend_reasoning=profile not in REASONING_REFUSED,
        resend_all_reasoning=profile in ALL_REASONING_WANTED,
        mend_arguments=profile in ARGUMENTS_READ,
        bound_reasoning=profile in REASONING_BOUND,
    )


def as_tool(tool: JSON) -> Tool:
    """A tool of the task lives at its URL: we hand it what the loop hands us, and raise when it fails."""

    def run(arguments: JSON | str, call_id: str, abort: Abort) -> str | Image:
        text = arguments if isinstance(arguments, str) else exact.dumps(arguments)
        body, headers = text.encode(), {"X-Tool-Call-Id": call_id}
        with post(tool["url"], body, headers, timeout=60, abort=abort) as response:
            returned = response.read()
            if response.status != 200:
                raise RuntimeError(returned.decode())
            media_type = response.headers.get("Content-Type", "")
            if media_type.startswith("image/"):
                return Image(media_type, base64.b64encode(returned).decode())
            return returned.decode()

    return Tool(tool["name"], tool["description"], tool.get("parameters"), run, tool.get("needs_approval", False))


def as_agent(tool: JSON, task: JSON) -> Tool:
    """A tool whose calls a sub-agent answers, each in a conversation of its own. What ends that without an answer is raised."""
    agent = tool["agent"]

    def run(arguments: JSON | str, call_id: str, abort: Abort) -> str:
        assert isinstance(arguments, dict)
        tools = [as_tool(own) for own in agent["tools"]]
        conversation = Conversation(client_for(task), tools, system=agent["system"], max_turns=agent["max_turns"])
        return conversation.say(arguments["prompt"], abort).text

    return Tool(tool["name"], tool["description"], tool["parameters"], run)


main()

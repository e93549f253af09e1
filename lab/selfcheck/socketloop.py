"""A plain loop over OpenAI's SDK for Python, which asks in Responses over a WebSocket.

    pip install 'openai[realtime]' && loopproof run --dialect responses -- python3 selfcheck/socketloop.py

Each message says what is new, and continues from the response before, which is not stored: the connection keeps it. Where that is lost,
with the connection or by an error, the whole conversation is sent: https://developers.openai.com/api/docs/guides/websocket-mode
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/starters/protocol/python"))
from loopproof_adapter import Task, ToolFailed, completed, serve, stopped, usage

import openai
from websockets.exceptions import WebSocketException


class Failed(Exception):
    def __init__(self, message: str, status: int = 0, code: str | None = None):
        super().__init__(f"{status} {code or ''}: {message}")
        self.status, self.code = status, code

    @property
    def may_pass(self) -> bool:
        """A failure that another try may not have. The message of a lost connection has no status."""
        if self.code in ("websocket_connection_limit_reached", "previous_response_not_found"):
            return True
        return self.code != "insufficient_quota" and (self.status in (0, 408, 409, 429) or self.status >= 500)


class Model:
    """Asks over one connection as long as it lasts."""

    def __init__(self, task: Task):
        self.client = openai.OpenAI(
            api_key=task.api_key, base_url=task.base_url, websocket_base_url=task.base_url.replace("http", "ws", 1), timeout=20
        )
        self.task = task
        self.connection = None
        self.kept: tuple[str, int] | None = None  # the response that the connection keeps, and how many items it knows with it

    def ask(self, items: list):
        for tried in range(4):
            try:
                return self.say(items)
            except (Failed, OSError, WebSocketException) as error:
                self.kept = None
                if not isinstance(error, Failed) or error.status == 0 or error.code == "websocket_connection_limit_reached":
                    self.close()
                if tried == 3 or isinstance(error, Failed) and not error.may_pass:
                    raise
                time.sleep(0 if getattr(error, "code", "") == "previous_response_not_found" else 0.5 * 2**tried)

    def say(self, items: list):
        if self.connection is None:
            self.connection = self.client.responses.connect().enter()
        request = {"model": self.task.model, "store": False, "input": items, "include": ["reasoning.encrypted_content"], "stream_id": "main"}
        if self.kept:
            request |= {"previous_response_id": self.kept[0], "input": items[self.kept[1] :]}
        if self.task.system:
            request["instructions"] = self.task.system
        if self.task.tools:
            request["tools"] = [
                {"type": "function", "name": t.name, "description": t.description, "parameters": t.parameters, "strict": False}
                for t in self.task.tools
            ]
        self.connection.response.create(**request)
        for event in self.connection:
            if event.stream_id != "main":
                raise ValueError(f"an event of the stream {event.stream_id}")
            if event.type == "error":
                raise Failed(event.error.message, event.status or 500, event.error.code)
            if event.type == "response.failed":
                raise Failed(event.response.error.message, 500, event.response.error.code)
            if event.type in ("response.completed", "response.incomplete"):
                self.kept = (event.response.id, len(items) + len(event.response.output))
                return event.response
        raise Failed("the connection ended")

    def close(self):
        self.kept = None
        if self.connection is not None:
            connection, self.connection = self.connection, None
            connection.close()


def run(task: Task) -> dict:
    model = Model(task)
    try:
        return converse(model, task)
    finally:
        model.close()


def converse(model: Model, task: Task) -> dict:
    items, used = [], [0, 0]
    for prompt in task.prompts:
        items.append({"role": "user", "content": prompt})
        for _ in range(task.max_turns or 50):
            said = model.ask(items)
            if said.usage:
                used = [used[0] + said.usage.input_tokens, used[1] + said.usage.output_tokens]
            more = {"usage": usage(*used), "finish_reason": said.status}
            text = "".join(
                part.text
                for item in said.output
                if item.type == "message" and item.phase != "commentary"
                for part in item.content
                if part.type == "output_text"
            )
            if said.status != "completed":
                return stopped(said.incomplete_details.reason if said.incomplete_details else said.status, text=text, **more)
            for refusal in (part for item in said.output if item.type == "message" for part in item.content if part.type == "refusal"):
                return stopped("refusal", text=refusal.refusal, **more)
            items += [item.to_dict() for item in said.output]
            calls = [item for item in said.output if item.type == "function_call"]
            if not calls:
                break
            items += [{"type": "function_call_output", "call_id": call.call_id, "output": result(task, call)} for call in calls]
        else:
            return stopped("too many turns", **more)
    if not text.strip():
        raise ValueError("the model has not said anything")
    return completed(text, **more)


def result(task: Task, call) -> str:
    tool = next((t for t in task.tools if t.name == call.name), None)
    if tool is None:
        return f"There is no tool {call.name}."
    try:
        return tool.run(json.loads(call.arguments or "{}"), call.call_id)
    except ToolFailed as error:
        return f"Error: {error}"
    except ValueError as error:
        return f"The arguments are not JSON: {error}"


serve(
    run,
    name="openai over a WebSocket",
    version=openai.__version__,
    dialects=["responses"],
    deliveries=["socket"],
    features=["sockets", "streaming", "parallel-calls", "reasoning", "multi-prompt", "turn-limit", "usage", "retries"],
)

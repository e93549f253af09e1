"""A small agent loop over Chat Completions, so that the adapter runs as it stands. Delete it when yours is in its place."""

import asyncio
import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Stopped(Exception):
    """The loop gave up by itself."""


class Conversation:
    """The history, and what the two loops below have in common."""

    def __init__(self, base_url, api_key, model, system, tools, max_turns, timeout):
        self.url, self.api_key, self.turns_left, self.timeout = base_url + "/chat/completions", api_key, max_turns, timeout
        self.tools = {tool["name"]: tool for tool in tools}
        self.request = {"model": model, "messages": [{"role": "system", "content": system}] if system else []}
        if tools:
            keys = ("name", "description", "parameters")
            self.request["tools"] = [{"type": "function", "function": {k: tool[k] for k in keys}} for tool in tools]

    def post(self):
        if self.turns_left == 0:
            raise Stopped("turn limit")
        self.turns_left -= 1
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + self.api_key}
        try:
            with urlopen(Request(self.url, json.dumps(self.request).encode(), headers), timeout=self.timeout) as answer:
                return json.load(answer)
        except HTTPError as error:
            raise RuntimeError(f"the provider answered {error.code}: {error.read().decode()}") from None

    def take(self, answer):
        """Add an answer to the history. Returns its text and its calls."""
        if not answer.get("choices") or answer["choices"][0].get("error"):  # some gateways report errors with the status 200
            raise RuntimeError("no answer: " + json.dumps(answer))
        message, finish = answer["choices"][0]["message"], answer["choices"][0]["finish_reason"]
        text, calls = message.get("content") or "", message.get("tool_calls") or []
        if finish in ("length", "content_filter"):
            raise Stopped(finish)  # the answer is cut off, and its calls may be, too: they are not run
        if message.get("refusal"):
            raise RuntimeError("the model refused: " + message["refusal"])
        if not text and not calls:
            raise RuntimeError("the model said nothing")
        self.add({"role": "assistant", "content": text or None} | ({"tool_calls": [echo(call) for call in calls]} if calls else {}))
        return text, calls

    def add(self, message):
        self.request["messages"].append(message)

    def add_result(self, call, result):
        self.add({"role": "tool", "tool_call_id": call["id"], "content": result})

    def prepare(self, call):
        """Returns the tool of a call and its arguments, or raises what the model is told."""
        name, text = call["function"]["name"], call["function"]["arguments"]
        if name not in self.tools:
            raise ValueError(f"there is no tool {name}")
        arguments = {} if text in ("", "null") else json.loads(text)
        if not isinstance(arguments, dict):
            raise ValueError("the arguments have to be an object")
        return self.tools[name]["run"], arguments


def echo(call):
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    try:
        json.loads(arguments)
    except ValueError:
        arguments = "{}"  # some providers parse what goes back, and refuse anything else
    return {"id": call["id"], "type": "function", "function": {"name": name, "arguments": arguments}}


class Loop(Conversation):
    def ask(self, prompt):
        self.add({"role": "user", "content": prompt})
        while True:
            text, calls = self.take(self.post())
            if not calls:
                return text
            for call in calls:
                try:
                    run, arguments = self.prepare(call)
                    result = run(arguments, call["id"])
                except Exception as error:  # the model reads it, and may try again
                    result = f"Error: {error}"
                self.add_result(call, result)


class AsyncLoop(Conversation):
    async def ask(self, prompt):
        self.add({"role": "user", "content": prompt})
        while True:
            text, calls = self.take(await asyncio.to_thread(self.post))
            if not calls:
                return text
            for call, result in zip(calls, await asyncio.gather(*map(self.run, calls))):
                self.add_result(call, result)

    async def run(self, call):
        try:
            run, arguments = self.prepare(call)
            return await asyncio.wait_for(run(arguments, call["id"]), self.timeout)
        except TimeoutError:
            return "Error: the tool took too long"
        except Exception as error:
            return f"Error: {error}"

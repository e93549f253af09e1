"""An agent loop with nothing but the standard library, over whichever wire API.

It asks the model, runs the tools that the model calls, feeds the results back, and asks again until there is an answer:

    client = Client(Chat(), "https://api.openai.com/v1", key, "gpt-5")
    conversation = Conversation(client, [weather], system="You are terse.")
    print(conversation.say("Is it warmer in Oslo or in Lima?").text)
    print(conversation.say("And by how much?").text)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import exact
from client import Client
from errors import Broken, Failed
from tools import Ask, Tool, carry_out, unfit
from transport import Abort
from turn import JSON, Turn, Usage


MISFITS = 2  # answers that do not fit their schema, behind which the model is asked once more
BYTES_PER_TOKEN = 4  # as a rule of thumb, for texts in English


class Stopped(Exception):
    """The loop gave up by itself."""

    def __init__(self, reason: str, text: str = "", finish_reason: str = "") -> None:
        super().__init__(reason)
        self.text = text
        self.finish_reason = finish_reason


@dataclass
class Part:
    """What the user said, or a turn of the model with all that answers it. A history is cut between parts alone."""

    messages: list[JSON]  # as the wire API writes them
    prompt: bool = False
    answer: str | None = None  # the text, where it answers the prompt
    model: str = ""  # which said the turn


@dataclass
class Conversation:
    client: Client
    tools: list[Tool]
    system: str = ""
    approve: frozenset[str] = frozenset()  # the tools of the provider's that it may call when it asks
    ask: Ask | None = None  # asks the user about calls of tools that need an approval; each in the thread of its call
    steered: Callable[[], str | None] = lambda: None  # what the user has said meanwhile, once; None: nothing
    max_turns: int = 20  # answers of the model in the whole conversation
    token_budget: int = 0  # tokens that the answer to each prompt may cost; 0: any number
    answer_schema: JSON | None = None  # what every answer has to fit; None: a text of any form
    fallback: str = ""  # the model that is asked from the moment when the first one keeps failing; none: the run fails
    context_limit: int = 0  # tokens that a request may have; 0: no limit is known
    store: Path | None = None  # the file in which the conversation outlives the process; None: it does not
    said: int = 0  # how many prompts
    parts: list[Part] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    turns: int = 0
    spent: int = 0  # tokens for the newest prompt
    carried: JSON = field(default_factory=dict)  # what the provider wants named in each request

    def say(self, prompt: str, abort: Abort | None = None) -> Turn:
        """Say something and get the model's answer, or one of the exceptions Failed, Stopped and Cancelled.

        Whatever is raised, the history stays one that a provider accepts: a turn enters it when it is whole, and together
        with the results of all its calls. So the conversation can go on."""
        self.said += 1
        self._keep(Part([self.client.api.prompt(prompt)], prompt=True))
        return self.go_on(abort)

    def go_on(self, abort: Abort | None = None) -> Turn:
        """Get the answer to what was said last, as `say` does: also where it was said before the process was killed."""
        abort = abort or Abort()
        self.spent, misfits = 0, 0
        while True:
            turn = self._next_turn(abort)
            if turn.cut_off:  # half a turn: none of its calls is run
                raise Stopped(turn.finish_reason, turn.text, turn.finish_reason)
            if turn.calls or turn.questions:
                self._run_tools(turn, abort)
            elif turn.paused:
                self._keep(self._part(turn))
            elif turn.text.strip():
                problem = unfit(turn.text, self.answer_schema)
                self._keep(self._part(turn, answer=None if problem else turn.text))
                if not problem:
                    return turn
                misfits += 1
                if misfits > MISFITS:
                    raise Broken(f"the answer does not fit its schema: {problem}")
                self._keep(Part([self.client.api.prompt(f"This does not fit the schema: {problem}. Give the whole answer again.")]))
            else:
                raise Broken("the model answered with nothing")

    def restore(self) -> None:
        """Go on with what is stored, if anything is. A turn is stored together with all of its results: one that lacked some
        when the process was killed is asked for again."""
        if self.store and self.store.exists():
            stored = exact.loads(self.store.read_text())
            self.said, self.carried = stored["said"], stored["carried"]
            self.parts = [Part(**part) for part in stored["parts"]]

    def _keep(self, part: Part) -> None:
        self.parts.append(part)
        if self.store:
            new = self.store.with_suffix(".new")
            new.write_text(exact.dumps({"said": self.said, "carried": self.carried, "parts": [vars(part) for part in self.parts]}))
            new.replace(self.store)  # whoever is killed before this leaves the old one

    def _next_turn(self, abort: Abort) -> Turn:
        if self.turns >= self.max_turns:
            raise Stopped(f"the limit of {self.max_turns} turns is reached")
        if self.token_budget and self.spent >= self.token_budget:
            raise Stopped(f"the budget of {self.token_budget} tokens is spent")
        self._make_room()
        turn = self._ask(abort)
        self.turns += 1
        self.carried |= turn.carry
        self.usage.input_tokens += turn.usage.input_tokens
        self.usage.output_tokens += turn.usage.output_tokens
        self.spent += turn.usage.input_tokens + turn.usage.output_tokens
        return turn

    def _ask(self, abort: Abort) -> Turn:
        try:
            return self.client.complete(self._system(), self._messages(), self.tools, abort, self.carried)
        except Failed as error:
            if not error.retriable or self.fallback in ("", self.client.model):
                raise
            self.client.model = self.fallback
            return self.client.complete(self._system(), self._messages(), self.tools, abort, self.carried)

    def _part(self, turn: Turn, answer: str | None = None) -> Part:
        return Part(turn.messages, answer=answer, model=self.client.model)

    def _system(self) -> str:
        """The system prompt, with what the answer has to fit: all wire APIs take it so, also beside tools."""
        if self.answer_schema is None:
            return self.system
        wanted = f"Your answer, once you have it, is a JSON object that fits this schema, and nothing else: {json.dumps(self.answer_schema)}"
        return f"{self.system}\n\n{wanted}".strip()

    def _messages(self) -> list[JSON]:
        api, model = self.client.api, self.client.model
        return [message for part in self.parts for message in (part.messages if part.model in ("", model) else api.of_another(part.messages))]

    def _make_room(self) -> None:
        """Forget the oldest parts until a request is well below the limit: earlier prompts with all that came of them, then
        turns of the prompt that is being answered. That prompt stays, and so does the newest turn."""
        while self.context_limit and self._tokens() > 0.75 * self.context_limit:
            prompts = [place for place, part in enumerate(self.parts) if part.prompt]
            if len(prompts) > 1:
                del self.parts[: prompts[1]]
            elif len(self.parts) > 2:
                del self.parts[1]
            else:
                return

    def _tokens(self) -> int:
        return self.client.size(self._system(), self._messages(), self.tools) // BYTES_PER_TOKEN

    def _run_tools(self, turn: Turn, abort: Abort) -> None:
        """Run the calls of a turn at the same time. Their results stand in the order of the calls, whichever is ready first:
        a provider's prompt cache sees the same bytes again."""
        tools = {tool.name: tool for tool in self.tools}
        with ThreadPoolExecutor(max(1, len(turn.calls))) as pool:
            results = list(pool.map(lambda call: carry_out(tools, call, self.ask, abort), turn.calls))
        messages = turn.messages + [question.answer(question.tool in self.approve) for question in turn.questions]
        self._keep(Part(messages + (self.client.api.results(results) if results else []), model=self.client.model))
        abort.check()
        while (said := self.steered()) is not None:  # behind the results: no provider takes a prompt between these and the calls
            self._keep(Part([self.client.api.prompt(said)], prompt=True))

"""Tools, and what happens to a call on its way to one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import exact
from transport import Abort, Cancelled
from turn import JSON, Call, Image, Result


@dataclass(frozen=True)
class Tool:
    """Something that the model may have done. `run` gets the arguments and the id of the call; what it returns goes to the
    model, and what it raises too."""

    name: str
    description: str
    parameters: JSON | None  # JSON Schema; None: the tool takes a text of any form
    run: Callable[[JSON | str, str, Abort], str | Image]
    needs_approval: bool = False  # of the user, before each run


@dataclass(frozen=True)
class Decision:
    """What the user says about a call that needs an approval."""

    approve: bool
    reason: str = ""  # why not, for the model
    arguments: JSON | None = None  # to run the call with instead


# Asks the user about a call, with the arguments with which it would be run; raises Cancelled when the user goes on instead.
Ask = Callable[[Call, JSON | str, Abort], Decision]


class Denied(Exception):
    """The user said no."""


def carry_out(tools: dict[str, Tool], call: Call, ask: Ask | None, abort: Abort) -> Result:
    """Run one call. Whatever happens there is a result: an error that the model can read, and do better."""
    try:
        abort.check()
        tool = tools.get(call.name)
        if tool is None:
            raise LookupError(f"there is no tool {call.name!r}; the tools are: {', '.join(tools)}")
        arguments = arguments_of(call, tool)
        if tool.needs_approval:
            arguments = approved(call, arguments, ask, abort)
        returned = tool.run(arguments, call.id, abort)
        if isinstance(returned, Image):
            return Result(call, "The image is shown below.", image=returned)
        return Result(call, returned)
    except Cancelled:
        return Result(call, "Error: cancelled by the user", failed=True)
    except Exception as error:
        return Result(call, f"Error: {error}", failed=True)


def approved(call: Call, arguments: JSON | str, ask: Ask | None, abort: Abort) -> JSON | str:
    """The arguments with which the user lets a call be run. With nobody to ask, none is."""
    decision = ask(call, arguments, abort) if ask else Decision(False, "nobody is there to allow it")
    if not decision.approve:
        raise Denied("the user did not allow this call" + (f": {decision.reason}" if decision.reason else ""))
    return arguments if decision.arguments is None else decision.arguments


def arguments_of(call: Call, tool: Tool) -> JSON | str:
    """The arguments of a call, if they fit. They are never repaired: half a command is another command."""
    if tool.parameters is None:
        return call.arguments
    text = call.arguments.strip()
    if text in ("", "null"):  # how some providers say that there are none
        text = "{}"
    try:
        arguments: JSON = exact.loads(text, parse_constant=_no_json)
    except ValueError as error:
        raise ValueError(f"the arguments are not JSON: {error}") from error
    problem = misfit(arguments, {"type": "object"} | tool.parameters)
    if problem:
        raise ValueError(f"{problem}; the parameters of {tool.name} are {json.dumps(tool.parameters)}")
    return arguments


def unfit(answer: str, schema: JSON | None) -> str:
    """How an answer breaks the schema that it has to fit, or ""."""
    if schema is None:
        return ""
    try:
        return misfit(json.loads(answer), schema, "the answer")
    except ValueError as error:
        return f"it is not JSON: {error}"


def _no_json(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,),
    "integer": (int,), "number": (int, float), "null": (type(None),),
}  # fmt: skip


def misfit(value: Any, schema: JSON, at: str = "the arguments") -> str:
    """How a value breaks a schema, or "". As much of JSON Schema as most tools use; a library knows all of it."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_is_a(value, name) for name in types):
        return f"{at} should be of type {' or '.join(types)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at} should be one of {json.dumps(schema['enum'])}"
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        problems = (misfit(item, schema["items"], f"{at}[{i}]") for i, item in enumerate(value))
        return next(filter(None, problems), "")
    if not isinstance(value, dict):
        return ""
    missing = [name for name in schema.get("required", []) if name not in value]
    if missing:
        return f"{at} lack {', '.join(missing)}"
    known = schema.get("properties", {})
    problems = (misfit(item, known[name], name) for name, item in value.items() if name in known)
    return next(filter(None, problems), "")


def _is_a(value: Any, name: str) -> bool:
    if isinstance(value, bool):  # to Python True is a number, to JSON Schema it is not
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES.get(name, object))

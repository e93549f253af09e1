"""Says where the form of requests to Gemini's Interactions differs from the types of google-genai.

    pip install google-genai pyyaml && python selfcheck/interactions.py

The nodes of internal/dialect/interactions/request.yaml that have the name of a type are compared with it: keys, what is required, and
words; so are the types of steps, contents and tools. What is KNOWN differs on purpose. It ends with 1 where something else differs.
"""

import pathlib
import sys
import typing

import google.genai
import typing_extensions
import yaml
from google.genai._gaos.types import interactions as types

KNOWN = {
    # Rules about every wire API look at these.
    "FunctionCallStep required id", "FunctionCallStep required name", "FunctionResultStep required call_id",
    # A function without a name cannot be called, and a result without one was refused.
    "Function required name", "FunctionResultStep required name",
    # A name within a function, as in other APIs, is none.
    "Function key function",
}


def words(kind):
    """The words of a type: those of its literals, however deep."""
    kind = getattr(kind, "__value__", kind)
    if typing.get_origin(kind) is typing.Literal:
        return set(typing.get_args(kind))
    return set().union(*(words(inside) for inside in typing.get_args(kind)))


def members(union):
    """The types among which the objects of a union are told by their type."""
    return set().union(*(words(typing.get_type_hints(m)["type"]) for m in typing.get_args(union.__value__)))


def differ(what, ours, theirs):
    return {f"{what} {word}" for word in set(ours) ^ set(theirs)}


def compare(name, node, of):
    hints = typing.get_type_hints(of, include_extras=True)
    required = {k for k, hint in hints.items() if typing.get_origin(hint) is not typing_extensions.NotRequired}
    properties = node.get("properties", {})
    found = differ(f"{name} key", set(properties) | {"type"} & set(hints), hints) if name not in CUT else set()
    found |= differ(f"{name} required", {k for k, v in properties.items() if v.get("required")}, required - {"type"})
    for key in properties.keys() & hints.keys():
        if "enum" in properties[key]:
            found |= differ(f"{name}.{key} word", properties[key]["enum"], words(hints[key]))
    return found


# Nodes that leave out keys of which nothing is judged.
CUT = {"TextContent", "ImageContent", "ModelOutputStep", "Function"}


def main():
    nodes, request = form["nodes"], form["request"]
    asked = [types.CreateModelInteractionParam, types.CreateAgentInteractionParam]
    found = differ("request key", set(request["keys"]) | set(request["properties"]), set().union(*(typing.get_type_hints(t) for t in asked)))
    found |= differ("request.service_tier word", request["properties"]["service_tier"]["enum"], words(types.ServiceTier))
    found |= differ("Entry", nodes["Entry"]["enum"], members(types.StepParam) | members(types.ContentParam))
    found |= differ("Content", nodes["Content"]["enum"], members(types.ContentParam))
    found |= differ("Tool", nodes["Tool"]["properties"]["type"]["enum"], members(types.ToolParam))
    compared = 0
    for name, node in nodes.items():
        if isinstance(of := getattr(types, name + "Param", None), type):
            found |= compare(name, node, of)
            compared += 1
    for problem in sorted(found - KNOWN):
        print(problem)
    print(f"{compared} types of google-genai {google.genai.__version__}, {len(found & KNOWN)} differences on purpose, {len(found - KNOWN)} others")
    sys.exit(1 if found - KNOWN or not compared else 0)


path = pathlib.Path(__file__).parents[2] / "internal/dialect/interactions/request.yaml"
form = yaml.safe_load(path.read_text())
main()

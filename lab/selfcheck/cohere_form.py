"""Says where the form of requests to Cohere's /v2/chat differs from Cohere's own description.

    pip install pyyaml && python selfcheck/cohere_form.py cohere-openapi.yaml

The file is that of github.com/cohere-ai/cohere-developer-experience. The nodes of internal/dialect/cohere/request.yaml that have the
name of a schema are compared with it: keys, what is required, types, words and ranges. What is KNOWN differs on purpose. It ends with
1 where something else differs.
"""

import pathlib
import sys

import yaml

KNOWN = {
    # Rules about every wire API look at these.
    "request required messages", "request required model", "AssistantMessageV2 required role", "ToolMessageV2 required role",
    "ToolMessageV2 required tool_call_id", "ToolMessageV2 required content", "ToolCallV2 required id", "ChatTextContent required type",
    "ChatThinkingContent required type", "ImageContent required type", "DocumentContent required type",
    # The guides do otherwise: data as a text of JSON, a budget without a type, modes in small letters; the safety mode was NONE at first.
    "Document.data type", "Thinking required type", "request.safety_mode enum ['NONE']",
    # Only whole numbers are compared by the form; the guides give up to five sequences.
    "request.p minimum", "request.p maximum", "request.stop_sequences maxItems",
    # What is said in words there.
    "request.frequency_penalty minimum", "request.frequency_penalty maximum", "request.presence_penalty minimum", "request.presence_penalty maximum",
    "request.seed maximum",
    # A call and a tool without a function say nothing.
    "ToolCallV2 required function", "ToolV2 required function",
}


def resolved(said):
    while "$ref" in said:
        said = schemas[said["$ref"].rsplit("/", 1)[-1]]
    return said


def words(said):
    return {"OFF" if word is False else word for word in said.get("enum", [])}  # YAML reads OFF as false


def compare(name, node, of, found):
    theirs = of.get("properties", {})
    ours = node.get("properties", {})
    keys = set(node.get("keys", [])) | ours.keys()
    for key in ours.keys() - theirs.keys() if "keys" not in node else keys ^ theirs.keys():
        found.add(f"{name} key {key}")
    for key in {k for k, v in ours.items() if v.get("required")} ^ set(of.get("required", [])):
        found.add(f"{name} required {key}")
    for key, said in theirs.items():
        said, value = resolved(said), ours.get(key, {})
        if words(said) != set(value.get("enum", [])) and key not in ("type", "role"):
            found.add(f"{name}.{key} enum {sorted(words(said) ^ set(value.get('enum', [])))}")
        if "type" in said and key in ours and "enum" not in said and value.get("type") != said["type"]:
            found.add(f"{name}.{key} type")
        for edge in ("minimum", "maximum", "maxItems"):
            if key in ours and said.get(edge) != value.get(edge):
                found.add(f"{name}.{key} {edge}")


form = yaml.safe_load((pathlib.Path(__file__).parents[2] / "internal/dialect/cohere/request.yaml").read_text())
description = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text())
schemas = description["components"]["schemas"]
found, compared = set(), 0
body = description["paths"]["/v2/chat"]["post"]["requestBody"]["content"]["application/json"]["schema"]
for name, node in {"request": form["request"], **form["nodes"]}.items():
    if name == "request" or "properties" in schemas.get(name, {}):
        compare(name, node, body if name == "request" else schemas[name], found)
        compared += 1
for problem in sorted(found - KNOWN):
    print(problem)
print(f"{compared} schemas, {len(found & KNOWN)} differences on purpose, {len(found - KNOWN)} others")
sys.exit(1 if found - KNOWN or compared < 10 else 0)

"""Says where the form of Converse's requests differs from the service model of botocore.

    pip install botocore pyyaml && python selfcheck/converse.py

The nodes of internal/dialect/converse/request.yaml that have the name of a shape are compared with it: members, unions, what is
required, words, lengths and patterns. What is KNOWN differs on purpose. It ends with 1 where something else differs.
"""

import pathlib
import sys

import botocore.session
import yaml

KNOWN = {
    # An empty or overlong id has a rule about every wire API, so that the pattern takes the empty one.
    "ToolUseBlock.toolUseId pattern", "ToolUseBlock.name pattern", "ToolResultBlock.toolUseId pattern",
    "ToolUseBlock required toolUseId", "ToolUseBlock required name", "ToolResultBlock required toolUseId",
    "ToolUseBlock.toolUseId minLength", "ToolUseBlock.name minLength", "ToolResultBlock.toolUseId minLength",
    "ToolUseBlock.toolUseId maxLength", "ToolUseBlock.name maxLength", "ToolResultBlock.toolUseId maxLength",
    "ToolSpecification.name pattern", "ToolSpecification.name minLength", "ToolSpecification.name maxLength",
    # The service refuses these, as reports say, and its model does not say so.
    "ContentBlock.text minLength", "Message.content minItems",
    # The path has it.
    "ConverseRequest required modelId",
    # Rules about every wire API look at these.
    "Message required role",
}


def shape(name):
    return model["shapes"][name]


def compare(name, node, found):
    of = shape(name)
    if of.get("union") and "oneOf" in node and set(node["oneOf"]) != set(of["members"]):
        found.add(f"{name} union {sorted(set(node['oneOf']) ^ set(of['members']))}")
    properties = node.get("properties", {})
    for key in properties.keys() - of["members"].keys():
        found.add(f"{name} has no {key}")
    if not of.get("union"):
        said = {key for key, value in properties.items() if value.get("required")}
        for key in said ^ set(of.get("required", [])):
            found.add(f"{name} required {key}")
    for key, value in properties.items():
        member = shape(of["members"][key]["shape"]) if key in of["members"] else {}
        if set(member.get("enum", [])) != set(value.get("enum", [])):
            found.add(f"{name}.{key} enum {sorted(set(member.get('enum', [])) ^ set(value.get('enum', [])))}")
        low, high = {"list": ("minItems", "maxItems"), "string": ("minLength", "maxLength")}.get(member.get("type"), ("minimum", "maximum"))
        for ours, theirs in ((low, "min"), (high, "max"), ("pattern", "pattern")):
            if (value.get(ours) or None) != (member.get(theirs) or None):
                found.add(f"{name}.{key} {ours}")


def main():
    nodes = form["nodes"]
    for name in list(nodes):
        for key, value in nodes[name].get("properties", {}).items():
            if "is" in value and value["is"] == "said":
                value.update({k: v for k, v in nodes["said"].items() if k not in value})
    found = set()
    compared = 0
    for name, node in {"ConverseRequest": form["request"], **nodes}.items():
        if name in model["shapes"]:
            compare(name, node, found)
            compared += 1
    for key in set(shape("ConverseRequest")["members"]) ^ (set(form["request"]["keys"]) | set(form["request"]["properties"]) | {"modelId"}):
        found.add(f"ConverseRequest key {key}")
    for problem in sorted(found - KNOWN):
        print(problem)
    print(f"{compared} shapes of {model['metadata']['serviceId']} in botocore {botocore.__version__}, {len(found & KNOWN)} differences on purpose, {len(found - KNOWN)} others")
    sys.exit(1 if found - KNOWN or not compared else 0)


path = pathlib.Path(__file__).parents[2] / "internal/dialect/converse/request.yaml"
form = yaml.safe_load(path.read_text())
model = botocore.session.get_session().get_component("data_loader").load_service_model("bedrock-runtime", "service-2")
main()

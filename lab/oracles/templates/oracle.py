"""Renders requests with the chat templates of many models, as vLLM and SGLang do, and tells which of them raise.

TEMPLATES names folders with .jinja files, separated as in PATH. The answer to a POST is
{"templates": [names], "raised": {name: words}}. A template that raises is a 400 of vLLM and SGLang and a 400 or 500 of
llama.cpp. The messages are prepared as vLLM hands them on: arguments parsed, contents as text, no empty lists of calls.
"""

import copy
import datetime
import functools
import glob
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import jinja2
import jinja2.ext
import server
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(jinja2.ext.Extension):
    """The tag {% generation %} of transformers."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_same"), [], [], body).set_lineno(line)

    def _same(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


@functools.lru_cache(maxsize=None)
def environment():
    """The environment of _compile_jinja_template in transformers."""
    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = to_json
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda form: datetime.datetime(2026, 1, 1).strftime(form)
    return env


def prepared(messages):
    messages = copy.deepcopy(messages)
    for m in messages:
        content = m.get("content")
        if isinstance(content, list):
            m["content"] = "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
        elif content is None:
            m["content"] = ""
        if m.get("tool_calls") == []:
            del m["tool_calls"]
        for call in m.get("tool_calls") or []:
            if isinstance(call.get("function"), dict):
                call["function"]["arguments"] = parsed(call["function"].get("arguments"))
    return messages


def parsed(arguments):
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, TypeError):
        value = {}
    return value if isinstance(value, dict) else {}


def raised(template, body):
    try:
        template.render(
            messages=prepared(body["messages"]), tools=body.get("tools") or None, add_generation_prompt=True,
            bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>",
        )
    except Exception as e:
        return f"{type(e).__name__}: {' '.join(str(e).split())}"
    return ""


def load():
    found = {}
    for folder in os.environ["TEMPLATES"].split(os.pathsep):
        for path in sorted(glob.glob(os.path.join(folder, "*.jinja"))):
            with open(path) as f:
                found[os.path.basename(path).removesuffix(".jinja")] = environment().from_string(f.read())
    return found


TEMPLATES = load()


def ask(path, body):
    words = {name: raised(template, body) for name, template in TEMPLATES.items()}
    return 200, {"templates": list(TEMPLATES), "raised": {name: w for name, w in words.items() if w}}


if __name__ == "__main__":
    server.serve(ask)

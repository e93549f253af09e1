"""Reads samples.json with OpenAI's SDK for Python, and prints each key that it does not know or misses, once.

Such differences as are written down in known-python.txt are not printed. The exit code is 1 when there are others, or fewer.
"""

import json
import sys
from pathlib import Path

from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter, ValidationError

KINDS = {"response": TypeAdapter(Response), "response event": TypeAdapter(ResponseStreamEvent)}


def unknown(value, path=""):
    """Yields the keys of a decoded value that its class does not have."""
    if isinstance(value, BaseModel):
        for key, extra in (value.model_extra or {}).items():
            yield f"{path}/{key}"
        for key in value.__class__.model_fields:
            yield from unknown(getattr(value, key), f"{path}/{key}")
    elif isinstance(value, list):
        for one in value:
            yield from unknown(one, path)


def differences(sample):
    try:
        value = KINDS[sample["kind"]].validate_python(sample["sent"])
    except ValidationError as error:
        for one in error.errors():
            where = [str(part) for part in one["loc"]]
            if sample["kind"] == "response" or where[:1] == [sample["sent"].get("type")]:
                yield f"{one['type']} {'/'.join(where)}"
            elif not any(str(e["loc"][0]) == sample["sent"].get("type") for e in error.errors()):
                yield f"{one['type']} of {sample['sent'].get('type')}"
        return
    for key in unknown(value):
        yield f"unknown {key}"


def main(samples, known):
    found = {f"{s['kind']}: {d}" for s in json.loads(Path(samples).read_text()) for d in differences(s)}
    expected = set(Path(known).read_text().splitlines()) if Path(known).exists() else set()
    for line in sorted(found - expected):
        print("new:", line)
    for line in sorted(expected - found):
        print("gone:", line)
    return found != expected


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Records a conversation of boto3, which signs its requests, in front of the mock provider, and plays the recording again.

    python3 selfcheck/converse_record.py LOOPPROOF

The signature is for the recorder, and the mock provider does not check it; AWS would: docs/record.md. What is kept has neither the
signature nor the key and the token of the session.
"""

import json
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import boto3

SECRETS = {"aws_access_key_id": "AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key": "wJalrXUtnFEMIK7MDENG", "aws_session_token": "IQoJb3JpZ2luX2Vj"}
MODEL = "us.anthropic.claude-opus-4-7"
TOOLS = {"tools": [{"toolSpec": {"name": "get_weather", "inputSchema": {"json": {"type": "object", "properties": {"city": {"type": "string"}}}}}}]}


@contextmanager
def running(*command: str):
    """A server, until the end of the block, by the address that it prints first."""
    process = subprocess.Popen([sys.argv[1], *command, "--addr", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield json.loads(process.stdout.readline())["base_url"]
    finally:
        process.terminate()
        process.wait()


def converse(url: str, stream: bool) -> list:
    """A round with a tool; what the model said in each turn."""
    client = boto3.client("bedrock-runtime", endpoint_url=url, region_name="us-east-1", **SECRETS)
    messages, said = [{"role": "user", "content": [{"text": "What is the weather in Oslo?"}]}], []
    for _ in range(2):
        request = {"modelId": MODEL, "messages": messages, "toolConfig": TOOLS}
        if stream:
            said.append([event for event in client.converse_stream(**request)["stream"]])
            break
        message = client.converse(**request)["output"]["message"]
        said.append(message)
        uses = [block["toolUse"]["toolUseId"] for block in message["content"] if "toolUse" in block]
        messages += [message, {"role": "user", "content": [{"toolResult": {"toolUseId": use, "content": [{"text": "4 C"}]}} for use in uses]}]
    return said


def check(stream: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with running("serve", "--profile", "bedrock-claude", "--scenario", "pairing/single-call") as upstream:
            with running("record", "--profile", "bedrock-claude", "--upstream", upstream, "--out", folder) as recorder:
                said = converse(recorder, stream)
        kept = b"".join(file.read_bytes() for file in Path(folder).rglob("*") if file.is_file())
        for secret in [*SECRETS.values(), "AWS4-HMAC-SHA256"]:
            assert secret.encode() not in kept, f"{secret} was kept"
        with running("serve", "--profile", "bedrock-claude", "--scenario", folder) as again:
            assert converse(again, stream) == said, "the recording says something else"


for way in (False, True):
    check(way)
print("boto3, which signs, was recorded, whole and streamed, and its recording played again")

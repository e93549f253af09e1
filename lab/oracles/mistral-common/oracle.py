"""mistral-common's own validation, served over HTTP: POST /{version}/v1/chat/completions, as in /v13/v1/chat/completions.

The library is asked in the mode `serving`. What its hosted API does besides is not in it: that has a schema of its own.
"""

import logging
import os
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

import server
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion


def ask(path, body):
    version = TokenizerVersion(path.split("/")[1])
    try:
        request = ChatCompletionRequest.from_openai(messages=body.get("messages"), tools=body.get("tools"), model=body.get("model") or "m")
        get_validator(version, ValidationMode.serving).validate_request(request)
    except Exception as e:
        return 400, {"type": type(e).__name__, "message": str(e) or repr(e)}
    return 200, {}


if __name__ == "__main__":
    server.serve(ask)

"""vLLM's own reading of requests, served over HTTP without a model.

VLLM names the unpacked source distribution. Run are its request models, validators, exception handlers and message
parsing, its conversion of Messages and Responses to Chat Completions, and, under /mistral/{version}, what it does with mistral-common.
What is not installed is made up (../standins.py). Of a server it lacks the chat template (see ../templates) and the engine.
"""

import json
import logging
import os
import sys
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.environ["VLLM"])
import server
import standins

standins.install(
    *"""torch triton transformers tokenizers xgrammar outlines_core llguidance zmq prometheus_client
    prometheus_fastapi_instrumentator torchvision torchaudio cupy ray compressed_tensors depyf gguf cv2 blake3 setproctitle
    tqdm huggingface_hub safetensors einops diskcache cpuinfo lark uvloop watchfiles numba flashinfer
    model_hosting_container_standards mcp ijson cbor2 sentencepiece scipy soundfile librosa av tvm_ffi quack cutlass
    fastsafetensors tilelang opentelemetry""".split(),
    *"""vllm._C vllm.distributed vllm.model_executor vllm.compilation vllm.lora vllm.kernels vllm.platforms vllm.third_party
    vllm.transformers_utils vllm.v1 vllm.multimodal vllm.ir vllm.config vllm.engine vllm.parser vllm.reasoning
    vllm.tool_parsers vllm.plugins vllm.tokenizers vllm.inputs vllm.entrypoints.launchers vllm.beam_search""".split(),
    real=["vllm.v1", "vllm.v1.serial_utils", "vllm.tokenizers", "vllm.tokenizers.mistral", "vllm.tokenizers.protocol",
          "vllm.tool_parsers", "vllm.tool_parsers.abstract_tool_parser", "vllm.tool_parsers.utils"],
)
logging.disable(logging.CRITICAL)

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from mistral_common.protocol.instruct.request import ChatCompletionRequest as MistralRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion
from vllm.entrypoints.anthropic.protocol import AnthropicMessagesRequest
from vllm.entrypoints.anthropic.serving import AnthropicServingMessages
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.entrypoints.openai.responses.protocol import ResponsesRequest
from vllm.entrypoints.openai.responses.utils import construct_input_messages, construct_tool_dicts
from vllm.entrypoints.serve.exception_handling.handlers.exception import exception_handler
from vllm.entrypoints.serve.exception_handling.handlers.validation import validation_exception_handler
from vllm.exceptions import VLLMError
from vllm.renderers.chat_utils import parse_chat_messages
from vllm.tokenizers import mistral as vllm_mistral

app = FastAPI()
app.state.args = SimpleNamespace(log_error_stack=False)
app.exception_handler(RequestValidationError)(validation_exception_handler)
for kind in (VLLMError, ValueError, TypeError, OverflowError, NotImplementedError, Exception):
    app.exception_handler(kind)(exception_handler)


class Model:
    """The configuration of a text model, of which message parsing asks for little."""

    hf_config = SimpleNamespace(model_type="qwen3")
    multimodal_config = None

    def __getattr__(self, name):
        return None


MODEL = Model()


def parse(request):
    conversation, _, _ = parse_chat_messages(request.messages, MODEL, content_format="string")
    json.dumps(conversation, default=str).encode()  # the tokenizer wants valid Unicode
    return conversation


@app.post("/v1/chat/completions")
async def chat(request: ChatCompletionRequest, raw: Request):
    parse(request)
    return {}


@app.post("/v1/messages")
async def messages(request: AnthropicMessagesRequest, raw: Request):
    parse(AnthropicServingMessages.to_chat_completion_request(request))
    return {}


@app.post("/v1/responses")
async def responses(request: ResponsesRequest, raw: Request):
    """What OpenAIServingResponses.create_responses does without a store, up to the tokens."""
    if request.previous_response_id is not None:
        error = {"message": f"Response with id '{request.previous_response_id}' not found.", "type": "invalid_request_error", "param": "response_id", "code": 404}
        return JSONResponse({"error": error}, status_code=404)
    construct_tool_dicts(request.tools, request.tool_choice)
    parse(SimpleNamespace(messages=construct_input_messages(request_instructions=request.instructions, request_input=request.input)))
    return {}


@app.post("/mistral/{version}/v1/chat/completions")
async def mistral(version: str, request: ChatCompletionRequest, raw: Request):
    """What OnlineRenderer.render_chat and MistralRenderer.render_messages do, up to the tokens."""
    vllm_mistral.maybe_serialize_tool_calls(request)
    vllm_mistral.truncate_tool_call_ids(request)
    vllm_mistral.validate_request_params(request)
    tools = None if request.tools is None else [tool.model_dump() for tool in request.tools]
    parse(request)
    try:  # safe_apply_chat_template turns every exception into a ValueError
        vllm_mistral._validate_apply_chat_template_args(request.messages, request.continue_final_message, request.add_generation_prompt)
        asked = MistralRequest.from_openai(messages=request.messages, tools=tools, continue_final_message=request.continue_final_message)
        get_validator(TokenizerVersion(version), ValidationMode.test).validate_request(asked)
    except Exception as e:
        raise ValueError(str(e)) from e
    return {}


if __name__ == "__main__":
    server.serve_app(app)

"""SGLang's own reading of requests to Chat Completions, served over HTTP without a model.

SGLANG names the unpacked wheel. Run are its request models, the handler of schema errors, OpenAIServingChat's
_validate_request and the reading of the arguments of calls in the history, with which the chat template is applied.
What is not installed is made up (../standins.py). Of a server it lacks the chat template (see ../templates) and the engine.
"""

import ast
import logging
import os
import sys
from http import HTTPStatus
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.environ["SGLANG"])
import server
import standins

standins.install(
    *"""torch triton transformers tokenizers xgrammar outlines outlines_core llguidance zmq prometheus_client torchvision
    torchaudio compressed_tensors gguf cv2 setproctitle tqdm huggingface_hub safetensors einops flashinfer sgl_kernel uvloop
    IPython decord librosa soundfile modelscope interegular torch_memory_saver torchao cuda scipy blobfile datasets build
    timm hf_transfer openai_harmony msgpack dill zstandard aiohttp_retry ray tilelang quack nvidia grpc smg_grpc_proto
    smg_grpc_servicer sglang_kernel av PIL opentelemetry apache_tvm_ffi tvm_ffi gpustat kernels pynvml py_spy peft
    torchcodec cutlass watchfiles""".split(),
    *"""sglang.srt.utils.hf_transformers_patches sglang.srt.layers sglang.srt.distributed sglang.srt.managers
    sglang.srt.model_executor sglang.srt.mem_cache sglang.srt.hardware_backend sglang.srt.disaggregation
    sglang.srt.multimodal sglang.srt.models sglang.srt.lora sglang.srt.speculative sglang.srt.observability
    sglang.srt.tokenizer sglang.srt.constrained sglang.srt.weight_sync sglang.srt.configs sglang.srt.eplb sglang.kernels
    sglang.jit_kernel sglang.srt.runtime_context sglang.srt.arg_groups sglang.srt.server_args
    sglang.srt.utils.hf_transformers_utils sglang.srt.utils.hf_transformers sglang.srt.plugins sglang.srt.platforms
    sglang.srt.function_call""".split(),
)
logging.disable(logging.CRITICAL)

import sglang.srt.entrypoints.openai.serving_chat as serving
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sglang.srt.entrypoints.openai.protocol import ChatCompletionRequest, ErrorResponse

serving.get_model = lambda: SimpleNamespace(context_length=None)
serving.get_serving = lambda: SimpleNamespace(trust_request_chat_template=False, allow_auto_truncate=False)


class Chat:
    """What the checks ask of OpenAIServingChat."""

    is_minimax_m3 = False
    tokenizer_manager = SimpleNamespace(model_config=SimpleNamespace(is_multimodal=True))
    _validate_request = serving.OpenAIServingChat._validate_request
    _validate_media_content = serving.OpenAIServingChat._validate_media_content
    _effective_tools = serving.OpenAIServingChat._effective_tools


def schema_error_handler():
    """Takes the handler out of http_server.py, which cannot be imported without the engine."""
    path = os.path.join(os.environ["SGLANG"], "sglang/srt/entrypoints/http_server.py")
    with open(path) as f:
        tree = ast.parse(f.read())
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef) and any(getattr(a.annotation, "id", "") == "RequestValidationError" for a in node.args.args):
            node.decorator_list = []
            names = {"Request": Request, "RequestValidationError": RequestValidationError, "HTTPStatus": HTTPStatus, "ErrorResponse": ErrorResponse, "ORJSONResponse": JSONResponse}
            exec(compile(ast.Module([node], []), path, "exec"), names)
            return names[node.name]
    sys.exit(f"{path} has no handler of RequestValidationError any more")


app, chat_server = FastAPI(), Chat()
app.exception_handler(RequestValidationError)(schema_error_handler())


def refuse(message, kind, status=400):
    return JSONResponse(ErrorResponse(message=message, type=kind, code=status).model_dump(), status)


@app.post("/v1/chat/completions")
def chat(request: ChatCompletionRequest):
    try:  # as OpenAIServingBase.handle_request
        error = chat_server._validate_request(request)
        if error:
            return refuse(error, "BadRequestError")
        for message in [m.model_dump() for m in request.messages]:
            serving.normalize_assistant_tool_call_arguments(message)
    except ValueError as e:
        return refuse(str(e), "BadRequest")
    except Exception as e:
        return refuse(f"Internal server error: {e}", "InternalServerError", 500)
    return {}


if __name__ == "__main__":
    server.serve_app(app)

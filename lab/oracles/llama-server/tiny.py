"""Writes a tiny model of random weights, so that llama-server has one to load: python tiny.py OUT.gguf TEMPLATE.jinja

What it says makes no sense. Its chat template decides, as with any model, what the server renders.
"""

import sys

import gguf
import numpy as np

EMBEDDING, FEED_FORWARD, HEADS, LAYERS = 64, 128, 2, 1


def vocabulary(writer):
    tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % i for i in range(256)] + [bytes([c]) for c in range(32, 127)]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * 95
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([int(kind) for kind in kinds])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    return len(tokens)


def tensors(writer, vocabulary_size):
    random = np.random.default_rng(41)

    def weights(*shape):
        return (random.standard_normal(shape) * 0.05).astype(np.float32)

    ones = np.ones(EMBEDDING, np.float32)
    writer.add_tensor("token_embd.weight", weights(vocabulary_size, EMBEDDING))
    writer.add_tensor("output.weight", weights(vocabulary_size, EMBEDDING))
    writer.add_tensor("output_norm.weight", ones)
    for i in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"blk.{i}.{name}.weight", weights(EMBEDDING, EMBEDDING))
        writer.add_tensor(f"blk.{i}.ffn_gate.weight", weights(FEED_FORWARD, EMBEDDING))
        writer.add_tensor(f"blk.{i}.ffn_up.weight", weights(FEED_FORWARD, EMBEDDING))
        writer.add_tensor(f"blk.{i}.ffn_down.weight", weights(EMBEDDING, FEED_FORWARD))
        writer.add_tensor(f"blk.{i}.attn_norm.weight", ones)
        writer.add_tensor(f"blk.{i}.ffn_norm.weight", ones)


def main(out, template):
    writer = gguf.GGUFWriter(out, "llama")
    writer.add_name("tiny")
    writer.add_context_length(32768)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    size = vocabulary(writer)
    with open(template) as f:
        writer.add_chat_template(f.read())
    tensors(writer, size)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} OUT.gguf TEMPLATE.jinja")
    main(*sys.argv[1:])

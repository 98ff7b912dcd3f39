"""The tiny byte-level BPE vocabulary that every tiny model carries, and its chat template."""

from __future__ import annotations

from gguf import TokenType

SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")

# Pairs in order of rank, in readable form: "_" stands for a space.
_MERGES = """
h e|t he|_ t|i n|r e|_ a|o n|e r|_t he|a t|_ s|o u|e n|n d|_ w|i s|o r|_a nd|in g|_ b|e s|i t|_ i|_ o|a r|_ c|l l|_o f|e d|_t o|
a n|_b l|_bl u|_blu e|_s k|_sk y|_w h|_wh y|_i s|s t|i c
"""

CHAT_TEMPLATE = (
    "{%- for message in messages -%}\n"
    "<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] | trim }}<|im_end|>\n"
    "{% endfor -%}\n"
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif -%}\n"
)


def byte_alphabet() -> list[str]:
    """The 256 printable characters that byte-level BPE writes for bytes 0 to 255, as in GPT-2.

    Bytes that are printable in Latin-1 stand for themselves; the others follow from U+0100 in byte order.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    shifted = {byte: chr(0x100 + i) for i, byte in enumerate(others)}
    return [shifted.get(byte, chr(byte)) for byte in range(256)]


def merges() -> list[str]:
    """The merge rules as GGUF stores them: two pieces with one space between."""
    space = byte_alphabet()[0x20]
    return [rule.replace("_", space) for rule in _MERGES.replace("\n", "").split("|")]


def tokens() -> list[str]:
    """All token strings in id order: bytes, merged pieces, special tokens."""
    pieces = byte_alphabet() + [rule.replace(" ", "") for rule in merges()]
    assert len(set(pieces)) == len(pieces), "two merges make the same piece"
    return pieces + list(SPECIAL_TOKENS)


def token_types() -> list[int]:
    n_control = len(SPECIAL_TOKENS)
    return [int(TokenType.NORMAL)] * (len(tokens()) - n_control) + [int(TokenType.CONTROL)] * n_control

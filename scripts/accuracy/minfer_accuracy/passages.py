"""The tokens on which models are compared: beginnings of texts, or random ids for models that know no language."""

from __future__ import annotations

import importlib
import inspect
import platform
import zlib
from dataclasses import dataclass
from pydoc_data.topics import topics

import numpy as np

TOPICS = ("attribute-access", "compound", "customization", "debugger", "execmodel", "formatstrings", "import", "types")
MODULES = ("dataclasses", "difflib", "fractions", "heapq", "random", "shlex", "statistics", "textwrap")


@dataclass(frozen=True)
class Plan:
    """How many tokens are compared: every passage starts a new sequence."""

    n_passages: int
    passage_length: int
    prompt_length: int
    continuation_length: int


REAL = Plan(n_passages=16, passage_length=512, prompt_length=32, continuation_length=128)
TINY = Plan(n_passages=16, passage_length=64, prompt_length=8, continuation_length=56)


def texts() -> list[str]:
    """Sixteen texts that every Python brings along: pages of its language reference and sources of its library."""
    pages = [topics[name] for name in TOPICS]
    sources = [inspect.getsource(importlib.import_module(name)) for name in MODULES]
    return [text for pair in zip(pages, sources) for text in pair]


def describe_texts() -> str:
    return f"reference pages and library sources of Python {platform.python_version()}"


def random_tokens(name: str, n_vocab: int, plan: Plan) -> list[list[int]]:
    """Passages of random ids, always the same for a model of this name."""
    rng = np.random.Generator(np.random.PCG64([zlib.crc32(name.encode()), 2]))
    return rng.integers(0, n_vocab, (plan.n_passages, plan.passage_length)).tolist()

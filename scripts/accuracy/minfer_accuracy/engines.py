"""Runs the two programs whose logits are measured, one process for each passage."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np


def _run(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"accuracy: {' '.join(words)} ended with {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


@dataclass(frozen=True)
class Engines:
    """The programs and what they are told beside model and tokens."""

    minfer: str
    llama_logits: str
    n_threads: int
    kv_f32: bool
    flash_attention: bool

    def tokenize(self, model: Path, text: str) -> list[int]:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
            file.write(text)
            file.flush()
            words = [self.minfer, "tokenize", "-m", str(model), "--file", file.name, "--no-parse-special"]
            return json.loads(_run(words))

    def _minfer(self, model: Path, tokens: Path, output: Path) -> None:
        words = [self.minfer, "eval", "-m", str(model), "--tokens-file", str(tokens), "--logits", str(output)]
        words += ["-t", str(self.n_threads), "--cache-type", "f32" if self.kv_f32 else "f16", "--quiet"]
        _run(words)

    def _llama(self, model: Path, tokens: Path, output: Path) -> None:
        words = [self.llama_logits, str(model), str(tokens), str(output), "--threads", str(self.n_threads)]
        words += ["--kv-f32"] if self.kv_f32 else []
        words += [] if self.flash_attention else ["--no-flash-attention"]
        _run(words)

    def logits(self, model: Path, tokens: list[int]) -> dict[str, np.ndarray]:
        """float32 [n_tokens, n_vocab] of each engine, by its name."""
        with tempfile.TemporaryDirectory() as folder:
            ids, ours, theirs = (Path(folder) / name for name in ("ids.txt", "minfer.npy", "llama.f32"))
            ids.write_text("\n".join(map(str, tokens)), encoding="utf-8")
            self._minfer(model, ids, ours)
            self._llama(model, ids, theirs)
            return {
                "minfer": np.load(ours),
                "llama.cpp": np.fromfile(theirs, "<f4").reshape(len(tokens), -1),
            }

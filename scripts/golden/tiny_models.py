#!/usr/bin/env python3
"""Builds the tiny random models of tests/data/models and their reference logits.

For every case of minfer_golden/cases.py it writes NAME.gguf and NAME.logits.f32, and one manifest.json for all.
Needs the packages of requirements.txt. The same versions and seed give the same files; --check proves it.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

from minfer_golden import divergence, vocabulary
from minfer_golden.cases import CASES, Case
from minfer_golden.gguf_file import write_gguf
from minfer_golden.own_model import OwnModel
from minfer_golden.reference import reference_logits
from minfer_golden.weights import make_input_tokens, make_tensors

DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "tests" / "data" / "models"
MANIFEST = "manifest.json"
PACKAGES = ("gguf", "numpy", "torch", "transformers")
# Two float64 computations of the same small model differ by rounding alone.
AGREEMENT = 1e-10
MAX_RELATIVE_LOGIT_DIFFERENCE = 1e-4
MAX_KL_RATIO = 1.5


def _bar(case: Case, logits_std: float, mean_kl: float) -> dict:
    """What an engine must reach on this case: a bound on logits where no activation is rounded, else one on KL."""
    if case.is_float:
        return {"max_abs_logit_difference": MAX_RELATIVE_LOGIT_DIFFERENCE * logits_std}
    return {"max_mean_kl": MAX_KL_RATIO * mean_kl}


def build_case(case: Case, folder: Path, seed: int) -> dict:
    """Writes one case's files into the folder; its entry of the manifest."""
    n_vocab = len(vocabulary.tokens())
    tensors, tokens = make_tensors(case, n_vocab, seed), make_input_tokens(case, n_vocab, seed)
    gguf_path, logits_path = folder / f"{case.name}.gguf", folder / f"{case.name}.logits.f32"
    write_gguf(case, tensors, gguf_path)

    reference = reference_logits(case, tensors, tokens, n_vocab)
    exact = OwnModel(gguf_path, activation_rule=False).logits(tokens)
    assert np.abs(exact - reference).max() <= AGREEMENT * reference.std(), f"{case.name}: the two models disagree"
    reference, rounded = (
        rows[case.first_position :] for rows in (reference, OwnModel(gguf_path, activation_rule=True).logits(tokens))
    )
    reference.astype("<f4").tofile(logits_path)

    kl = divergence.kl_per_position(reference, rounded)
    logits_std, mean_kl = float(reference.std()), 0.0 if case.is_float else float(kl.mean())
    return {
        "name": case.name,
        "arch": case.arch,
        "dtype": case.dtype.name,
        "variant": case.variant(),
        "gguf": gguf_path.name,
        "logits": logits_path.name,
        "n_vocab": n_vocab,
        "first_position": case.first_position,
        "n_positions": len(reference),
        "logits_std": logits_std,
        "mean_kl_activation_rule": mean_kl,
        "max_kl_activation_rule": 0.0 if case.is_float else float(kl.max()),
        "bar": _bar(case, logits_std, mean_kl),
        "tokens": tokens,
    }


def _print_case(entry: dict, folder: Path) -> None:
    size_kib = sum((folder / entry[part]).stat().st_size for part in ("gguf", "logits")) / 1024
    print(
        f"{entry['name']:24} {size_kib:7.0f} KiB  std {entry['logits_std']:.3f}"
        f"  KL of the rule {entry['mean_kl_activation_rule']:.3e}  {' '.join(entry['variant'])}",
        flush=True,
    )


def _dump_manifest(manifest: dict) -> str:
    """JSON with one line for each list of numbers, so that differences can be read."""
    cases = [
        "    {\n" + ",\n".join(f"      {json.dumps(key)}: {json.dumps(value)}" for key, value in case.items()) + "\n    }"
        for case in manifest["cases"]
    ]
    head = json.dumps({key: value for key, value in manifest.items() if key != "cases"}, indent=2)
    return head.removesuffix("\n}") + ',\n  "cases": [\n' + ",\n".join(cases) + "\n  ]\n}\n"


def build_all(folder: Path, seed: int) -> None:
    """Writes the files of all cases and the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for case in CASES:
        entries.append(build_case(case, folder, seed))
        _print_case(entries[-1], folder)
    manifest = {
        "command": f"python3 scripts/golden/tiny_models.py --seed {seed}",
        "seed": seed,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        "cases": entries,
    }
    (folder / MANIFEST).write_text(_dump_manifest(manifest), encoding="utf-8")


def check(folder: Path, seed: int) -> int:
    """Builds everything anew elsewhere and compares; the number of files that differ."""
    with tempfile.TemporaryDirectory() as scratch:
        build_all(Path(scratch), seed)
        names = sorted(path.name for path in Path(scratch).iterdir())
        _, different, missing = filecmp.cmpfiles(scratch, folder, names, shallow=False)
    for name in different + missing:
        print(f"differs: {name}", file=sys.stderr)
    return len(different + missing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DEFAULT_FOLDER, help="folder to write (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=3, help="seed of all random numbers (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if --out differs from a new build")
    options = parser.parse_args()
    if options.check:
        return 1 if check(options.out, options.seed) else 0
    build_all(options.out, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())

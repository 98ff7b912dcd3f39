#!/usr/bin/env python3
"""Measures how far minfer's logits and llama.cpp's lie from those of the float model, on the same tokens.

  accuracy.py measure MODEL.gguf ...   real models, on text; tiny models of tests/data/models, on random ids
  accuracy.py check                    exit status 1 if a result misses a bar
  accuracy.py table                    writes the results into docs/numerics.md

Needs the packages of requirements.txt, minfer, and llama_logits (build_llama_logits.sh). See README.md.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TINY_FOLDER = ROOT / "tests" / "data" / "models"
RESULTS = ROOT / "build" / "accuracy"
# llama.cpp reads no qwen2 file whose heads are not width / heads wide.
REFUSED_BY_LLAMA = ("qwen2-f32-head-size",)


def _measure(options: argparse.Namespace) -> int:
    from minfer_accuracy import passages, table
    from minfer_accuracy.engines import Engines
    from minfer_accuracy.measure import measure

    engines = Engines(
        options.minfer, options.llama_logits, options.threads, options.kv_f32, not options.no_flash_attention
    )
    options.results.mkdir(parents=True, exist_ok=True)
    for model in options.models:
        if model.stem in REFUSED_BY_LLAMA:
            print(f"{model.stem}: left out, llama.cpp refuses it")
            continue
        is_real = model.resolve().parent != TINY_FOLDER
        plan = passages.REAL if is_real else passages.TINY
        if options.passages:
            plan = dataclasses.replace(plan, n_passages=options.passages)
        result = measure(engines, model, plan, is_real)
        (options.results / f"{model.stem}.json").write_text(json.dumps(result), encoding="utf-8")
        print(f"{model.stem}: ratio of mean KL {table.kl_ratio(result):.3f}")
        for name, numbers in result["engines"].items():
            print(f"  {name:10}" + " ".join(f"{key} {value:.5g}" for key, value in numbers.items()), flush=True)
    return 0


def _read_results(folder: Path) -> list[dict]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def _check(options: argparse.Namespace) -> int:
    from minfer_accuracy import table

    results = _read_results(options.results)
    missed = [line for result in results for line in table.missed_bars(result)]
    n_real = sum(result["real"] for result in results)
    print("\n".join([*missed, f"{n_real} real and {len(results) - n_real} tiny models, {len(missed)} bars missed"]))
    return 1 if missed or not results else 0


def _table(options: argparse.Namespace) -> int:
    from minfer_accuracy import table

    results = _read_results(options.results)
    assert all(result["kv"] == "f16" and result["flash_attention"] for result in results), "only defaults are published"
    table.write(ROOT / "docs" / "numerics.md", table.render(results, options.peer))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    measure = commands.add_parser("measure", help="measure models")
    measure.add_argument("models", nargs="+", type=Path, metavar="MODEL")
    measure.add_argument("--minfer", default=str(ROOT / "build" / "release" / "minfer"), help="default: %(default)s")
    measure.add_argument("--llama-logits", required=True, help="what build_llama_logits.sh built")
    measure.add_argument("--threads", type=int, default=1, help="threads of each engine (default: %(default)s)")
    measure.add_argument("--passages", type=int, help="fewer passages, for a quick look")
    measure.add_argument("--kv-f32", action="store_true", help="keys and values in f32 in both engines")
    measure.add_argument("--no-flash-attention", action="store_true", help="llama.cpp's other attention")
    measure.set_defaults(run=_measure)
    check = commands.add_parser("check", help="compare results with the bars")
    check.set_defaults(run=_check)
    table = commands.add_parser("table", help="write docs/numerics.md")
    table.add_argument("--peer", required=True, help="which llama.cpp was measured, for the page")
    table.set_defaults(run=_table)
    for command in (measure, check, table):
        command.add_argument("--results", type=Path, default=RESULTS, help="folder of results (default: %(default)s)")
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())

"""The bars, and the table that docs/numerics.md shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np

BEGIN = "<!-- accuracy table: written by scripts/accuracy/accuracy.py -->"
END = "<!-- end of accuracy table -->"
MAX_KL_RATIO_REAL = 1.05
MAX_KL_RATIO_TINY = 1.25


def kl_ratio(result: dict) -> float:
    """minfer's mean KL in units of llama.cpp's."""
    return result["engines"]["minfer"]["mean_kl"] / result["engines"]["llama.cpp"]["mean_kl"]


def kl_ratio_error(result: dict) -> float:
    """Standard error of the ratio, from leaving out one passage at a time: passages are independent, positions are not."""
    sums = {name: np.array([sum(passage) for passage in passages]) for name, passages in result["kl"].items()}
    ours, theirs = sums["minfer"], sums["llama.cpp"]
    ratios = (ours.sum() - ours) / (theirs.sum() - theirs)
    n = len(ratios)
    return float(np.sqrt((n - 1) / n * ((ratios - ratios.mean()) ** 2).sum()))


def _ratio_text(result: dict) -> str:
    return f"{kl_ratio(result):.2f} ± {kl_ratio_error(result):.2f}"


def missed_bars(result: dict) -> list[str]:
    """What this model misses, in words."""
    bar = MAX_KL_RATIO_REAL if result["real"] else MAX_KL_RATIO_TINY
    ours, theirs = (result["engines"][name]["clear_disagreements"] for name in ("minfer", "llama.cpp"))
    missed = []
    if not kl_ratio(result) <= bar:
        missed.append(f"{result['model']}: mean KL is {kl_ratio(result):.3f} times llama.cpp's, the bar is {bar}")
    if ours > theirs:
        missed.append(f"{result['model']}: {ours} clear disagreements, llama.cpp has {theirs}")
    return missed


def _engine_row(result: dict, name: str) -> str:
    n = result["engines"][name]
    cells = [
        result["model"] if name == "minfer" else "",
        name,
        f"{n['mean_kl']:.3g}",
        _ratio_text(result) if name == "minfer" else "",
        f"{n['p99_kl']:.3g}",
        f"{n['first_kl']:.3g}",
        f"{100 * n['top1_agreement']:.2f} %",
        f"{n['nll_difference']:+.1e}",
        f"{n['clear_disagreements']} of {n['n_clear']}",
    ]
    return f"| {' | '.join(cells)} |"


def _real_table(results: list[dict]) -> list[str]:
    lines = [
        "| file | engine | mean KL | ratio of means | 99th percentile | first four | same top token | NLL difference "
        "| clear disagreements |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for result in results:
        lines += [_engine_row(result, name) for name in result["engines"]]
    return lines


def _tiny_row(result: dict) -> str:
    ours, theirs = (result["engines"][name] for name in ("minfer", "llama.cpp"))
    cells = [result["model"]]
    for name in ("mean_kl", "p99_kl", "first_kl"):
        cells.append(f"{ours[name]:.2g} / {theirs[name]:.2g}")
    cells.append(_ratio_text(result))
    cells.append(f"{100 * ours['top1_agreement']:.1f} / {100 * theirs['top1_agreement']:.1f} %")
    cells.append(f"{ours['clear_disagreements']} / {theirs['clear_disagreements']} of {ours['n_clear']}")
    return f"| {' | '.join(cells)} |"


def _tiny_table(results: list[dict]) -> list[str]:
    lines = [
        "| minfer / llama.cpp | mean KL | 99th percentile | first four | ratio of means | same top token | clear disagreements |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    return lines + [_tiny_row(result) for result in results]


def _positions(results: list[dict]) -> str:
    numbers = sorted({result["engines"]["minfer"]["n_positions"] for result in results})
    return " or ".join(f"{number:,}" for number in numbers)


def render(results: list[dict], peer: str) -> str:
    """The text between the markers."""
    real = sorted((r for r in results if r["real"]), key=lambda r: r["model"])
    tiny = sorted((r for r in results if not r["real"]), key=lambda r: r["model"])
    lines = [f"llama.cpp: {peer}."]
    if real:
        lines += ["", f"{_positions(real)} positions of text ({real[0]['text']}):", "", *_real_table(real)]
    if tiny:
        lines += ["", f"Tiny models, {_positions(tiny)} positions of random ids:", "", *_tiny_table(tiny)]
    return "\n".join(lines)


def write(page: Path, text: str) -> None:
    """Replaces what stands between the markers of a page."""
    old = page.read_text(encoding="utf-8")
    head, rest = old.split(BEGIN)
    tail = rest.split(END)[1]
    page.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", encoding="utf-8")

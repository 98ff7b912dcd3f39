"""Measures one model: all passages through the reference and both engines."""

from __future__ import annotations

from pathlib import Path

from minfer_golden.reference import ReferenceModel

from . import distance, float_model, passages
from .engines import Engines
from .passages import Plan

ENGINES = ("minfer", "llama.cpp")


def _compare_all(reference: ReferenceModel, engines: Engines, model: Path, sequences: list[list[int]]) -> dict:
    """The distances of every sequence, by engine."""
    found = {name: [] for name in ENGINES}
    for tokens in sequences:
        expected, logits = reference.logits(tokens), engines.logits(model, tokens)
        for name in ENGINES:
            found[name].append(distance.compare(expected, logits[name], tokens))
        kl = " ".join(f"{name} {found[name][-1]['kl'].mean():.3e}" for name in ENGINES)
        print(f"{model.stem}: {len(found[ENGINES[0]])}/{len(sequences)} mean KL {kl}", flush=True)
    return found


def _text_passages(engines: Engines, model: Path, plan: Plan) -> list[list[int]]:
    found = [engines.tokenize(model, text)[: plan.passage_length] for text in passages.texts()[: plan.n_passages]]
    assert all(len(tokens) == plan.passage_length for tokens in found), "a text is too short"
    return found


def measure(engines: Engines, model: Path, plan: Plan, from_text: bool) -> dict:
    """All numbers of one model, ready for JSON."""
    reference, n_vocab = float_model.load(model)
    if from_text:
        sequences, source = _text_passages(engines, model, plan), passages.describe_texts()
    else:
        sequences, source = passages.random_tokens(model.stem, n_vocab, plan), "random ids"
    prompts = [tokens[: plan.prompt_length] for tokens in sequences]
    continued = reference.greedy(prompts, plan.continuation_length)
    greedy = [prompt + continuation for prompt, continuation in zip(prompts, continued)]

    on_text = _compare_all(reference, engines, model, sequences)
    on_greedy = _compare_all(reference, engines, model, greedy)
    for tokens, passage in zip(greedy, on_greedy["minfer"]):
        predicted = passage["reference_top"][plan.prompt_length - 1 : -1].tolist()
        assert predicted == tokens[plan.prompt_length :], "the reference with and without its cache disagree"
    results = {
        name: distance.summarize_text(on_text[name]) | distance.summarize_greedy(on_greedy[name], plan.prompt_length)
        for name in ENGINES
    }
    return {
        "model": model.stem,
        "real": from_text,
        "types": float_model.type_counts(model),
        "text": source,
        "kv": "f32" if engines.kv_f32 else "f16",
        "flash_attention": engines.flash_attention,
        "engines": results,
        "kl": {name: [passage["kl"].tolist() for passage in on_text[name]] for name in ENGINES},
    }

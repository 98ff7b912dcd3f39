#!/usr/bin/env python3
"""minfer bench against llama-bench on the same file, CPUs and tests; prints one Markdown table.

Rounds are interleaved: minfer, peer, minfer again. The second minfer series is the control: where its median lies more
than --control percent from the first one's, the machine was not quiet enough: no ratio is printed, the exit code is 1.
"""

import argparse
import json
import os
import statistics
import sys

import rig


def parse_arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minfer", required=True, metavar="PATH", help="the program minfer")
    parser.add_argument("--llama-bench", required=True, metavar="PATH", help="llama-bench of llama.cpp or ik_llama.cpp")
    parser.add_argument("--model", required=True, action="append", metavar="FILE", help="GGUF file; repeatable")
    parser.add_argument("-p", "--n-prompt", default="512", metavar="N,…", help="prompt lengths (default 512)")
    parser.add_argument("-n", "--n-gen", default="128", metavar="N,…", help="generation lengths (default 128)")
    parser.add_argument("-d", "--n-depth", default="0", metavar="N,…", help="depths (default 0)")
    parser.add_argument("-t", "--threads", type=rig.positive, default=2, metavar="N", help="threads (default 2)")
    parser.add_argument("-r", "--repetitions", type=rig.positive, default=2, metavar="N",
                        help="timed runs of each test in one round (default 2); a round counts with their median")
    parser.add_argument("--rounds", type=rig.positive, default=7, metavar="N", help="rounds (default 7)")
    parser.add_argument("--cpus", metavar="LIST", help="CPUs for both programs, such as 0,1 (default: the first -t)")
    parser.add_argument("--control", type=float, default=3.0, metavar="PERCENT",
                        help="largest distance of the control's median (default 3)")
    parser.add_argument("--minfer-args", default="", metavar="WORDS", help="more options for minfer bench")
    parser.add_argument("--peer-args", default="", metavar="WORDS", help='more options for the peer, such as "-rtr 1"')
    parser.add_argument("--peer-name", default="llama.cpp", metavar="NAME", help="the peer's name in the table")
    parser.add_argument("--timeout", type=rig.positive, default=1800, metavar="S", help="for one call (default 1800)")
    return parser.parse_args(words)


def test_name(row):
    """pp512, tg128 @ d1024, pp512+tg128."""
    parts = [f"{kind}{row[key]}" for kind, key in (("pp", "n_prompt"), ("tg", "n_gen")) if row[key] > 0]
    return "+".join(parts) + (f" @ d{row['n_depth']}" if row.get("n_depth", 0) > 0 else "")


def measure(command, timeout):
    """({test: median of its tokens per second}, the fields of the first result)."""
    out = rig.run(command, timeout)
    try:
        rows = json.loads(out)
        rates = {test_name(row): statistics.median(row["samples_ts"]) for row in rows}
        return rates, rows[0]
    except (ValueError, KeyError, IndexError, TypeError, statistics.StatisticsError) as error:
        raise rig.Failure(f"not the JSON of a benchmark ({error!r}): {' '.join(command)}") from error


class Series:
    """The rates of one program over all rounds."""

    def __init__(self, command):
        self.command = command
        self.rates = {}  # test -> one rate for each round
        self.fields = {}

    def add_round(self, timeout):
        rates, self.fields = measure(self.command, timeout)
        for test, rate in rates.items():
            self.rates.setdefault(test, []).append(rate)


def compare_model(options, model):
    tests = ["-m", model, "-p", options.n_prompt, "-n", options.n_gen, "-d", options.n_depth,
             "-t", str(options.threads), "-r", str(options.repetitions), "-o", "json"]
    ours_command = [options.minfer, "bench", *tests, *options.minfer_args.split()]
    ours, control = Series(ours_command), Series(ours_command)
    peer = Series([options.llama_bench, *tests, *options.peer_args.split()])
    for i in range(options.rounds):
        rig.note(f"{os.path.basename(model)}: round {i + 1} of {options.rounds}")
        for series in (ours, peer, control):
            series.add_round(options.timeout)
    if set(ours.rates) != set(peer.rates):
        raise rig.Failure(f"the programs ran other tests: {sorted(ours.rates)} and {sorted(peer.rates)}")
    return ours, peer, control


def rate_text(values):
    return f"{statistics.median(values):.2f} ± {100 * rig.spread(values):.1f} %"


def table_rows(model, ours, peer, control):
    """Lines of the table: the ratio of the medians, and the least and the largest ratio of one round."""
    lines = []
    for test, rates in ours.rates.items():
        ratios = [a / b for a, b in zip(rates, peer.rates[test])]
        ratio = statistics.median(rates) / statistics.median(peer.rates[test])
        error = 100 * rig.control_error(rates, control.rates[test])
        lines.append(f"| {os.path.basename(model)} | {test} | {rate_text(rates)} | {rate_text(peer.rates[test])} "
                     f"| **{ratio:.2f}** ({min(ratios):.2f} to {max(ratios):.2f}) | {error:.1f} % |")
    return lines


def failed_controls(model, ours, control, limit):
    failures = []
    for test, rates in ours.rates.items():
        error = 100 * rig.control_error(rates, control.rates[test])
        if error > limit:
            failures.append(f"{os.path.basename(model)} {test}: two series of minfer differ by {error:.1f} % "
                            f"({rate_text(rates)}, {rate_text(control.rates[test])})")
    return failures


def report(options, cpus_lines, results):
    ours, peer, _ = results[0][1:]
    lines = [*cpus_lines,
             f"- minfer {ours.fields.get('build_commit')}, {ours.fields.get('cpu_isa')}; "
             f"{options.peer_name} {peer.fields.get('build_commit')} ({peer.fields.get('build_number', '?')})",
             f"- {options.threads} threads, {options.rounds} rounds, interleaved, of {options.repetitions} runs; "
             "median ± half the distance of the quartiles; ratio of the medians (range over the rounds)"]
    if options.peer_args or options.minfer_args:
        lines.append(f"- options besides: minfer `{options.minfer_args}`, {options.peer_name} `{options.peer_args}`")
    lines += ["", f"| file | test | minfer t/s | {options.peer_name} t/s | ratio | control |",
              "| --- | --- | ---: | ---: | ---: | ---: |"]
    for result in results:
        lines += table_rows(*result)
    return "\n".join(lines)


def main(words):
    options = parse_arguments(words)
    try:
        cpus = rig.parse_cpus(options.cpus) if options.cpus else rig.default_cpus(options.threads)
        rig.pin(cpus)
        cpus_lines = rig.machine_lines(cpus)
        results = [(model, *compare_model(options, model)) for model in options.model]
    except rig.Failure as failure:
        rig.note(f"compare: {failure}")
        return 2
    failures = []
    for model, ours, _, control in results:
        failures += failed_controls(model, ours, control, options.control)
    if failures:
        rig.note(f"compare: no result: the control lies more than {options.control:g} % away. "
                 "Run it again with nothing else running.\n" + "\n".join(failures))
        return 1
    print(report(options, cpus_lines, results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

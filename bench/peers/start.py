#!/usr/bin/env python3
"""Time from the start of a process to the first token of a 16-token prompt: minfer run against llama-completion.

Both read the same file from a warm page cache, take the same prompt as it is (no chat template), produce one token and
end. The time runs from before the process exists to the first byte on its standard output; the time to its end is
printed too. Pairs are interleaved; medians count. The control is a second minfer run in every round.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

import rig

N_TOKENS = 16
TEXT = ("The harbour was quiet in the early morning, and the fishing boats lay still beside the old stone wall while "
        "gulls walked up and down")


def parse_arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minfer", required=True, metavar="PATH", help="the program minfer")
    parser.add_argument("--llama-completion", required=True, metavar="PATH",
                        help="llama-completion (or an older llama-cli) of the peer")
    parser.add_argument("--model", required=True, action="append", metavar="FILE", help="GGUF file; repeatable")
    parser.add_argument("-t", "--threads", type=rig.positive, default=2, metavar="N", help="threads (default 2)")
    parser.add_argument("--rounds", type=rig.positive, default=7, metavar="N", help="pairs (default 7)")
    parser.add_argument("--cpus", metavar="LIST", help="CPUs for both programs, such as 0,1 (default: the first -t)")
    parser.add_argument("--control", type=float, default=10.0, metavar="PERCENT",
                        help="largest distance of the control's median (default 10)")
    parser.add_argument("--peer-name", default="llama.cpp", metavar="NAME", help="the peer's name in the table")
    parser.add_argument("--timeout", type=rig.positive, default=300, metavar="S", help="for one call (default 300)")
    return parser.parse_args(words)


def prompt_of(options, model):
    """A text that the model's tokenizer reads as N_TOKENS tokens."""
    words = TEXT.split()
    for n in range(N_TOKENS, 0, -1):
        text = " ".join(words[:n])
        ids = rig.run([options.minfer, "tokenize", "-m", model, text], options.timeout)
        if ids.count(",") + 1 == N_TOKENS:
            return text
    raise rig.Failure(f"no beginning of the text is {N_TOKENS} tokens long for {model}")


def time_first_byte(command, timeout):
    """Seconds to the first byte of standard output, and to the end of the process."""
    start = time.perf_counter()
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise rig.Failure(f"cannot start {command[0]}: {error.strerror}") from error
    with process:
        first = process.stdout.read(1)
        first_byte = time.perf_counter() - start
        process.stdout.read()
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise rig.Failure(f"no end after {timeout} s: {' '.join(command)}") from error
        end = time.perf_counter() - start
    if code != 0 or not first:
        raise rig.Failure(f"exit code {code}, {'some' if first else 'no'} output: {' '.join(command)}")
    return first_byte, end


def compare_model(options, model):
    """Pairs (first byte, end) of each round: minfer's, the peer's, the control's."""
    prompt = prompt_of(options, model)
    common = ["-m", model, "-p", prompt, "-n", "1", "--temp", "0", "-t", str(options.threads)]
    ours_command = [options.minfer, "run", *common, "--raw", "--quiet", "--ignore-eos"]
    peer_command = [options.llama_completion, *common, "--no-warmup", "-no-cnv", "--no-display-prompt", "--ignore-eos"]
    for command in (ours_command, peer_command):  # fills the page cache
        time_first_byte(command, options.timeout)
    ours, peer, control = [], [], []
    for i in range(options.rounds):
        rig.note(f"{os.path.basename(model)}: round {i + 1} of {options.rounds}")
        for command, times in ((ours_command, ours), (peer_command, peer), (ours_command, control)):
            times.append(time_first_byte(command, options.timeout))
    return ours, peer, control


def milliseconds(times):
    return f"{1000 * statistics.median(times):.0f} ms ± {100 * rig.spread(times):.0f} %"


def table_rows(model, ours, peer, control):
    lines = []
    for i, what in enumerate(("first token", "end of the process")):
        a, b, c = ([times[i] for times in series] for series in (ours, peer, control))
        ratio = statistics.median(a) / statistics.median(b)
        lines.append(f"| {os.path.basename(model)} | {what} | {milliseconds(a)} | {milliseconds(b)} | **{ratio:.2f}** "
                     f"| {100 * rig.control_error(a, c):.1f} % |")
    return lines


def main(words):
    options = parse_arguments(words)
    try:
        cpus = rig.parse_cpus(options.cpus) if options.cpus else rig.default_cpus(options.threads)
        rig.pin(cpus)
        lines = rig.machine_lines(cpus)
        lines += [f"- minfer: {rig.version(options.minfer)}",
                  f"- {options.peer_name}: {rig.version(options.llama_completion)}"]
        results = [(model, *compare_model(options, model)) for model in options.model]
    except rig.Failure as failure:
        rig.note(f"start: {failure}")
        return 2
    lines += [f"- {N_TOKENS}-token prompt, one token, {options.threads} threads, {options.rounds} interleaved pairs, "
              "warm cache; median ± half the distance of the quartiles", "",
              f"| file | time from the start to | minfer | {options.peer_name} | ratio | control |",
              "| --- | --- | ---: | ---: | ---: | ---: |"]
    failures = []
    for model, ours, peer, control in results:
        lines += table_rows(model, ours, peer, control)
        error = 100 * rig.control_error([times[0] for times in ours], [times[0] for times in control])
        if error > options.control:
            failures.append(f"{os.path.basename(model)}: two series of minfer differ by {error:.1f} %")
    if failures:
        rig.note(f"start: no result: the control lies more than {options.control:g} % away. "
                 "Run it again with nothing else running.\n" + "\n".join(failures))
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

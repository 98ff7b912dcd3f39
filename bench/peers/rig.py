"""What the comparisons share: pinning, medians, the description of the machine."""

import datetime
import os
import statistics
import subprocess
import sys


class Failure(Exception):
    """A comparison that cannot be made; its text is for the user."""


def pin(cpus):
    """Keeps this process and all it starts on `cpus`: both programs run on the same ones."""
    try:
        os.sched_setaffinity(0, cpus)
    except OSError as error:
        raise Failure(f"cannot run on the CPUs {cpu_text(cpus)}: {error.strerror}") from error


def parse_cpus(text):
    """{0, 2, 3} from "0,2-3"."""
    cpus = set()
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            cpus.update(range(int(first), int(last or first) + 1))
    except ValueError:
        cpus = set()
    if not cpus:
        raise Failure(f"no list of CPUs: '{text}' (expected something like 0,1 or 0-3)")
    return cpus


def default_cpus(n):
    """The first n CPUs that this process may use."""
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < n:
        raise Failure(f"{n} threads on {len(usable)} usable CPUs: choose fewer with -t")
    return set(usable[:n])


def cpu_text(cpus):
    return ",".join(str(cpu) for cpu in sorted(cpus))


def run(command, timeout):
    """Standard output of a program; Failure with its last words when it fails."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
    except OSError as error:
        raise Failure(f"cannot start {command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Failure(f"no end after {timeout} s: {' '.join(command)}") from error
    if done.returncode != 0:
        last_words = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise Failure(f"exit code {done.returncode}: {' '.join(command)}\n{last_words}")
    return done.stdout


def version(program):
    """What a program says about its version and build, as one line."""
    try:
        done = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(f"cannot ask {program} for its version: {error}") from error
    lines = (" ".join(line.split()) for line in (done.stdout + done.stderr).splitlines())
    told = [line for line in lines if line.startswith(("minfer ", "version", "build:", "built ", "isa:"))]
    return "; ".join(told) or "unknown version"


def spread(values):
    """Half of the distance between the quartiles, as a share of the median."""
    quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return (quartiles[2] - quartiles[0]) / 2 / statistics.median(values)


def control_error(values, again):
    """How far the medians of two series of the same program lie apart, as a share."""
    return abs(statistics.median(values) / statistics.median(again) - 1)


def machine_lines(cpus):
    """Lines of Markdown that say where and when."""
    model = "unknown CPU"
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    load = os.getloadavg()[0]
    return [
        f"- machine: {model}, {os.cpu_count()} CPUs, Linux {os.uname().release}, load {load:.2f} before the start",
        f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- pinned to CPUs {cpu_text(cpus)}",
    ]


def note(text):
    print(text, file=sys.stderr, flush=True)


def positive(text):
    """For argparse: a whole number above 0."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number

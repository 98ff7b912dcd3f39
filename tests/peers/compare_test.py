"""bench/peers/compare.py and start.py with programs that print fixed results."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

PEERS = os.path.join(os.path.dirname(__file__), "..", "..", "bench", "peers")

# Prints the next of its rates each time it is called; says in a log that it was.
BENCH = """#!{python}
import json, os, sys
with open({log!r}, "a") as log: log.write({name!r})
calls = open({log!r}).read().count({name!r})
rate = {rates}[(calls - 1) % len({rates})]
print(json.dumps([{{"build_commit": {name!r}, "build_number": 7, "cpu_isa": "scalar", "n_prompt": 512, "n_gen": 0,
                   "n_depth": {depth}, "samples_ts": [rate, rate * 0.9, rate * 2]}}]))
"""

# Answers after a while; one token for each word.
ANSWER = """#!{python}
import sys, time
if "tokenize" in sys.argv: print([1] * len(sys.argv[-1].split()))
elif "--version" in sys.argv: print("version: 1", "noise", "build:    x", sep=chr(10))
else:
    time.sleep({seconds})
    print("x", end="")
"""


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = os.path.join(self.folder.name, "log")

    def program(self, name, template, /, **values):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(template.format(python=sys.executable, **values))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def bench(self, name, rates, depth=0):
        return self.program(name, BENCH, log=self.log, name=name, rates=rates, depth=depth)

    def call(self, script, *words):
        return subprocess.run([sys.executable, os.path.join(PEERS, script), "-t", "1", *words], capture_output=True,
                              text=True, check=False)

    def compare(self, ours, peer, *words):
        return self.call("compare.py", "--minfer", ours, "--llama-bench", peer, "--model", "dir/m.gguf", *words)

    def test_ratio_is_that_of_the_medians(self):
        # minfer and its control take turns: 20 20, 30 30, 22 22.
        result = self.compare(self.bench("A", [20, 20, 30, 30, 22, 22]), self.bench("B", [10, 8, 11]), "--rounds", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        row = [line for line in result.stdout.splitlines() if line.startswith("| m.gguf")]
        self.assertEqual(len(row), 1)
        self.assertIn("| pp512 | 22.00 ± 11.4 % | 10.00 ± 7.5 % | **2.20** (2.00 to 3.75) | 0.0 % |", row[0])
        self.assertIn("- minfer A, scalar; llama.cpp B (7)\n", result.stdout)

    def test_rounds_are_interleaved(self):
        self.compare(self.bench("A", [20]), self.bench("B", [10]), "--rounds", "3")
        with open(self.log, encoding="utf-8") as log:
            self.assertEqual(log.read(), "ABAABAABA")

    def test_a_control_that_is_too_far_away_leaves_no_result(self):
        result = self.compare(self.bench("A", [20, 19.3]), self.bench("B", [10]), "--rounds", "3")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertIn("m.gguf pp512: two series of minfer differ by 3.6 %", result.stderr)
        result = self.compare(self.bench("A", [20, 19.5]), self.bench("B", [10]), "--rounds", "3")
        self.assertEqual(result.returncode, 0)

    def test_what_cannot_be_compared_is_said(self):
        ours = self.bench("A", [20])
        for words, message in (
            ((ours, "/absent/llama-bench"), "cannot start /absent/llama-bench"),
            ((ours, self.bench("B", [10], depth=5)), "the programs ran other tests: ['pp512'] and ['pp512 @ d5']"),
            ((ours, "/bin/echo"), "not the JSON of a benchmark"),
            ((ours, "/bin/false"), "exit code 1: /bin/false"),
            ((ours, ours, "--cpus", "x"), "no list of CPUs: 'x'"),
            ((ours, ours, "-t", "4096"), "4096 threads on"),
        ):
            result = self.compare(*words)
            self.assertEqual(result.returncode, 2, message)
            self.assertEqual(result.stdout, "")
            self.assertIn(message, result.stderr)

    def start(self, ours_seconds, peer_seconds, *words):
        return self.call("start.py", "--minfer", self.program("A", ANSWER, seconds=ours_seconds), "--llama-completion",
                         self.program("B", ANSWER, seconds=peer_seconds), "--model", "m.gguf", "--rounds", "3",
                         "--control", "1000", *words)

    def test_start_times_the_first_byte(self):
        result = self.start(0, 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        row = [line for line in result.stdout.splitlines() if line.startswith("| m.gguf | first token")][0]
        self.assertLess(float(row.split("**")[1]), 0.8)
        self.assertGreaterEqual(float(row.split("|")[4].split("ms")[0]), 1000)
        self.assertIn("- minfer: version: 1; build: x\n- llama.cpp: version: 1; build: x\n", result.stdout)

    def test_start_refuses_a_noisy_machine(self):
        result = self.start(0, 0, "--control", "-1")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertIn("two series of minfer differ", result.stderr)


if __name__ == "__main__":
    unittest.main()

"""What the suites share: a problem that Shoal wrote to a folder, and forms of solving it, each timed.

A problem folder holds problem.json (the operator's parameters), an .npy file for each input, and expected.npy,
which is what Shoal's reference backend makes of them in float64. A suite is called with the folder, computes the
same in each of its forms, and prints how long each took, and how far from the expected numbers it is. Forms of
libraries that are absent are omitted.
"""

import importlib
import json
import os
import platform
import sys
import time

import numpy as np

# On a GPU JAX multiplies matrices with ten bits of each number, unless it is asked for float32, which is what is compared.
os.environ.setdefault("JAX_DEFAULT_MATMUL_PRECISION", "highest")

LEAST_RUNS = 5
MOST_RUNS = 50
# A first run that takes longer than this is the only one.
LONGEST_RUN_SECONDS = 10


class Problem:
    """Parameters, inputs by name as they were written (float64), and what is expected."""

    def __init__(self, folder):
        with open(os.path.join(folder, "problem.json"), encoding="utf-8") as file:
            described = json.load(file)
        self.parameters = described["parameters"]
        self.inputs = {name: np.load(os.path.join(folder, f"{name}.npy")) for name in described["inputs"]}
        self.expected = np.load(os.path.join(folder, "expected.npy"))

    def __getattr__(self, name):
        try:
            return self.parameters[name]
        except KeyError:
            raise AttributeError(name) from None


def available(name):
    """The library of that name, or None."""
    try:
        return importlib.import_module(name)
    except Exception:  # What is there and does not load, for want of a driver, is absent as well.
        return None


def repeat_in_jax(count, function, value):
    """The function applied so many times, as one loop of a jitted program."""
    return importlib.import_module("jax").lax.fori_loop(0, count, lambda _, now: function(now), value)


def synchronised(result):
    """An array of CuPy, once it is computed."""
    importlib.import_module("cupy").cuda.Device().synchronize()
    return result


def difference(result, expected):
    """max |a - b| / max(1, max |b|), or None where a result is not a number."""
    result = np.asarray(result, np.float64).ravel()
    if result.size != expected.size or not np.all(np.isfinite(result)):
        return None
    return float(np.max(np.abs(result - expected)) / max(1.0, np.max(np.abs(expected))))


def timed(run, wait):
    """What a run gives, and how long it took."""
    begin = time.perf_counter()
    result = wait(run())
    return result, time.perf_counter() - begin


def seconds_of(run, wait, first, budget):
    """The times of runs after a first one of `first` seconds, about `budget` together; or that one where it is long."""
    if first > LONGEST_RUN_SECONDS:
        return [first]
    _, one = timed(run, wait)
    count = int(min(MOST_RUNS, max(LEAST_RUNS, budget / one)))
    return [one] + [timed(run, wait)[1] for _ in range(count - 1)]


class Suite:
    """The forms in which a problem is solved, each timed as it is added."""

    def __init__(self, problem, budget):
        self.problem = problem
        self.budget = budget
        self.rows = []

    def add(
        self,
        form,
        run,
        *,
        wait=lambda result: result,
        to_numpy=np.asarray,
        note=None,
        ends=0,
        tolerance=None,
        compiles=False,
    ):
        """Times a form.

        `ends`: elements at both ends that it computes otherwise, and that are not compared. `tolerance`: how far from
        the expected numbers it may be, where it computes something else on purpose, which `note` says. `compiles`: the
        first run is not timed.
        """
        expected = self.problem.expected.ravel()
        inside = slice(ends, expected.size - ends)
        row = {"form": form, "note": note}
        if tolerance is not None:
            row["tolerance"] = tolerance
        try:
            if compiles:
                wait(run())
            result, first = timed(run, wait)
            row["difference"] = difference(to_numpy(result).ravel()[inside], expected[inside])
            seconds = sorted(seconds_of(run, wait, first, self.budget))
        except MemoryError:
            self.rows.append({**row, "failure": "not enough memory"})
            return
        row.update(
            milliseconds=1e3 * seconds[0], median=1e3 * seconds[len(seconds) // 2], runs=len(seconds)
        )
        self.rows.append(row)


def versions():
    """Of Python and the libraries that are there."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "scipy", "jax", "cupy"):
        library = available(name)
        if library is not None:
            found[name] = library.__version__
    return found


def main(solve):
    """Runs a suite's `solve(problem, suite)` on a problem, and prints the result.

    Arguments of the program: the problem's folder, and the seconds that the runs of a quick form take together.
    """
    problem = Problem(sys.argv[1])
    suite = Suite(problem, float(sys.argv[2]))
    solve(problem, suite)
    json.dump({"versions": versions(), "rows": suite.rows}, sys.stdout, allow_nan=False)

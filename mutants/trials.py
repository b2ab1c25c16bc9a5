"""Run the tests on mutants, each in a process of its own that begins where all is imported.

With the compiler off kernels are plain functions, so a mutant is the code of one function put in
the place of another; nothing is imported again. First all tests run on the source as it is,
to see which functions each of them reaches and how long it takes. Then every mutant meets
only the tests that reach its function, quick ones first, until one fails.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from mutants.changes import Mutant

# A test on a mutant may take so many times its usual seconds of processor, and so many more.
PATIENCE = 4.0
GRACE = 3.0
# Seconds by the clock after which even a process that only sleeps is ended.
WALL = 300
MEMORY = 6 * 2**30
LATE = (signal.SIGPROF, signal.SIGALRM)


class Trial(NamedTuple):
    """A mutant of a module, and the tests that may notice it."""

    module: str
    tests: tuple[str, ...]
    mutant: Mutant


class Verdict(NamedTuple):
    """How it ended: "died", "time limit" or "survived"; the test that noticed, if any."""

    trial: Trial
    end: str
    noticed: str


class Effort(NamedTuple):
    """How many processes run side by side; at most so many seconds of tests meet one mutant."""

    jobs: int
    seconds: float


class Reached(NamedTuple):
    """Seconds that a test takes, and the functions that it calls, as "file function"."""

    seconds: float
    functions: frozenset[str]


def run_trials(
    trials: Sequence[Trial], effort: Effort, tell: Callable[[Verdict], None]
) -> list[Verdict]:
    """Run all trials; `tell` hears of each as it ends. Call it in a process without numba."""
    tests = sorted({test for trial in trials for test in trial.tests})
    runner = _Runner(trials, effort, tell)
    arguments = ["-q", "-s", "-m", "small", "-p", "no:cacheprovider", "--no-header", *tests]
    with tempfile.TemporaryDirectory() as folder:
        runner.folder = Path(folder)
        pytest.main(arguments, plugins=[runner])
    if runner.problem:
        raise RuntimeError(runner.problem)
    return [runner.verdicts[number] for number in range(len(trials))]


class _Runner:
    """A plugin of pytest that runs the collected tests many times instead of once."""

    def __init__(
        self, trials: Sequence[Trial], effort: Effort, tell: Callable[[Verdict], None]
    ) -> None:
        self.trials = trials
        self.effort = effort
        self.tell = tell
        self.folder = Path()
        self.verdicts: dict[int, Verdict] = {}
        self.problem = "the tests could not be collected"
        self.failed = ""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Let hypothesis draw the same each time, keep nothing and never make a failure smaller."""
        # pytest wants to import it first.
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants", deadline=None, derandomize=True, database=None, phases=phases
        )
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests on the source as it is, then on every mutant."""
        items = {item.nodeid: item for item in session.items}
        reached = self._reach(list(items.values()))
        if self.problem:
            return True
        running: dict[int, int] = {}
        for number, trial in enumerate(self.trials):
            chosen = [(items[name], seconds) for name, seconds in self._meeting(trial, reached)]
            child = os.fork()
            if child == 0:
                self._meet(number, trial, chosen)
            running[child] = number
            if len(running) >= self.effort.jobs:
                self._wait(running)
        while running:
            self._wait(running)
        return True

    def _reach(self, items: Sequence[pytest.Item]) -> dict[str, Reached]:
        """Run the tests once, in processes that end then."""
        outs = [self.folder / f"reached {number}" for number in range(self.effort.jobs)]
        for number, out in enumerate(outs):
            if os.fork() == 0:
                self._look(items[number :: self.effort.jobs], out)
        for _ in outs:
            os.wait()
        self.problem = ""
        reached: dict[str, Reached] = {}
        for out in outs:
            found: Any = json.loads(out.read_text()) if out.exists() else {"failed": "a process"}
            if found["failed"]:
                self.problem = f"without any change, {found['failed']} fails"
                return {}
            for name, (seconds, functions) in found["tests"].items():
                reached[name] = Reached(seconds, frozenset(functions))
        return reached

    def _look(self, items: Sequence[pytest.Item], out: Path) -> None:
        _be_quiet()
        files = {sys.modules[trial.module].__file__ for trial in self.trials}
        calls: set[str] = set()

        def watch(frame: types.FrameType, _event: str, _argument: Any) -> None:
            code = frame.f_code
            if code.co_filename in files:
                calls.add(f"{code.co_filename} {code.co_qualname}")

        threading.settrace(watch)
        tests: dict[str, tuple[float, list[str]]] = {}
        for item in items:
            calls.clear()
            begin = time.process_time()
            sys.settrace(watch)
            _run(item)
            sys.settrace(None)
            tests[item.nodeid] = (time.process_time() - begin, sorted(calls))
            if self.failed:
                break
        out.write_text(json.dumps({"failed": self.failed, "tests": tests}))
        os._exit(0)

    def _meeting(self, trial: Trial, reached: dict[str, Reached]) -> Iterator[tuple[str, float]]:
        """Names and seconds of the tests that reach a mutant's function, quick ones first."""
        function = f"{sys.modules[trial.module].__file__} {trial.mutant.function}"
        total = 0.0
        for name, test in sorted(reached.items(), key=lambda each: each[1].seconds):
            if (
                name.startswith(trial.tests)
                and function in test.functions
                and total < self.effort.seconds
            ):
                total += test.seconds
                yield name, test.seconds

    def _meet(self, number: int, trial: Trial, items: Sequence[tuple[pytest.Item, float]]) -> None:
        """Be the mutant, until a test fails or none is left."""
        _be_quiet()
        signal.alarm(WALL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            install(trial.module, trial.mutant)
            for item, seconds in items:
                signal.setitimer(signal.ITIMER_PROF, PATIENCE * seconds + GRACE)
                (self.folder / str(number)).write_text(item.nodeid)
                _run(item)
                if self.failed:
                    os._exit(1)
            (self.folder / str(number)).write_text("")
        except BaseException:  # noqa: BLE001 - a mutant can break anything
            os._exit(1)
        os._exit(0)

    def _wait(self, running: dict[int, int]) -> None:
        child, status = os.wait()
        number = running.pop(child)
        end = "survived" if status == 0 else "died"
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in LATE:
            end = "time limit"
        told = self.folder / str(number)
        noticed = told.read_text() if told.exists() else ""
        verdict = Verdict(self.trials[number], end, noticed)
        self.verdicts[number] = verdict
        self.tell(verdict)


def install(module: str, mutant: Mutant) -> None:
    """Put the code of the mutant in the place of its function, wherever that was imported."""
    original = sys.modules[module]
    changed = types.ModuleType(module)
    changed.__file__ = original.__file__
    exec(compile(mutant.source, str(original.__file__), "exec"), changed.__dict__)
    old, new = (find_function(each, mutant.function) for each in (original, changed))
    old.__code__ = new.__code__
    old.__defaults__ = new.__defaults__
    old.__kwdefaults__ = new.__kwdefaults__


def find_function(module: types.ModuleType, name: str) -> types.FunctionType:
    """Return a function or method as it was written, without what decorators put around it."""
    found: Any = module
    for part in name.split("."):
        found = vars(found)[part]
    while True:
        inner = [getattr(found, each, None) for each in ("__wrapped__", "__func__", "fget", "func")]
        if not any(inner):
            return cast(types.FunctionType, found)
        found = next(filter(None, inner))


def _run(item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _be_quiet() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)

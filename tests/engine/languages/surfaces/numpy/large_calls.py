"""Calls of every numpy function with arguments that are cheap to make and that ask for far too much together.

Run as a program, it makes them all in a process whose memory is limited, and writes as JSON what went wrong.
"""

from __future__ import annotations

import gc
import json
import logging
import re
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain, cycle
from multiprocessing import get_context
from types import MappingProxyType

from engine.execution import Limits
from engine.languages.interpreter.attributes import TABLES
from engine.languages.interpreter.callables import Native, Signature
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.catalogue import MODULES
from engine.programs import ProgramRequest, run_program

ARRAYS = MappingProxyType(
    {
        "C": "np.ones((20_000, 1))",
        "R": "np.ones((1, 20_000))",
        "S": "np.ones((100, 100)) + np.eye(100)",
        "D": "np.ones((2,) * 14)",
        "Z": "np.zeros((0, 150, 1, 150))",
    }
)
PAIRS = (
    *(("C", "R"), ("S", "S"), ("C[:, 0]", "10 ** 10"), ("[[1.0, 2.0], [3.0, 5.0]]", "C[:, 0]")),
    *(("D", "D"), ("Z", "S"), ("range(10 ** 12)", "C")),
)
OWNERS = {
    "ndarray": "S",
    "generic": "np.float64(3.0)",
    "RandomState": "np.random.RandomState(1)",
    "Generator": "np.random.default_rng(1)",
}
FAILED = frozenset({"internal_error", "memory_limit", "wall_time_limit", "unknown_name"})
LIMITS = Limits(wall_s=60, tensor_elements=25_000)
ROOM_BYTES = 3 * 10**8
CALLS_OF_A_PROCESS = 200
MOST_S = 5.0  # of the processor's time; what is not counted before it begins takes far longer, or no end


def natives(module: Module, prefix: str) -> Iterator[tuple[str, Native]]:
    """Every function of a module and of those inside it, as a program writes it."""
    for name, member in module.members.items():
        if isinstance(member, Module):
            yield from natives(member, f"{prefix}{name}.")
        elif isinstance(member, Native):
            yield f"{prefix}{name}", member


def numpy_functions() -> list[tuple[str, Native]]:
    """Every function of numpy's surface, by the first of its names."""
    first: dict[int, tuple[str, Native]] = {}
    for name, native in natives(MODULES["numpy"], "np."):
        first.setdefault(id(native.function), (name, native))
    return list(first.values())


def calls() -> Iterator[str]:
    """Each function, and each method of numpy's own values, with each pair of arguments."""
    for name, native in numpy_functions():
        yield from _calls_of(name, native.signature, 0)
    for kind, table in TABLES.items():
        if kind.__name__ in OWNERS and kind.__module__.startswith("numpy"):
            for name, method in table.methods.items():
                yield from _calls_of(f"{OWNERS[kind.__name__]}.{name}", method.signature, 1)


def _calls_of(name: str, takes: Signature, skipped: int) -> Iterator[str]:
    needed = [p for p in takes.positional[skipped:] if p in takes.required]
    others = [p for p in (*takes.positional[skipped:], *takes.keyword_only) if p not in takes.required]
    for pair in PAIRS:
        values = cycle(pair)
        given = [next(values) for _ in needed]
        more = [next(values), next(values)] if takes.many_positional else []
        yield f"{name}({', '.join([*given, *more])})"
        for option in others:
            yield f"{name}({', '.join([*[pair[0]] * len(needed), f'{option}={pair[1]}'])})"


def program(line: str) -> str:
    """A call with the arrays that it names; to make all of them takes longer than the call."""
    named = [f"{name} = {value}" for name, value in ARRAYS.items() if re.search(rf"\b{name}\b", line)]
    return "\n".join(["import numpy as np", *named, line])


def mistake_in(line: str) -> str:
    """What went wrong in a call, or nothing."""
    started = time.process_time()
    try:
        answer = run_program(ProgramRequest(program(line), dialect="tf1"), LIMITS)
    except BaseException as error:  # whatever it is, the service would fail by it
        return f"raised {error!r:.80}"
    took = time.process_time() - started
    codes = {one["code"] for one in answer["diagnostics"]}
    if codes & FAILED:
        return ", ".join(codes)
    return f"took {took:.1f} s" if took > MOST_S else ""


def mistakes_in(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Those of these calls that went wrong, and how."""
    return [(line, mistake) for line in lines if (mistake := mistake_in(line))]


def limit_memory() -> None:
    """Leave this process so much room beside what it has."""
    logging.disable(logging.CRITICAL)
    with open("/proc/self/statm") as pages:
        used = int(pages.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM_BYTES, used + ROOM_BYTES))


def main() -> None:
    """Make every call, and write those that went wrong."""
    every = list(calls())
    parts = [every[start : start + CALLS_OF_A_PROCESS] for start in range(0, len(every), CALLS_OF_A_PROCESS)]
    gc.freeze()  # the engine itself is never garbage
    with get_context("fork").Pool(1, initializer=limit_memory, maxtasksperchild=1) as pool:
        found = pool.map(mistakes_in, parts, chunksize=1)
    sys.stdout.write(json.dumps({"calls": len(every), "wrong": dict(chain.from_iterable(found))}))


if __name__ == "__main__":
    main()

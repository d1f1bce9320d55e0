"""An entry: one system's way to do one workload."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

import benchmarks.peers

Result = Mapping[str, Any]  # a name for each column or array of numbers
What = Literal["cold", "warm"]
BOTH: tuple[What, ...] = ("cold", "warm")


@dataclass(frozen=True, slots=True)
class Task:
    """What is timed: `run(*args)`. `read` turns what it returns into named arrays; that is not timed."""

    run: Callable[..., Any]
    args: tuple[Any, ...] = ()
    read: Callable[[Any], Result] = dict


@dataclass(frozen=True, slots=True)
class Entry:
    """`prepare()` does all that comes before a run: reading, building, differentiating, compiling.

    Cold is `prepare()` with the first run, in a fresh process; warm is each further run.
    """

    workload: str
    label: str
    prepare: Callable[[], Task]
    what: tuple[What, ...] = BOTH


@dataclass(slots=True)
class Peer:
    """A system, in a module of `benchmarks/peers` as `PEER`: its entries, and what it cannot do and why."""

    name: str
    package: str | None = None
    asked: bool = False  # large to install: takes part only where it is asked for
    warm_up: Callable[[], object] = lambda: None
    entries: list[Entry] = field(default_factory=list)
    cannot: dict[str, str] = field(default_factory=dict)

    def does(
        self, workload: str, way: str = "", what: tuple[What, ...] = BOTH
    ) -> Callable[[Callable[[], Task]], Callable[[], Task]]:
        """Register the function below as this peer's (or one of its ways) to do a workload."""
        label = f"{self.name}, {way}" if way else self.name

        def register(prepare: Callable[[], Task]) -> Callable[[], Task]:
            self.entries.append(Entry(workload, label, prepare, what))
            return prepare

        return register


def peer_of(module: str) -> Peer:
    """The peer that a module of `benchmarks/peers` describes; imports what it needs."""
    peer: Peer = importlib.import_module(f"benchmarks.peers.{module}").PEER
    return peer


def peer_modules() -> list[str]:
    """The modules of all peers, the hand-written ones and ours among them."""
    return sorted(module.name for module in pkgutil.iter_modules(benchmarks.peers.__path__))


def arrays_of(result: Result) -> dict[str, np.ndarray[Any, Any]]:
    """The result as float64 arrays."""
    return {name: np.asarray(value, dtype=np.float64) for name, value in result.items()}

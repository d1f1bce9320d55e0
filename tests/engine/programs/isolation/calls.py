"""What calls give: every function that a program can reach, called with a few cheap arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.execution.eager.graph import EagerGraph
from engine.graph import Graph
from engine.languages.interpreter import BUILTINS, Budget, Interpreter, parse_program
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.surfaces import ASSUMED, EAGER_MODULES, MODULES
from engine.languages.workspace import Workspace
from tests.engine.programs.isolation.world import Path, reachable
from tests.limits import ROOMY

LIMITS = replace(ROOMY, nodes=100_000)
NO_RESULT = ("print", "tf.Print")  # write, and give nothing


def arguments() -> list[tuple[Any, ...]]:
    """Some arguments that fit many functions, made anew for each run."""
    square = [[1.0, 2.0], [3.0, 4.0]]
    return [(), (2.0,), ("ones",), ("relu",), ([1.0, 2.0],), (np.ones(3),), (square, square), (2, 2)]


def results_of_a_run(dialect: str) -> dict[str, Any]:
    """What each call gives in one run, by the way to the function and the number of its arguments' entry."""
    limits = LIMITS
    budget = Budget(limits)
    eager = dialect == "tf2"
    graph = EagerGraph(meter=budget, limits=limits) if eager else Graph(node_limit=limits.nodes)
    modules = EAGER_MODULES if eager else MODULES
    workspace = Workspace(graph, budget)
    source, _ = parse_program("pass", limits)
    interpreter = Interpreter(
        source, budget, builtins=BUILTINS, modules=modules, assumed=ASSUMED, workspace=workspace
    )
    with workspace.opened, np.errstate(all="ignore"):
        workspace.start_graph(graph)
        return dict(_calls(interpreter, modules))


def _calls(interpreter: Interpreter, modules: Mapping[str, Any]) -> Iterator[Path]:
    names = [*BUILTINS.items(), *modules.items()]
    callables = [(way, value) for way, value in reachable(iter(names)).values() if _is_called(way, value)]
    for way, function in callables:
        for number, given in enumerate(arguments()):
            with suppress(GradlensError):
                yield f"{way}{number}", interpreter.call(function, given, {})


def _is_called(way: str, value: Any) -> bool:
    return isinstance(value, (Native, UserClass)) and way not in NO_RESULT

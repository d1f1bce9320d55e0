"""What running a program left behind, before it is written as an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.graph import Graph, Tensor
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.workspace import Workspace


@dataclass(slots=True)
class Outcome:
    """One run: its names, its graph, its target, what it printed and the diagnostics about it.

    names:  the program's top-level names in order of definition.
    status: ok, error, limit or refused.
    further: mistakes below the line where the program stopped.
    """

    dialect: str
    workspace: Workspace
    names: dict[str, Any] = field(default_factory=dict)
    target: Tensor | None = None
    printed: list[str] = field(default_factory=list)
    result: Any = None
    status: str = "ok"
    diagnostics: list[Diagnostic] = field(default_factory=list)
    further: list[Diagnostic] = field(default_factory=list)

    @property
    def graph(self) -> Graph:
        """The graph to show: the target's, else the last one that holds anything, else the default one."""
        if self.target is not None:
            graph: Graph = self.target.graph
            return graph
        filled = [graph for graph in self.workspace.graphs if graph.nodes]
        return filled[-1] if filled else self.workspace.graph

    def python_name(self, value: Any) -> str | None:
        """The last name that the program bound to a value."""
        found = [name for name, bound in self.names.items() if bound is value]
        return found[-1] if found else None

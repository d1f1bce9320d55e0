"""What running a program left behind, before it is written as an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.execution import Run, Session
from engine.graph import Graph, Tensor
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.decisions import Decision, Round
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.surfaces.tf1.session import request_feeds, unknown_feeds, usual_feeds
from engine.languages.surfaces.torch.result import TensorItem
from engine.languages.workspace import Workspace

Observe = Callable[[Run], None] | None


@dataclass(slots=True)
class Outcome:
    """One run: its names, its graph, its target, what it printed and the diagnostics about it.

    names:  the program's top-level names in order of definition.
    status: ok, error, limit or refused.
    further: mistakes below the line where the program stopped.
    decisions: what the program's own control flow decided.
    begins_otherwise: whether its graph, begun anew, computes another pass than its first one.
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
    decisions: list[Decision | Round] = field(default_factory=list)
    begins_otherwise: bool = False

    @property
    def graph(self) -> Graph:
        """The graph to show: the target's, else the last one that holds anything, else the default one."""
        if self.target is not None:
            graph: Graph = self.target.graph
            return graph
        filled = [graph for graph in self.workspace.graphs if graph.nodes]
        return filled[-1] if filled else self.workspace.graph

    @property
    def request_feeds(self) -> dict[Any, Any]:
        """The request's feeds for the placeholders of that graph."""
        return request_feeds(self.workspace, self.names, self.graph)

    @property
    def usual_feeds(self) -> dict[Any, Any]:
        """The same, and for what the request leaves out the feeds of the program's own last runs."""
        return usual_feeds(self.workspace, self.names, self.graph)

    @property
    def unknown_feeds(self) -> list[str]:
        """The request's feeds that name no tensor of the program."""
        return unknown_feeds(self.workspace, self.names, self.graph)

    def initialised_session(
        self, meter: Budget, feeds: Mapping[Any, Any], observe: Observe = None
    ) -> Session:
        """A session on that graph with its variables at their initial values."""
        session = Session(self.graph, meter=meter, observe=observe, seed=self.workspace.seed)
        session.run([variable.initializer for variable in self.graph.collection(GLOBAL_VARIABLES)], feeds)
        return session

    def python_name(self, value: Any) -> str | None:
        """The last name that the program bound to a value."""
        found = [name for name, bound in self.names.items() if bound is value or _held(bound) is value]
        if found or not hasattr(value, "node"):
            return found[-1] if found else None
        return self.parameter_names().get(value.node.name)

    def parameter_names(self) -> dict[str, str]:
        """For each variable of the graph what leads to it in a PyTorch program, such as `model.0.weight`.

        For what a function of JAX is differentiated by: what the function calls it.
        """
        graphs = self.workspace.autograd.values()
        leaves = [one for nodes in graphs for one in nodes if one.get("variable") and one.get("of")]
        calls = self.workspace.gradient_calls
        arguments = {
            x.node.name: name for call in calls for x, name in zip(call.xs, call.names, strict=False)
        }
        return {**arguments, **{one["of"]: one["variable"] for one in leaves}}


def _held(bound: Any) -> Any:
    """What of the graph a name of a PyTorch program is bound to."""
    return bound.held if isinstance(bound, TensorItem) else bound

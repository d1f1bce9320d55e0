"""The values of an imported graph: all that can be computed of what is fed and of what its variables hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.errors import FeedError, GradlensError, LimitError, UninitialisedError, ValueRefused
from engine.execution import Run, Session
from engine.execution.budget import Limits
from engine.execution.interpreter.feeds import fed_value
from engine.graph import Node, Tensor
from engine.interchange.reading import read_graph
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.tensors import Array
from engine.ops.control_flow.filing import READ_AND_WRITTEN
from engine.ops.sources.datasets import OF_DATASETS
from engine.programs.imported.rebuilding import Rebuilt, rebuilt
from engine.programs.program.items import value_json, within_room

ATTEMPTS = 8  # each leaves out one more node that cannot run
VARIABLE = "VariableV2"


def compute_values(
    data: bytes, feeds: Mapping[str, Any], variables: Mapping[str, Any], limits: Limits
) -> dict[str, Any]:
    """The answer of `POST /imports/{id}/values` but its id: `{values, variables, unfed, diagnostics}`.

    A variable that is given no value takes its initial one, where the graph can compute that.
    Raises: FileRefused as `read_graph`; GraphError for a name that is not there; FeedError for a value that
            does not fit.
    """
    running = Running(rebuilt(read_graph(data, limits)), feeds, variables, limits)
    values = within_room(running.values())
    return {
        "values": {tensor.name: value_json(value) for tensor, value in values.items()},
        "variables": running.states(variables),
        "unfed": [node.name for node in running.made.nodes if running.is_unfed(node)],
        "diagnostics": [diagnostic.as_json() for diagnostic in running.diagnostics],
    }


class Running:
    """One graph with what it is fed, run as far as that goes."""

    def __init__(
        self, made: Rebuilt, feeds: Mapping[str, Any], variables: Mapping[str, Any], limits: Limits
    ) -> None:
        self.made = made
        self.diagnostics: list[Diagnostic] = []
        self._values: dict[Tensor, Array] = {}
        self._missing: set[Node] = set()
        graph = made.graph
        self._feeds = {
            graph.tensor(name): fed_value(graph.tensor(name), value) for name, value in feeds.items()
        }
        self._session = Session(graph, meter=Budget(limits), observe=self._observe)
        for name, value in variables.items():
            self._session.variables[self._variable(name)] = fed_value(graph.tensor(name), value)

    def values(self) -> dict[Tensor, Array]:
        """What came out, variables and feeds included; what cannot run is left out, and said so."""
        self._attempts(lambda blocked: [node for node in self._initializers() if node not in blocked])
        self._attempts(lambda blocked: [node for node in self.made.nodes if node not in blocked])
        self._values.update({node.outputs[0]: value for node, value in self._session.variables.items()})
        return self._values | self._feeds

    def states(self, given: Mapping[str, Any]) -> dict[str, str]:
        """For each variable whether its value is `given`, `initial`, or there is `none`."""
        named = {self._variable(name) for name in given}
        return {
            node.name: "given" if node in named else "initial" if node in self._session.variables else "none"
            for node in self.made.nodes
            if node.op.name == VARIABLE
        }

    def is_unfed(self, node: Node) -> bool:
        """Whether it is a placeholder that nothing feeds."""
        return node.op.name == "Placeholder" and node.outputs[0] not in self._feeds

    def _observe(self, run: Run) -> None:
        self._values.update(run.values)

    def _variable(self, name: str) -> Node:
        node: Node = self.made.graph.tensor(name).node
        if node.op.name != VARIABLE:
            raise ValueRefused(
                f"{name} is no variable but a {node.op.name}; other tensors are fed.",
                message_zh=f"{name} 不是变量，而是 {node.op.name}；其他张量请用 feeds 喂入。",
                code="bad_feed",
            )
        return node

    def _initializers(self) -> Iterator[Node]:
        """The Assign that fills each variable which was given no value."""
        graph = self.made.graph
        for node in self.made.nodes:
            name = f"{node.name}/Assign"
            if node.op.name == VARIABLE and node not in self._session.variables and name in graph:
                first = graph.node(name)
                if first.op.name == "Assign" and first.inputs[0].node is node:
                    yield first

    def _attempts(self, wanted: Any) -> None:
        """Run what is wanted; a node that stops the run is left out of the next attempt."""
        for _ in range(ATTEMPTS):
            failed = self._attempt(wanted)
            if failed is None or failed in self._missing:
                return
            self._missing.add(failed)

    def _attempt(self, wanted: Any) -> Node | None:
        nodes = wanted(self._blocked(set(self._initializers())))
        try:
            self._session.run(nodes, self._feeds)
        except LimitError as error:
            self.diagnostics.append(Diagnostic.of(error))
        except (FeedError, UninitialisedError, GradlensError) as error:
            self.diagnostics.append(Diagnostic.of(error))
            return self.made.graph.node(error.node) if error.node in self.made.graph else None
        return None

    def _blocked(self, initial: Iterable[Node]) -> set[Node]:
        """Nodes without a value: foreign ones, later writes, what is not fed, and what depends on them."""
        fed = {tensor.node for tensor in self._feeds}
        first = set(initial)
        blocked = set(self._missing)
        for node in self.made.graph.nodes:
            if node in fed or node in blocked:
                continue
            sources = [
                tensor.node for tensor in node.inputs if node not in first or tensor.node.op.name != VARIABLE
            ]
            if self._is_blocked(node, first) or not blocked.isdisjoint((*sources, *node.control_inputs)):
                blocked.add(node)
        return blocked

    def _is_blocked(self, node: Node, first: set[Node]) -> bool:
        kind = node.op.name
        empty = kind == VARIABLE and node not in self._session.variables
        unread = kind == "Placeholder" or kind in READ_AND_WRITTEN | OF_DATASETS
        return not node.op.is_known or empty or unread or (bool(node.op.writes) and node not in first)

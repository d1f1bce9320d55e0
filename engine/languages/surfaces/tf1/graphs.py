"""TensorFlow 1's graphs, and what holds for the nodes made in a block: names, devices, what they wait for."""

from __future__ import annotations

from typing import Any

from engine.graph import Graph
from engine.languages.interpreter.machine import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import whole_number


@TF.function("Graph")
def graph(interpreter: Interpreter) -> Graph:
    """A new, empty graph."""
    made = Graph(node_limit=interpreter.budget.limits.nodes)
    interpreter.workspace.graphs.append(made)
    interpreter.workspace.share_rules(made)
    return made


@TF.function("get_default_graph")
def get_default_graph() -> Any:
    """The graph that new nodes go to."""
    return current_graph()


@TF.function("reset_default_graph")
def reset_default_graph(interpreter: Interpreter) -> None:
    """Start again with an empty graph."""
    interpreter.workspace.start_graph(graph(interpreter))


@TF.function("name_scope")
def name_scope(name: Any = None, default_name: Any = None, values: Any = None) -> Block:
    """Names made inside the block begin with this one."""
    return Block(lambda: current_graph().name_scope(name or default_name))


@TF.function("control_dependencies")
def control_dependencies(control_inputs: Any) -> Block:
    """Operations made inside the block wait for these."""
    return Block(lambda: current_graph().control_dependencies(control_inputs))


@TF.function("device")
def device(device_name_or_function: Any) -> Block:
    """The device of the nodes made inside, recorded and shown."""
    name = device_name_or_function if isinstance(device_name_or_function, str) else ""
    return Block(lambda: current_graph().device(name))


@TF.function("set_random_seed", "random.set_random_seed", "compat.v1.set_random_seed")
def set_random_seed(seed: Any) -> None:
    """The seed of the graph's random operations."""
    graph: Any = current_graph()
    graph.set_seed(whole_number(seed, "seed"))

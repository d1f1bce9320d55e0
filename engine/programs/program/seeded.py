"""The note on a program whose seeds decide random numbers that are not TensorFlow's."""

from __future__ import annotations

from engine.execution.interpreter.streams import draws_as_tensorflow
from engine.graph import Graph, Node
from engine.languages.interpreter import Diagnostic

CODE = "own_random_numbers"


def note_on_seeds(graph: Graph, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """A note at the first random operation of a graph that has a seed, unless something has said so already.

    Without a seed TensorFlow draws others in each run, too, and nobody compares them.
    """
    first = next((node for node in graph.nodes if _is_seeded(node)), None)
    if first is None or any(one.code == CODE for one in diagnostics):
        return []
    return [
        Diagnostic(
            "note",
            CODE,
            "The random numbers of this seed are the same in every run here, but not those that TensorFlow "
            "draws.",
            "此种子的随机数在这里每次运行都相同，但与 TensorFlow 抽取的不同。",
            "Figures that depend on them differ somewhat from TensorFlow's.",
            "依赖它们的数值会与 TensorFlow 略有不同。",
            first.span,
        )
    ]


def _is_seeded(node: Node) -> bool:
    seeded = node.op.draws and (node.attrs["seed"], node.attrs["seed2"]) != (0, 0)
    return seeded and not draws_as_tensorflow(node)

"""Which steps share a loop over elements: neighbours that work element by element on one shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.execution.backends.numba_loops.layouts import Layout
from engine.execution.tracing.tracer import Instruction, Lengths, Value

ELEMENTWISE = frozenset({"ufunc", "where", "cast", "fill", "copy"})


@dataclass(slots=True)
class Nest:
    """Steps that one nest of loops takes for each element."""

    shape: Lengths
    steps: list[Instruction]


Item = Nest | Instruction


def in_nests(steps: Sequence[Instruction], layouts: Mapping[int, Layout]) -> list[Item]:
    """The steps with those in a nest put together.

    A nest ends with the next product of matrices. What else comes before that stands behind the nest if it
    needs something from it, and in front of it if not.
    """
    found: list[Item] = []
    nest, place = Nest((), []), 0
    inside: set[int] = set()  # what the nest computes
    behind: set[int] = set()  # what comes of that behind it
    for step in steps:
        output = step.outputs[0]
        numbers = {item.number for item in step.arguments if isinstance(item, Value)}
        viewed = {layouts[n].source for n in numbers if n in layouts and layouts[n].source != n}
        needs = numbers | viewed
        if step.kind in ELEMENTWISE and not output.is_number:
            if nest.steps and nest.shape == output.core and not needs & behind and not viewed & inside:
                nest.steps.append(step)
            else:
                nest, place, inside, behind = Nest(output.core, [step]), len(found), set(), set()
                found.append(nest)
            inside.add(output.number)
        elif step.kind != "matmul" and nest.steps and not needs & (inside | behind):
            found.insert(place, step)
            place += 1
        else:
            found.append(step)
            behind.add(output.number)
            if step.kind == "matmul":
                nest = Nest((), [])
    return found

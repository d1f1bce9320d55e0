"""What is seen in the picture at level Mathematics: what the learner wrote, and beneath it its gradient.

Its boxes are about nodes of the program's graph, by whose names they are called here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.interchange.fingerprints import fingerprint
from engine.programs.program.outcome import Outcome
from engine.programs.side_by_side.sightings import Sighting, Sightings, distinct

Steps = Sequence[Mapping[str, Any]]


def node_of(tensor: str) -> str:
    """`Exp:0` -> `Exp`."""
    return tensor.partition(":")[0]


def mathematics_sightings(graph: Sightings, steps: Steps, outcome: Outcome) -> Sightings:
    """Those of the program's graph that the lesson at this level has a step about."""
    shown = {
        node_of(step["output"]["tensor"]) for step in steps if step["phase"] == "forward" and step["output"]
    }
    parts = [one for step in steps for one in step["contributions"]]
    targets = {node_of(one["to"]) for one in parts}
    seeds = {step["of"] for step in steps if step["phase"] == "seed"}
    read = dict(_reads(outcome))
    gradients = _about(graph.gradients, targets | seeds, read)
    factors = [replace(one, node=one.of) for one in graph.factors if factor_of(one, parts) is not None]
    return replace(
        graph,
        level="mathematics",
        values=distinct(_about(graph.values, shown | targets, read)),
        gradients=distinct(gradients),
        factors=distinct(factors),
        works={},
        kept=(),
        sums={},
        order=[node_of(one["to"]) for one in parts],
        backward=len([step for step in steps if step["phase"] == "backward"]),
    )


def factor_of(one: Sighting, parts: Steps) -> Mapping[str, Any] | None:
    """What of the chain rule a node computes the factor of: the one at its op whose number it has."""
    for part in parts:
        local = part["local"]
        if node_of(part["from"]) == one.of and local is not None and local["data"] is not None:
            known = fingerprint([np.asarray(local["data"])])
            if known is not None and one.print is not None and one.print.agrees_at_first(known):
                return part
    return None


def _about(sightings: Iterable[Sighting], shown: set[str], read: Mapping[str, str]) -> list[Sighting]:
    """Those that are about what is shown; what reads a variable is called by the variable."""
    named = [(one, read.get(one.of, one.of)) for one in sightings]
    return [Sighting(name, one.print, one.of) for one, name in named if name in shown]


def _reads(outcome: Outcome) -> Iterable[tuple[str, str]]:
    """Each read of a variable, with the variable."""
    for node in outcome.graph.nodes:
        if node.op.name == "Identity" and node.inputs[0].node.op.name in ("VariableV2", "VarHandleOp"):
            yield node.name, node.inputs[0].node.name

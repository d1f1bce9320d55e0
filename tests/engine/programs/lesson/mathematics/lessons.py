"""What the tests of lessons at level Mathematics share: a lesson, and what must hold of any."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import numpy as np

from engine.programs import ProgramRequest, tell_lesson
from engine.programs.lesson import lesson_of
from engine.programs.program.outcome import Outcome
from engine.programs.service import DEFAULT_LIMITS, differentiated

Steps = list[dict[str, Any]]
ORDINARY = {
    "begin",
    "cases",
    "max",
    "mean",
    "min",
    "mod",
    "placed",
    "softmax",
    "stack",
    "unstack",
    "update",
}  # words that a formula may have


def steps(source: str, **at: Any) -> Steps:
    """The steps of a lesson, numbered from 0."""
    told: Steps = tell_lesson(ProgramRequest(source, at=at), level="mathematics")["steps"]
    assert [step["index"] for step in told] == list(range(len(told)))
    return told


def lesson(source: str, **at: Any) -> tuple[Outcome, Steps]:
    """The steps, and what they are about."""
    outcome, _ = differentiated(ProgramRequest(source, at=at), DEFAULT_LIMITS)
    made = lesson_of(outcome, "mathematics", source)
    assert made.level == "mathematics"
    return outcome, made.steps


def of_phase(told: Steps, phase: str) -> Steps:
    return [step for step in told if step["phase"] == phase]


def english(told: Steps) -> list[str]:
    return [step["sentence"]["en"] for step in told]


def chinese(told: Steps) -> list[str]:
    return [step["sentence"]["zh"] for step in told]


def array(value: dict[str, Any] | None) -> Any:
    """A tensor's value of the answer as an array, None where it has none."""
    if value is None or value.get("data") is None:
        return None
    return np.array(_floats(value["data"]))


def _floats(data: Any) -> Any:
    return [_floats(item) for item in data] if isinstance(data, list) else float(data)


def unequal_products(told: Steps) -> list[str]:
    """The contributions whose value is not upstream times local derivative."""
    found = []
    for step in of_phase(told, "backward"):
        for one in step["contributions"]:
            upstream, local, value = (array(one[name]) for name in ("upstream", "local", "value"))
            if local is not None and not np.allclose(
                upstream * local, value, rtol=1e-6, atol=1e-12, equal_nan=True
            ):
                found.append(f"{one['expression']}: {upstream} * {local} is not {value}")
    return found


def wrong_totals(told: Steps) -> list[str]:
    """The variables whose contributions do not add up to the gradient that the lesson closes with."""
    sent: defaultdict[str, Any] = defaultdict(float)
    for step in [*of_phase(told, "backward"), *of_phase(told, "seed")]:
        for one in step["contributions"]:
            value = array(one["value"])
            if value is not None:
                sent[one["to"].partition(":")[0]] += value
    for one in (one for step in of_phase(told, "sum") for one in step["contributions"]):
        if one.get(
            "upstream_text"
        ):  # of a variable with several values: one of them, and what came back to it
            name = one["to"].partition(":")[0]
            sent[f"all of {name}"] += array(one["value"])
    sent |= {
        name.removeprefix("all of "): value for name, value in sent.items() if name.startswith("all of ")
    }
    closing = {step["node"]: array(step["output"]["value"]) for step in of_phase(told, "close")}
    return [
        f"{name}: {sent[name]} is not {gradient}"
        for name, gradient in closing.items()
        if name in sent
        and gradient is not None
        and not np.allclose(sent[name], gradient, rtol=1e-5, atol=1e-9, equal_nan=True)
    ]


def asked(step: dict[str, Any]) -> list[str]:
    """The texts of a step's question."""
    question = step.get("question") or {"prompt": {}, "choices": []}
    return [
        text
        for texts in (question["prompt"], *(one["why"] for one in question["choices"]))
        for text in texts.values()
    ]


def internal_names(outcome: Outcome, source: str, told: Steps) -> list[str]:
    """Sentences with the name of a node or an op that the text does not have, or with rests of LaTeX."""
    nodes = [n for n in outcome.graph.nodes if n.op.name not in ("VariableV2", "Placeholder", "Const")]
    names = {name for node in nodes for name in (node.name, node.name.rpartition("/")[2], node.op.name)}
    forbidden = {name for name in names if len(name) > 1} - set(re.findall(r"\w+", source)) - ORDINARY
    optimizers = {call.optimizer.name for call in outcome.workspace.updates}
    found = []
    for step in told:
        for text in [*step["sentence"].values(), *asked(step)]:
            words = set(re.findall(r"[A-Za-z_][\w/]*", text)) & (forbidden - optimizers)
            marks = [mark for mark in ("\\", "{", "}", "true ?", "\u0304", "  ", "None.") if mark in text]
            marks += ["?"] if "?" in text and text in step["sentence"].values() else []
            if words or marks:
                found.append(f"{text} {sorted(words)} {marks}")
    return found

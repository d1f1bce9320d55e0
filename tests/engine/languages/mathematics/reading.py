"""What the tests of the math dialect share: run a text, take its target's value, compare graphs."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program


def run(source: str, **at: Any) -> dict[str, Any]:
    return run_program(ProgramRequest(source, dialect="math", at=at))


def value(source: str, **at: Any) -> Any:
    """The target's value."""
    answer = run(source, **at)
    assert answer["status"] == "ok", answer["diagnostics"]
    name = answer["target"].removesuffix(":0")
    return next(node["value"]["data"] for node in answer["graph"]["nodes"] if node["name"] == name)


def shape_of_graph(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Names, ops and edges, in order."""
    assert answer["status"] == "ok", answer["diagnostics"]
    return [(n["name"], n["op"], n["inputs"], n["control_inputs"]) for n in answer["graph"]["nodes"]]


def tf1_graph(body: str, **variables: Any) -> list[tuple[Any, ...]]:
    """The graph of a TensorFlow 1 program: float64 variables, then `body`, which assigns y."""
    lines = [
        f"{name} = tf.Variable({value}, dtype=tf.float64, name='{name}')" for name, value in variables.items()
    ]
    source = "\n".join(
        ["import tensorflow as tf", "import numpy as np", *lines, body, "g = tf.gradients(y, XS)"]
    )
    source = source.replace("XS", f"[{', '.join(variables)}]")
    return shape_of_graph(run_program(ProgramRequest(source, dialect="tf1")))

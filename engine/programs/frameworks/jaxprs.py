"""JAX's picture: the jaxpr of a gradient, an equation a node, in the order in which its equations run.

JAX computes in the forward pass what the way back will need, so equations of both stand in one jaxpr.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.programs.frameworks.picture import Json, Picture, step
from engine.programs.lesson.formulas import value_text
from engine.programs.lesson.sentence import both
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome

ARGUMENT, LITERAL = "VariableV2", "Const"  # as the page draws what is given, and what stands in the text
UNREAD = "_"
SHORT = {"f": "float", "i": "int", "u": "uint", "c": "complex"}


def jaxpr_picture(outcome: Outcome, _: Values) -> Picture:
    """The picture of the last function that was differentiated; empty where none was."""
    functions: Sequence[Json] = outcome.workspace.jaxprs
    if not functions:
        return Picture()
    gradient = functions[-1]["gradient"]
    equations = named_apart(gradient["equations"])
    nodes = [_argument_node(one) for one in (*gradient["constants"], *gradient["arguments"])]
    steps = [_argument_step(node) for node in nodes]
    for equation in equations:
        phase = "gradient" if equation["is_backward"] else "forward"
        nodes += [*_literals(equation, phase), _equation(equation, phase)]
        steps.append(_equation_step(equation, nodes[-1], phase))
    return Picture(nodes, steps)


def named_apart(equations: Sequence[Json]) -> list[Json]:
    """The same equations, each with a name of its own: JAX writes `_` for all that nothing reads."""
    found, count = [], 0
    for equation in equations:
        outputs = [dict(one) for one in equation["outputs"]]
        for one in outputs:
            if one["name"] == UNREAD:
                count += 1
                one["name"] = UNREAD if count == 1 else f"{UNREAD} {count}"
        found.append({**equation, "outputs": outputs})
    return found


def _argument_node(variable: Json) -> Json:
    """A node for what the function is given."""
    return _node(variable["name"], ARGUMENT, [], variable, "forward")


def _literals(equation: Json, phase: str) -> list[Json]:
    """Nodes for the numbers that stand in an equation."""
    return [
        _node(_literal_name(equation, place), LITERAL, [], _value_of(one), phase)
        for place, one in enumerate(equation["inputs"])
        if "literal" in one
    ]


def _literal_name(equation: Json, place: int) -> str:
    return f"{_name_of(equation)}_{place}"


def _name_of(equation: Json) -> str:
    """The variable that an equation computes; of one with several, the first."""
    return str(equation["outputs"][0]["name"]) if equation["outputs"] else str(equation["primitive"])


def _value_of(literal: Json) -> Json:
    try:
        number = float(literal["literal"])
    except ValueError:
        return {"type": literal["type"], "value": None}
    dtype, shape = _type_of(literal["type"])
    return {"type": literal["type"], "value": {"dtype": dtype, "shape": shape, "data": number}}


def _equation(equation: Json, phase: str) -> Json:
    inputs = [
        _literal_name(equation, place) if "literal" in one else one["name"]
        for place, one in enumerate(equation["inputs"])
    ]
    outputs = equation["outputs"] or [{"type": "f32[]", "value": None}]
    node = _node(_name_of(equation), equation["primitive"], inputs, outputs[0], phase)
    node["attrs"] = dict(equation["params"])
    return node


def _node(name: str, op: str, inputs: list[str], variable: Mapping[str, Any], phase: str) -> Json:
    dtype, shape = _type_of(variable["type"])
    return {
        "name": name,
        "op": op,
        "inputs": inputs,
        "control_inputs": [],
        "attrs": {},
        "device": "",
        "phase": phase,
        "of": None,
        "span": None,
        "outputs": [{"dtype": dtype, "shape": shape}],
        "value": variable.get("value"),
    }


def _type_of(written: str) -> tuple[str, list[int] | None]:
    """`f32[2,3]` as an element type and a shape."""
    kind, _, rest = written.partition("[")
    letters = kind.rstrip("0123456789")
    dtype = f"{SHORT.get(letters, letters)}{kind[len(letters) :]}"
    lengths = rest.rstrip("]").split(",")
    return dtype, [int(one) for one in lengths if one.isdecimal()] if rest else None


# -- steps -------------------------------------------------------------------------------------------------


def _argument_step(node: Json) -> Json:
    name, text = node["name"], _text(node["value"])
    sentence = both(f"The function is given {name} = {text}.", f"函数得到 {name} = {text}。")
    return step("forward", name, None, sentence, output={"tensor": f"{name}:0", "value": node["value"]})


def _equation_step(equation: Json, node: Json, phase: str) -> Json:
    written = " ".join(
        [equation["primitive"], *(one.get("literal") or one["name"] for one in equation["inputs"])]
    )
    text = _text(node["value"])
    sentence = both(f"{node['name']} = {written} = {text}.", f"{node['name']} = {written} = {text}。")
    output = {"tensor": f"{node['name']}:0", "value": node["value"]}
    return step("forward" if phase == "forward" else "backward", node["name"], None, sentence, output=output)


def _text(value: Any) -> str:
    if not isinstance(value, dict):
        return "?"
    if value.get("data") is None:
        return "[" + " × ".join(map(str, value["shape"])) + "]"
    return value_text(np.asarray(value["data"]))

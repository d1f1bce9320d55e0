"""What a person would say differs between two graphs, for the changes that people make."""

from __future__ import annotations

import pytest

from engine.graph.matching import PlainGraph, PlainNode
from tests.engine.graph.matching.graphs import Row, compared, graph, summary

WAVE: tuple[Row, ...] = (("x", "VariableV2", ""), ("Sin", "Sin", "x"), ("Exp", "Exp", "Sin"))
LINE: tuple[Row, ...] = (
    ("x", "VariableV2", ""),
    ("w", "VariableV2", ""),
    ("b", "VariableV2", ""),
    ("mul", "Mul", "x w"),
    ("add", "AddV2", "mul b"),
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(WAVE, WAVE, {}, id="nothing"),
        pytest.param(
            WAVE,
            (("t", "VariableV2", ""), ("Sin", "Sin", "t"), ("Exp", "Exp", "Sin")),
            {"renamed": ["x > t"]},
            id="a variable has another name",
        ),
        pytest.param(
            WAVE,
            (*WAVE[:2], ("Neg", "Neg", "Sin"), ("Exp", "Exp", "Neg")),
            {"added": ["Neg"]},
            id="an op between two others",
        ),
        pytest.param(
            (*WAVE[:2], ("Neg", "Neg", "Sin"), ("Exp", "Exp", "Neg")),
            WAVE,
            {"removed": ["Neg"]},
            id="an op less",
        ),
        pytest.param(
            WAVE,
            (WAVE[0], ("Cos", "Cos", "x"), ("Exp", "Exp", "Cos")),
            {"changed": ["Cos: op"], "renamed": ["Sin > Cos"]},
            id="another op in the same place",
        ),
        pytest.param(
            WAVE,
            (*WAVE[:2], ("Log", "Log", "Sin")),
            {"changed": ["Log: op"], "renamed": ["Exp > Log"]},
            id="another op at the end",
        ),
        pytest.param(
            LINE,
            (LINE[2], LINE[1], LINE[0], ("mul", "Mul", "w x"), ("add", "AddV2", "b mul")),
            {},
            id="statements, and inputs whose order is all the same, have changed places",
        ),
        pytest.param(
            LINE,
            (*LINE[:3], ("mul", "Mul", "x x"), ("mul_1", "Mul", "mul w"), ("add", "AddV2", "mul_1 b")),
            {"added": ["mul"], "renamed": ["mul > mul_1"]},
            id="a factor more, whatever TensorFlow calls the products now",
        ),
        pytest.param(
            LINE,
            (*LINE[:3], ("mul", "Mul", "x x"), ("add", "AddV2", "mul b")),
            {"changed": ["mul: inputs"]},
            id="one variable for another",
        ),
        pytest.param(
            (("a", "VariableV2", ""), ("b", "VariableV2", ""), ("sub", "Sub", "a b")),
            (("a", "VariableV2", ""), ("b", "VariableV2", ""), ("sub", "Sub", "b a")),
            {"changed": ["sub: inputs"]},
            id="inputs whose order counts have changed places",
        ),
        pytest.param(
            LINE,
            (*LINE, ("c", "VariableV2", ""), ("add_1", "AddV2", "add c")),
            {"added": ["c", "add_1"]},
            id="a term more at the end",
        ),
    ],
)
def test_a_change_is_what_a_person_would_call_it(
    before: tuple[Row, ...], after: tuple[Row, ...], expected: dict[str, list[str]]
) -> None:
    assert summary(compared(graph(*before), graph(*after))) == expected


def test_a_constant_with_another_value_is_the_same_constant() -> None:
    rows = (("two", "Const", ""), ("x", "VariableV2", ""), ("mul", "Mul", "two x"))
    found = compared(graph(*rows, two=2.0), graph(*rows, two=3.0))
    assert summary(found) == {"changed": ["two: constant"]}
    (change,) = found.changes[0, 0]
    assert (change.before, change.after) == (2.0, 3.0)


def tower(*layers: str) -> PlainGraph:
    """Layers on top of one another, all alike, each with a variable of its own."""
    rows, last = [("x", "Placeholder", "")], "x"
    for name in layers:
        rows += [(f"{name}/w", "VariableV2", ""), (f"{name}/MatMul", "MatMul", f"{last} {name}/w")]
        rows.append((f"{name}/Relu", "Relu", f"{name}/MatMul"))
        last = f"{name}/Relu"
    return graph(*rows)


def test_a_layer_in_the_middle_is_known_by_its_name() -> None:
    found = compared(tower("first", "second", "third"), tower("first", "new", "second", "third"))
    assert summary(found) == {"added": ["new/w", "new/MatMul", "new/Relu"]}


def test_one_layer_more_of_layers_that_are_all_alike_is_one_layer_and_nothing_else() -> None:
    def loop(turns: int) -> PlainGraph:
        """The same product and sum again and again, with a variable and a constant of its own each time."""
        rows, last = [("x", "VariableV2", "")], "x"
        for n in range(turns):
            rows += [(f"Variable_{n}", "VariableV2", ""), (f"add_{n}/y", "Const", "")]
            rows += [
                (f"MatMul_{n}", "MatMul", f"{last} Variable_{n}"),
                (f"add_{n}", "AddV2", f"MatMul_{n} add_{n}/y"),
            ]
            last = f"add_{n}"
        return graph(*rows, ("loss", "Sum", last))

    names = summary(compared(loop(5), loop(6)))
    assert sorted(names["added"]) == ["MatMul_5", "Variable_5", "add_5", "add_5/y"]
    assert set(names) == {"added"}


def test_a_gradient_follows_the_op_that_it_belongs_to() -> None:
    def sines(*ops: str) -> PlainGraph:
        """x, its sines and cosines one after the other, and for each a product as its gradient."""
        forward = [PlainNode("x", "VariableV2")]
        forward += [PlainNode(f"{op}_{n}", op, ((n, 0),)) for n, op in enumerate(ops)]
        back = [
            PlainNode(f"gradients/{op}_{n}", "Mul", ((n, 0), (n + 1, 0)), stage=1, of=n + 1)
            for n, op in enumerate(ops)
        ]
        return PlainGraph([*forward, *back])

    found = compared(sines("Sin", "Sin"), sines("Sin", "Cos", "Sin"))
    names = summary(found)
    assert names["added"] == ["Cos_1", "gradients/Cos_1"]
    assert set(names).isdisjoint({"removed", "changed"})


def test_a_loop_leads_back_and_is_matched_all_the_same() -> None:
    nodes = [
        PlainNode("start", "Const"),
        PlainNode("Merge", "Merge", ((0, 0), (4, 0))),
        PlainNode("Switch", "Switch", ((1, 0), (1, 0))),
        PlainNode("Sin", "Sin", ((2, 1),)),
        PlainNode("NextIteration", "NextIteration", ((3, 0),)),
        PlainNode("Exit", "Exit", ((2, 0),)),
    ]
    assert compared(PlainGraph(nodes), PlainGraph(nodes)).is_same_structure

"""A mistake of ours in what a program calls: reported as ours, logged, and caught by no program."""

from __future__ import annotations

from typing import Any

import pytest

from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops import REGISTRY
from engine.ops.base.tensors import OPERATORS
from engine.programs import ProgramRequest, run_program

HEAD = "import tensorflow as tf\nimport numpy as np\nx = tf.constant(3.0)\n"
MISTAKES = [TypeError, ValueError, KeyError, AttributeError, ZeroDivisionError, AssertionError]


def first_mistake(source: str) -> Any:
    """The first error of a program, with the whole answer."""
    answer = run_program(ProgramRequest(HEAD + source, "tf1"))
    return next(reported for reported in answer["diagnostics"] if reported["severity"] == "error"), answer


@pytest.fixture(params=MISTAKES)
def broken_square(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tf.square` is broken: it stumbles, whatever it is given."""

    def square(x: Any) -> Any:
        raise request.param("stumbled")

    native = TF.members["square"]
    assert native.signature.fits(1)  # read from the function before it is replaced
    monkeypatch.setattr(native, "function", square)


@pytest.mark.usefixtures("broken_square")
def test_a_mistake_of_ours_is_reported_as_ours_at_its_line(caplog: pytest.LogCaptureFixture) -> None:
    reported, answer = first_mistake("y = x + 1.0\nz = tf.square(y)\n")
    assert (reported["code"], reported["line"]) == ("internal_error", 5)
    assert reported["message"] == "Gradlens itself failed in tf.square(); what ran before is shown."
    assert reported["message_zh"] == "Gradlens 在 tf.square() 中自身出错；已显示出错之前的结果。"
    assert answer["status"] == "error"
    assert [binding["name"] for binding in answer["bindings"]] == ["x", "y"]
    assert "stumbled" in caplog.text
    assert "stumbled" not in str(answer)


@pytest.mark.usefixtures("broken_square")
@pytest.mark.parametrize(
    "source",
    [
        "try:\n    tf.square(x)\nexcept Exception:\n    print('caught')\n",
        "def square(value):\n    return tf.square(value)\nsorted([x, x], key=square)\n",
        "list(map(tf.square, [x]))\n",
    ],
    ids=["try", "called back", "lazily"],
)
def test_no_program_and_no_function_around_it_takes_it_for_the_programs(source: str) -> None:
    reported, answer = first_mistake(source)
    assert reported["code"] == "internal_error"
    assert answer["printed"] == []


@pytest.mark.parametrize(("name", "source"), [("mul", "2.0 * x"), ("neg", "-x"), ("greater", "x > 2.0")])
def test_a_mistake_of_ours_behind_an_operator(
    name: str, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(OPERATORS, name, lambda *tensors: len(7))  # type: ignore[arg-type]  # the mistake
    reported, _ = first_mistake(source)
    assert reported["code"] == "internal_error"


def test_a_mistake_of_ours_in_a_gradient_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(REGISTRY["Sin"], "gradient_rule", lambda node, dy: dy.there_is_no_such_thing)
    reported, _ = first_mistake("y = tf.sin(x)\ng = tf.gradients(y, x)\nprint(g[0].name)\n")
    assert reported["code"] == "internal_error"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("int('three')", "wrong_arguments"),
        ("np.reshape([1, 2, 3], (2, 2))", "wrong_arguments"),
        ("np.ones(3) + np.ones(2)", "shape_mismatch"),
        ("'three' + 3", "type_mismatch"),
        ("tf.square(x, 3)", "bad_name"),
        ("tf.reduce_sum(x, 'rows')", "bad_value"),
        ("tf.expand_dims(x, [[1], 2])", "bad_value"),
        ("tf.matrix_diag(x)", "shape_mismatch"),
        ("tf.add_n([])", "bad_value"),
        ("tf.einsum(x, 'i,i->')", "bad_value"),
        ("tf.set_random_seed(x)", "bad_value"),
        ("tf.unstack(x)", "shape_mismatch"),
        ("tf.tensordot(x, x, axes=3)", "shape_mismatch"),
        ("tf.gradients(x, x, grad_ys=[])", "bad_value"),
        ("tf.get_variable('w')", "wrong_arguments"),
        ("tf.case([])", "wrong_arguments"),
        ("tf.while_loop(lambda: x, lambda: x, [])", "wrong_arguments"),
        ("tf.map_fn(tf.square, 3.0)", "bad_value"),
        ("tf.train.piecewise_constant(1, [], [0.1])", "bad_value"),
    ],
)
def test_a_mistake_of_the_program_stays_the_programs(source: str, code: str) -> None:
    reported, _ = first_mistake(source)
    assert (reported["code"], reported["line"]) == (code, 4)


@pytest.mark.parametrize(
    ("source", "message", "message_zh"),
    [
        (
            "tf.reduce_sum(x, axis={'rows': 1})",
            "`axis` of tf.reduce_sum() takes a whole number or a list of them, not a dict.",
            "tf.reduce_sum() 的 `axis` 需要整数或整数的列表，不能是 dict。",
        ),
        (
            "tf.zeros([4 / 2, 3])",
            "`shape` of tf.zeros() takes a list of whole numbers, not [2.0, 3].",
            "tf.zeros() 的 `shape` 需要整数的列表，不能是 [2.0, 3]。",
        ),
        (
            "tf.reduce_sum(x, keepdims='yes')",
            "`keepdims` of tf.reduce_sum() takes True or False, not 'yes'.",
            "tf.reduce_sum() 的 `keepdims` 需要 True 或 False，不能是 'yes'。",
        ),
        (
            "tf.cast(x, -7)",
            "`dtype` of tf.cast() takes an element type, not -7.",
            "tf.cast() 的 `dtype` 需要元素类型，不能是 -7。",
        ),
        (
            "tf.train.get_global_step(graph=x)",
            "`graph` of tf.train.get_global_step() takes a graph, not a Tensor.",
            "tf.train.get_global_step() 的 `graph` 需要计算图，不能是 Tensor。",
        ),
    ],
)
def test_an_argument_of_the_wrong_kind_is_reported_before_the_function_sees_it(
    source: str, message: str, message_zh: str
) -> None:
    reported, _ = first_mistake(source)
    assert (reported["message"], reported["message_zh"]) == (message, message_zh)
    assert reported["hint"]
    assert reported["hint_zh"]


def test_none_is_taken_where_it_is_the_default() -> None:
    answer = run_program(ProgramRequest(HEAD + "y = tf.reduce_sum(x, axis=None, name=None)\n", "tf1"))
    assert answer["status"] == "ok"

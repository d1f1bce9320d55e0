"""The math dialect: how text groups, what it builds, and what it says of mistakes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.languages.mathematics import FUNCTIONS
from engine.programs import ProgramRequest, run_program


def run(source: str, **at: Any) -> dict[str, Any]:
    return run_program(ProgramRequest(source, dialect="math", at=at))


def target(source: str, **at: Any) -> Any:
    answer = run(source, **at)
    assert answer["status"] == "ok", answer["diagnostics"]
    name = answer["target"].removesuffix(":0")
    return next(node["value"]["data"] for node in answer["graph"]["nodes"] if node["name"] == name)


def names(answer: dict[str, Any]) -> list[str]:
    return [node["name"] for node in answer["graph"]["nodes"]]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("2x", 6),
        ("2 x y", 24),
        ("(x+y)(x-y)", -7),
        ("1/2x", 1.5),  # (1/2)·x
        ("2^3^x", 2.0**27),  # to the right
        ("-x^2", -9),
        ("x^-2", 1 / 9),
        ("x² + 2x³", 63),
        ("√(x+1)", 2),
        ("|x - y| + |-x|", 4),
        ("2|y|x", 24),
        ("（x＋y）×2 ÷ 7 − 1", 1),
        ("sin^2 x + cos^2 x", 1),
        ("ln e^x", 3),
        ("log10(1000) + log2(8)", 6),
        ("max(x, y, 2) - min(x, y)", 1),
        ("abs(-x) + sqrt(y) + square(x)", 14),
        ("exp -0", 1),
        ("cos(0 pi) + cos 2π - 1", 1),
        ("pow(x, 2) ** 2", 81),
        ("mean([1, 2, 6])", 3),
        ("sum([x, y, 1])", 8),
    ],
)
def test_spellings(source: str, value: float) -> None:
    assert target(source, x=3, y=4) == pytest.approx(value)


def test_a_function_without_brackets_takes_the_product_after_it() -> None:
    assert target("sin 2x", x=0.25) == pytest.approx(target("sin(0.5)"))
    assert target("sin x cos x", x=0.25) == pytest.approx(target("sin(0.25) * cos(0.25)"))


def test_names_with_digits_are_one_name_and_spaces_make_a_product() -> None:
    answer = run("x1 xy x_2", x1=2, xy=3, x_2=5)
    assert [binding["name"] for binding in answer["bindings"]] == ["x1", "xy", "x_2"]
    assert answer["gradients"][0]["value"]["data"] == 15.0


def test_a_one_letter_name_before_a_bracket_is_a_factor() -> None:
    assert target("a(b+1)", a=2, b=3) == 8.0


def test_the_graph_is_that_of_the_tensorflow_program_that_says_the_same() -> None:
    program = run_program(
        ProgramRequest(
            "import tensorflow as tf\nx = tf.Variable(3., dtype=tf.float64, name='x')\n"
            "y = tf.exp(tf.sin(x)) ** 2\ng = tf.gradients(y, [x])"
        )
    )
    formula = run("y = exp(sin(x))^2", x=3)
    shape = [(n["name"], n["op"], n["inputs"], n["control_inputs"]) for n in formula["graph"]["nodes"]]
    assert shape == [
        (n["name"], n["op"], n["inputs"], n["control_inputs"]) for n in program["graph"]["nodes"]
    ]


def test_variables_come_first_in_order_of_appearance() -> None:
    answer = run("y = b*a")
    variables = [node["name"] for node in answer["graph"]["nodes"] if node["op"] == "VariableV2"]
    assert variables == ["b", "a"]
    assert names(answer)[:4] == ["b/initial_value", "b", "b/Assign", "b/read"]


def test_free_names_are_1_by_default() -> None:
    assert target("x + 10 y", y=2) == 21.0


def test_a_line_with_a_number_sets_a_value_and_is_no_target() -> None:
    answer = run("y = x^2\nx = 3")
    assert answer["target"] == "pow:0"
    assert answer["gradients"][0]["value"]["data"] == 6.0


def test_a_list_is_a_trainable_vector() -> None:
    answer = run("v = [1, 2, 3]\nsum(v^2)")
    assert answer["gradients"][0]["value"]["data"] == [2.0, 4.0, 6.0]


def test_the_request_wins_over_the_text() -> None:
    assert target("x = 3\nx^2", x=5) == 25.0


def test_e_is_eulers_number_until_it_has_a_value() -> None:
    assert target("ln(e)") == pytest.approx(1.0)
    assert target("e^2", e=3) == 9.0
    assert target("e = 5\ne^2") == 25.0


def test_lines_define_names_for_the_lines_below() -> None:
    answer = run("c = a + b\ny = c*c", a=1, b=2)
    assert [binding["name"] for binding in answer["bindings"]] == ["a", "b", "c", "y"]
    assert answer["gradients"][0]["value"]["data"] == 6.0


def test_greek_and_chinese_names_keep_their_spelling() -> None:
    answer = run("损失 = (θ₁ - 3)²", **{"θ₁": 1})
    assert [binding["name"] for binding in answer["bindings"]] == ["θ₁", "损失"]
    assert "theta1" in names(answer)
    assert answer["gradients"][0]["name"] == "θ₁"
    assert answer["gradients"][0]["value"]["data"] == -4.0


@pytest.mark.parametrize(
    ("source", "message", "column", "hint"),
    [
        ("y = sine(x)", "`sine` is not a function that Gradlens knows.", 5, "Did you mean `sin`?"),
        ("y = qqq(x)", "`qqq` is not a function that Gradlens knows.", 5, "For a product write qqq * (…)."),
        ("y = sin(x", "The formula ends too early: a closing bracket `)` is missing.", 10, ""),
        ("y = [1, 2", "The formula ends too early: a closing bracket `]` is missing.", 10, ""),
        ("y = ", "The formula ends too early: a number, a name or a bracket is missing.", 4, ""),
        ("2 +* 3", "`*` cannot stand here; a number, a name or a bracket was expected.", 4, ""),
        (
            "x + y = 3",
            "`=` cannot stand here; an operator was expected.",
            7,
            "Only one name may stand before `=`, as in y = x^2.",
        ),
        (
            "x $ y",
            "`$` (dollar sign) has no meaning in a formula.",
            3,
            "Delete it, or write the operation in words: sqrt, abs, exp.",
        ),
        (
            "x' + 1",
            "A prime for a derivative is not needed: every derivative is computed.",
            2,
            "Write the function itself, as in y = x^2.",
        ),
        (
            "sin^-1 x",
            "`sin` to the power -1 can mean the inverse function or 1/sin.",
            1,
            "Write arcsin(…) or 1/sin(…).",
        ),
        ("abs(x, y)", "abs(…) takes 1 arguments, but 2 were given.", 1, ""),
        (
            "x = x + 1",
            "`x` is used before the line that defines it.",
            5,
            "Move the line `x = …` up, or rename one of the two.",
        ),
        ("[1, 2] + [1, 2, 3]", "", 1, None),
    ],
)
def test_a_mistake_points_at_its_place(source: str, message: str, column: int, hint: str | None) -> None:
    answer = run(source)
    assert answer["status"] == "error"
    reported = answer["diagnostics"][0]
    assert (reported["line"], reported["column"]) == (1, column)
    if message:
        assert (reported["message"], reported["hint"]) == (message, hint)


def test_a_product_that_may_surprise_is_explained_once() -> None:
    reported = run("1/2x + 1/3x")["diagnostics"]
    assert [d["message"] for d in reported] == [
        "A product without a sign binds like `*`, from the left: a/b c is (a/b) · c."
    ]
    assert run("x^2 y")["diagnostics"] == []


def test_log_says_that_it_is_natural() -> None:
    (reported,) = run("log(x)")["diagnostics"]
    assert reported["code"] == "natural_logarithm"


def test_a_value_for_a_name_that_is_not_there_is_reported() -> None:
    (reported,) = run("y = alpha^2", alpa=3)["diagnostics"]
    assert (reported["severity"], reported["hint"]) == ("warning", "Did you mean `alpha`?")


def test_a_number_alone_is_still_shown() -> None:
    assert target("2*3 + 1") == 7.0


def test_an_empty_text_is_an_empty_graph() -> None:
    answer = run("")
    assert (answer["status"], answer["target"], answer["graph"]["nodes"]) == ("ok", None, [])


# -- what can be read in more than one way -----------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        ("(1/2)x", []),
        (r"x^{2}y", []),
        (r"\frac{1}{2} x", []),
        ("e^2x", ["implicit_product_after_^"]),
        ("ψ(x)", ["letter_before_bracket"]),
        ("f(x) + f(x)", ["letter_before_bracket"]),
        ("f = 2\nf(x)", ["letter_before_bracket"]),
        ("a(x)", []),
        ("A = [[1, 2], [3, 4]]\nA A", ["matrix_product"]),
        ("A = [[1, 2], [3, 4]]\nA * A", ["elementwise"]),
        ("A = [[1, 2], [3, 4]]\n2 A", []),
        ("v = [1, 2]\nv[1]", ["counts_from_one"]),
    ],
)
def test_what_can_be_read_in_two_ways_is_noted(source: str, codes: list[str]) -> None:
    answer = run(source)
    assert answer["status"] == "ok"
    assert [reported["code"] for reported in answer["diagnostics"]] == codes


def test_t_is_a_transpose_unless_it_is_a_name_of_the_text() -> None:
    assert target("v = [1, 2]\n2 v^T v") == 10.0
    assert target("a^T", a=2, T=3) == 8.0
    assert target("a^T + T", a=2) == 3.0
    assert target("x = [0, 1, 2, 3]\ny = 2 xᵀx") == 28.0
    assert target("x = [0, 1, 2, 3]\ny = 2x^Tx") == 28.0


def test_two_bars_are_a_norm_or_two_absolute_values() -> None:
    assert target("v = [3, 4]\n||v||") == 5.0
    assert target("|x||y|", x=-2, y=-3) == 6.0
    assert target("||x| - |y||", x=-2, y=-3) == 1.0


# -- functions, sums, conditions ---------------------------------------------------------------------


def test_a_line_may_define_a_function_of_its_own() -> None:
    assert target("f(x) = x^2\nf(3) + f(a)", a=2) == 13.0
    assert target("f(x) = x^2", x=4) == 16.0
    assert target("g(a, b) = a - b\ng(5, x)", x=2) == 3.0
    assert target("sigmoid(x) = 7\nsigmoid(1)") == 7.0


def test_a_function_that_calls_itself_is_refused() -> None:
    (reported,) = run("f(x) = f(x - 1)\nf(3)")["diagnostics"]
    assert reported["code"] == "defined_by_itself"


def test_sums_and_products_run_over_both_bounds() -> None:
    assert target("sum(i, 1, 4, i^2)") == 30.0
    assert target("prod(i, 1, 4, i)") == 24.0
    assert target("sum(i, 1, 3, sum(j, 1, i, i j))") == 25.0
    assert target("sum(i, 3, 1, x)") == 0.0


def test_a_bound_is_a_whole_number_and_is_not_trained() -> None:
    answer = run("n = 3\nsum(i, 1, n, x_i) / n")
    assert [row["name"] for row in answer["gradients"]] == ["x_1", "x_2", "x_3"]
    (reported,) = run("sum(i, 1, m, x)")["diagnostics"]
    assert (reported["code"], reported["hint"]) == ("bounds_missing", "Add the line m = 3.")


def test_indices_take_elements_of_a_list_and_name_variables_elsewhere() -> None:
    assert target("x = [5, 6, 7]\nsum(i, 1, 3, i x_i)") == 38.0
    assert target("x = [5, 6, 7]\nx[3] - x_1") == 2.0
    assert target("A = [[1, 2], [3, 4]]\nsum(i, 1, 2, A[i, i])") == 5.0
    assert target("sum(i, 1, 2, x_i)", x_1=3, x_2=4) == 7.0


@pytest.mark.parametrize(("x", "y"), [(-1, 1), (0, 0), (0.5, 10), (1, 20), (2, 30)])
def test_cases_are_tried_in_order(x: float, y: float) -> None:
    assert target("if(x < 0, 1, x = 0, 0, 0 < x < 1, 10, x ≤ 1 and not x ≠ 1, 20, 30)", x=x) == y


def test_where_no_case_holds_the_value_is_not_a_number() -> None:
    assert target("if(x > 1, 1, x < 1, 2)", x=1) == "nan"


def test_a_condition_is_not_a_number() -> None:
    assert run("if(x, 1, 2)")["diagnostics"][0]["code"] == "wrong_arguments"
    assert run("x and y")["diagnostics"][0]["code"] == "syntax_error"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("x^T", "not_a_matrix"),
        ("v = [1, 2]\nv[3]", "no_element"),
        ("v = [1, 2]\nv[0]", "no_element"),
        ("v = [1, 2]\nv[x]", "bounds_missing"),
        ("x = [1, 2]\nA = [[1, 2, 3], [4, 5, 6]]\nA @ x", "shape_mismatch"),
        ("x > 3", "syntax_error"),
        ("∞x", "unknown_character"),
    ],
)
def test_mistakes_with_arrays_and_conditions(source: str, code: str) -> None:
    answer = run(source)
    assert (answer["status"], answer["diagnostics"][-1]["code"]) == ("error", code)


def test_letters_of_mathematical_alphabets_and_full_width_ones_are_plain() -> None:
    assert target("𝑥² + ｙ", x=3, y=1) == 10.0


@pytest.mark.slow
def test_ten_thousand_brackets_and_other_bombs_are_answered() -> None:
    assert target("(" * 10_000 + "x" + ")" * 10_000) == 1.0
    for bomb in (
        "(" * 10_000,
        "|" * 10_000,
        r"\frac{" * 5_000,
        "sin " * 10_000 + "x",
        "[" * 10_000,
        "x^" * 9_000,
    ):
        assert run(bomb)["status"] in ("error", "refused")


def test_the_documentation_names_functions_that_there_are() -> None:
    page = (Path(__file__).parents[4] / "docs/mathematics.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| functions |"))
    reported = set(re.findall(r"[a-z][a-z0-9]+", row.split("|")[2].replace("with arc-, a-, -h", "")))
    assert reported <= set(FUNCTIONS)
    assert len(reported) > 40


@pytest.mark.parametrize("source", ["y = x\ny = 0", "y = 2x\nz = y\ny = 3"])
def test_a_value_for_a_name_that_a_formula_defines_is_refused(source: str) -> None:
    (reported,) = run_program(ProgramRequest(source, dialect="math"))["diagnostics"]
    assert reported["code"] == "defined_twice"
    assert reported["message"] == "`y` is defined by a formula above, and set to a value here."
    assert reported["line"] == source.count("\n") + 1


def test_a_formula_may_follow_the_value_of_its_name() -> None:
    answer = run_program(ProgramRequest("y = 2\ny = x y", dialect="math", at={"x": 3}))
    assert answer["status"] == "ok"
    assert {row["name"]: row["value"]["data"] for row in answer["gradients"]} == {"y": 3.0, "x": 2.0}

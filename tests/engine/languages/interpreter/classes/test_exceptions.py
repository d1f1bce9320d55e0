"""`try`, `except` and `raise` on the program's own errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.languages.interpreter.classes.builtin_exceptions import BASES
from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    print('zero')", ["zero"]),
        (
            "try:\n    1 / 0\nexcept (KeyError, ArithmeticError) as e:\n    print(e)",
            ["division by zero"],
        ),
        (
            "try:\n    {}['a']\nexcept ValueError:\n    print('no')\nexcept LookupError:\n    print('yes')",
            ["yes"],
        ),
        (
            "try:\n    x = 1\nexcept Exception:\n    pass\n"
            "else:\n    print('else')\nfinally:\n    print('end')",
            ["else", "end"],
        ),
        (
            "try:\n    raise ValueError('why', 2)\nexcept ValueError as e:\n    print(e, e.args)",
            ["('why', 2) ('why', 2)"],
        ),
        (
            "def f():\n    try:\n        return 1\n    finally:\n        print('left')\nprint(f())",
            ["left", "1"],
        ),
        (
            "for i in range(3):\n    try:\n        if i == 1:\n            continue\n        print(i)\n"
            "    finally:\n        print('f')",
            ["0", "f", "f", "2", "f"],
        ),
        (
            "try:\n    try:\n        [][1]\n    except IndexError:\n        raise\n"
            "except Exception as e:\n    print(type(e).__name__)",
            ["IndexError"],
        ),
        (
            "class Mine(Exception):\n    pass\ntry:\n    raise Mine('m')\nexcept Mine as m:\n    print(m)",
            ["m"],
        ),
    ],
)
def test_errors_are_caught_as_in_python(source: str, shown: list[str]) -> None:
    assert printed(source) == shown


def test_tensorflows_errors_are_caught_as_it_raises_them() -> None:
    source = (
        "import tensorflow as tf\ntry:\n    tf.matmul(tf.zeros((2, 3)), tf.zeros((2, 3)))\n"
        "except ValueError as e:\n    print('shapes')"
    )
    assert printed(source) == ["shapes"]


def test_an_error_that_nobody_catches_is_reported() -> None:
    answer = run_program(ProgramRequest("def f():\n    raise ValueError('too small')\nf()", dialect="tf1"))
    (reported,) = answer["diagnostics"]
    assert reported["message"] == "The program raised ValueError: too small"
    assert (reported["line"], reported["code"]) == (2, "uncaught_exception")


@pytest.mark.parametrize("caught", ["except:", "except Exception:"])
def test_a_limit_cannot_be_caught(caught: str) -> None:
    source = (
        f"while True:\n    try:\n        while True:\n            pass\n    {caught}\n        print('on')\n"
        "    finally:\n        print('f')"
    )
    answer = run_program(ProgramRequest(source, dialect="tf1"), replace(ROOMY, steps=1000))
    assert answer["status"] == "limit"
    assert answer["printed"] == []


def test_a_refusal_cannot_be_caught() -> None:
    answer = run_program(
        ProgramRequest("try:\n    import socket\nexcept Exception:\n    print('on')", dialect="tf1")
    )
    assert answer["diagnostics"][0]["code"] == "refused_import"
    assert answer["printed"] == []


def test_a_module_that_is_not_installed_is_caught_as_python_does() -> None:
    source = "try:\n    import google.colab\nexcept ImportError as error:\n    print(error)"
    assert printed(source) == ["No module named 'google.colab'"]


@pytest.mark.parametrize("line", ["import statsmodels", "import seaborn as sns", "import pickle"])
def test_what_is_imported_and_never_used_is_noted_and_passed_over(line: str) -> None:
    answer = run_program(ProgramRequest(f"{line}\nprint(1)", dialect="tf1"))
    assert (answer["status"], answer["printed"]) == ("ok", ["1"])
    assert [one["code"] for one in answer["diagnostics"]] == ["import_not_used"]


USED_IN_A_FUNCTION = "import pdb\ndef look():\n    pdb.set_trace()\nprint(1)\n"


def test_what_is_used_in_a_function_only_is_refused_where_the_function_uses_it() -> None:
    answer = run_program(ProgramRequest(USED_IN_A_FUNCTION, dialect="tf1"))
    assert (answer["status"], answer["printed"]) == ("ok", ["1"])
    assert [one["code"] for one in answer["diagnostics"]] == ["import_not_used"]
    called = run_program(ProgramRequest(USED_IN_A_FUNCTION + "look()", dialect="tf1"))
    assert called["printed"] == ["1"]
    error = next(one for one in called["diagnostics"] if one["severity"] == "error")
    assert (error["code"], error["line"]) == ("refused_import", 3)


@pytest.mark.parametrize("use", ["print(norm(1.0))", "def f(x=norm): return x", "[norm for _ in range(2)]"])
def test_what_is_used_outside_of_functions_is_refused_at_its_import(use: str) -> None:
    answer = run_program(ProgramRequest(f"from statsmodels.api import norm\n{use}", dialect="tf1"))
    error = next(one for one in answer["diagnostics"] if one["severity"] == "error")
    assert (error["code"], error["line"]) == ("refused_import", 1)


def test_what_is_imported_by_a_misspelt_name_is_a_mistake_even_unused() -> None:
    answer = run_program(ProgramRequest("import tensorflwo as tf\nprint(1)", dialect="tf1"))
    assert answer["diagnostics"][0]["hint"] == "Did you mean `tensorflow`?"


def test_a_class_of_pythons_cannot_be_written_and_ones_own_can() -> None:
    assert printed(
        "try:\n    Exception.__str__ = lambda self: 'WRONG'\nexcept TypeError as e:\n    print(e)\n"
        "class Mine(ValueError):\n    pass\nMine.stash = [1]\nMine.__str__ = lambda self: 'mine'\n"
        "try:\n    raise Mine('a')\nexcept ValueError as e:\n    print(e, Mine.stash)"
    ) == ["cannot set '__str__' attribute of immutable type 'Exception'", "mine [1]"]


@pytest.mark.parametrize("name", [*BASES])
def test_every_exception_of_pythons_is_immutable(name: str) -> None:
    (reported,) = run_program(ProgramRequest(f"{name}.stash = []", dialect="tf1"))["diagnostics"]
    assert reported["message"] == f"cannot set 'stash' attribute of immutable type '{name}'"
    assert reported["message_zh"] == f"不能设置不可变类型 {name} 的属性 `stash`。"
    assert reported["hint"] == f"Write class Mine({name}): and change the class of your own."


@pytest.mark.parametrize("method", ["__init__", "__str__"])
def test_a_method_of_an_exception_takes_an_exception(method: str) -> None:
    (reported,) = run_program(ProgramRequest(f"Exception.{method}(ValueError)", dialect="tf1"))["diagnostics"]
    assert reported["message"] == f"`owner` of Exception.{method}() takes an exception, not a class."


def test_arguments_that_a_program_writes_are_shown() -> None:
    assert printed("e = ValueError('a')\ne.args = 5\nprint(e)") == ["5"]

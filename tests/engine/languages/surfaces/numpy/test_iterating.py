"""`np.nditer` and subscripts as values, as numpy has them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def answer(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest("import numpy as np\na = np.arange(6).reshape(2, 3)\n" + source))


def printed(source: str) -> str:
    found = answer(source)
    assert found["status"] == "ok", found["diagnostics"]
    return "\n".join(found["printed"])


def test_numeric_gradients_go_through_an_array_with_their_places() -> None:
    source = """
x = np.array([[1.0, -2.0], [0.5, 3.0]])
grad = np.zeros_like(x)
it = np.nditer(x, flags=['multi_index'], op_flags=['readwrite'])
while not it.finished:
    ix = it.multi_index
    old = x[ix]
    x[ix] = old + 0.5
    above = np.sum(x ** 2)
    x[ix] = old - 0.5
    below = np.sum(x ** 2)
    x[ix] = old
    grad[ix] = above - below
    it.iternext()
print(grad.tolist(), ix, it.finished)
"""
    assert printed(source) == "[[2.0, -4.0], [1.0, 6.0]] (1, 1) True"


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("for x in np.nditer(a): print(x, end=' ')", "0 1 2 3 4 5 "),
        ("for x in np.nditer(a, order='F'): print(x, end=' ')", "0 3 1 4 2 5 "),
        (
            "for x in np.nditer(a, op_flags=['readwrite']): x[...] = 2 * x\nprint(a.ravel())",
            "[ 0  2  4  6  8 10]",
        ),
        (
            "it = np.nditer(a, flags=['c_index'], op_flags=[['readwrite']])\n"
            "while not it.finished:\n    if it.index % 2: it[0] *= -1\n    it.iternext()\nprint(a.ravel())",
            "[ 0 -1  2 -3  4 -5]",
        ),
        ("print([int(x + y) for x, y in np.nditer([np.arange(2), np.array([[1], [5]])])])", "[1, 2, 5, 6]"),
        (
            "print(np.s_[1:3, ::2], np.index_exp[2], a[np.s_[:, 1]])",
            "(slice(1, 3, None), slice(None, None, 2)) (2,) [1 4]",
        ),
    ],
)
def test_elements_one_by_one(source: str, shown: str) -> None:
    assert printed(source) == shown


def test_a_flag_that_is_not_offered_is_refused() -> None:
    found = answer("np.nditer(a, flags=['external_loop'])")
    assert found["diagnostics"][0]["message"] == "np.nditer does not take 'external_loop' in flags here."


def test_a_generator_draws_in_single_precision() -> None:
    source = """
r = np.random.default_rng(42)
print(r.random(3, dtype=np.float32).tolist(), r.standard_normal(2, dtype='float32').dtype, r.random())
"""
    assert (
        printed(source)
        == "[0.08925092220306396, 0.7739560008049011, 0.6545714735984802] float32 0.6973680290593639"
    )


def test_id_is_the_same_for_one_object_alone() -> None:
    assert (
        printed("u = [1]; v = u\nprint(id(u) == id(v), id(u) == id([1]), len({id(u), id(v), id(a)}))")
        == "True False 2"
    )


def test_transforms_and_windows_say_what_to_write_instead() -> None:
    (fft,) = answer("np.fft.fft([1.0, 2.0])")["diagnostics"]
    assert fft["message"] == "`np.fft` is not supported."
    assert fft["hint"].startswith("numpy's arrays have no complex numbers here.")
    (windows,) = answer("np.lib.stride_tricks.sliding_window_view(a[0], 2)")["diagnostics"]
    assert windows["hint"].startswith("Take windows by subscripts")


def test_a_method_has_its_own_name_alone() -> None:
    assert printed("print(a.sum.__name__, np.sum.__name__, 'a'.upper.__name__)") == "sum sum upper"

"""Lists in subscripts, as JAX 0.10.2 takes them: among the parts of a key, but not as the whole key."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import jax, jax.numpy as jnp\na = jnp.arange(12).reshape(3, 4)\n"


def printed(line: str) -> list[str]:
    found = run_program(ProgramRequest(source=BEGIN + line))
    assert found["status"] == "ok", found["diagnostics"]
    lines: list[str] = found["printed"]
    return lines


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (":, [0, 3]", [[0, 3], [4, 7], [8, 11]]),
        ("[0, 2], 1", [1, 9]),
        ("[0, 2], [1, 3]", [1, 11]),
        ("[True, False, True], 1", [1, 9]),
        ("..., [1]", [[1], [5], [9]]),
        ("[0, 1],", [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (":, []", [[], [], []]),
    ],
)
def test_a_list_among_the_parts_of_a_key_is_an_array_of_places(key: str, expected: object) -> None:
    assert printed(f"print(a[{key}].tolist())") == [str(expected)]


def test_places_in_a_list_take_gradients_and_new_values() -> None:
    line = (
        "print(jax.grad(lambda v: (v[[0, 2], 1] ** 2).sum())(a * 1.0).tolist(), a.at[[0, 1], [1, 2]].add(10))"
    )
    assert "\n".join(printed(line)) == (
        "[[0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 18.0, 0.0, 0.0]] "
        "[[ 0 11  2  3]\n [ 4  5 16  7]\n [ 8  9 10 11]]"
    )


@pytest.mark.parametrize(
    ("key", "kind"), [("[0, 2]", "array"), ("[slice(0, 1)]", "tuple"), ("[[0, 1]]", "tuple")]
)
def test_a_list_as_the_whole_key_is_refused(key: str, kind: str) -> None:
    found = run_program(ProgramRequest(source=f"{BEGIN}a[{key}]"))
    assert f"use `arr[{kind}(seq)]` instead of `arr[seq]`" in found["diagnostics"][-1]["message"]

"""How numpy's arrays are written. What numpy 1.18 writes for the same lines."""

from __future__ import annotations

import numpy as np
import pytest

from engine.programs import ProgramRequest, run_program

A = "import numpy as np, sys\na = np.array([1/3, 2/3, 1e-10, 12345.678])\n"


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(A + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("options", "shown", "expected"),
    [
        ("precision=3", "a", "[3.333e-01 6.667e-01 1.000e-10 1.235e+04]"),
        ("precision=3, suppress=True", "a", "[    0.333     0.667     0.    12345.678]"),
        ("threshold=5, edgeitems=1", "np.arange(20)", "[ 0 ... 19]"),
        ("threshold=sys.maxsize", "str(np.arange(1005))[-10:]", "1003 1004]"),
        ("linewidth=30", "np.arange(12)", "[ 0  1  2  3  4  5  6  7  8\n  9 10 11]"),
        ("formatter={'float': '{:0.2f}'.format}", "a", "[0.33 0.67 0.00 12345.68]"),
        ("formatter={'int': lambda i: '<%d>' % i}", "np.arange(2)", "[<0> <1>]"),
        ("nanstr='-', infstr='oo', sign='+'", "np.array([np.nan, np.inf, 1.0])", "[ +- +oo +1.]"),
        ("floatmode='fixed', precision=2", "[np.array([0.5, 0.125])]", "[array([0.50, 0.12])]"),
        ("precision=2", "np.get_printoptions()['precision']", "2"),
    ],
)
def test_options_hold_from_where_they_are_set(options: str, shown: str, expected: str) -> None:
    assert "\n".join(printed(f"np.set_printoptions({options})\nprint({shown})")) == expected.strip()


def test_options_are_those_of_one_run_and_of_a_block_alone() -> None:
    before = np.get_printoptions()
    assert printed(
        "with np.printoptions(precision=2, suppress=True):\n    print(a)\nprint(a[:1])\n"
        "np.set_printoptions(precision=1)\nprint(a[:1])\nnp.set_printoptions(suppress=True)\nprint(a[:1])"
    ) == ["[    0.33     0.67     0.   12345.68]", "[0.33333333]", "[0.3]", "[0.3]"]
    assert np.get_printoptions() == before
    assert printed("print(a[:1])") == ["[0.33333333]"]


def test_eager_tensors_are_written_with_them_too() -> None:
    source = "import tensorflow as tf\nnp.set_printoptions(precision=2)\nprint(tf.constant([1/3]))"
    assert printed(source) == ["tf.Tensor([0.33], shape=(1,), dtype=float32)"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("threshold=np.nan",
         "threshold must be non-NAN, try sys.maxsize for untruncated representation"),
        ("floatmode='x'",
         'floatmode option must be one of "fixed", "unique", "maxprec", "maxprec_equal"'),
    ],
)  # fmt: skip
def test_what_numpy_refuses_is_refused_in_its_words(options: str, said: str) -> None:
    caught = f"try:\n    np.set_printoptions({options})\nexcept ValueError as e:\n    print(e)"
    assert printed(caught) == [said]


def test_one_array_is_written_with_options_of_its_own() -> None:
    assert printed(
        "print(np.array2string(a, precision=2, separator=', '))\nprint(np.array_str(a, precision=1))\n"
        "print(np.format_float_positional(0.1), np.format_float_scientific(12345.6))"
    ) == ["[3.33e-01, 6.67e-01, 1.00e-10, 1.23e+04]", "[3.3e-01 6.7e-01 1.0e-10 1.2e+04]", "0.1 1.23456e+04"]

"""numpy behind an allow-list: its own numbers, its classic print, its sizes bounded."""

from __future__ import annotations

import numpy as np
import pytest

from engine.programs import ProgramRequest, run_program


def printed(source: str, seed: int = 0) -> str:
    answer = run_program(ProgramRequest("import numpy as np\n" + source, seed=seed))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("np.array([1, 2]) * 2.5", "[2.5 5. ]"),
        ("np.arange(6).reshape(2, 3).T", "[[0 3]\n [1 4]\n [2 5]]"),
        ("np.arange(4).reshape(2, 2, order='F').tolist()", "[[0, 2], [1, 3]]"),
        ("np.linspace(0, 1, 3)", "[0.  0.5 1. ]"),
        ("np.sum([[1, 2], [3, 4]], axis=0), np.mean([1, 2]), np.max([3, 5])", "[4 6] 1.5 5"),
        ("np.dot([1, 2], [3, 4]), np.power(2, 3), np.square(3.)", "11 8 9.0"),
        ("np.zeros((2, 1), dtype=np.float32).shape, np.ones(2).dtype", "(2, 1) float64"),
        ("np.concatenate([[1], [2, 3]]), np.argmax([1, 9, 2])", "[1 2 3] 1"),
        ("np.array([1., 2., 3.])[::-1][:, np.newaxis].tolist()", "[[3.0], [2.0], [1.0]]"),
        ("np.float32(0.1) + np.float32(0.2), np.pi", "0.3 3.141592653589793"),
        ("[x for x in np.array([[1, 2], [3, 4]])][1].astype(np.float32)", "[3. 4.]"),
        ("np.linalg.norm([3., 4.]), np.clip([1, 9], 2, 5)", "5.0 [2 5]"),
    ],
)
def test_arrays(source: str, shown: str) -> None:
    assert printed(f"print({source})") == shown


def test_seeded_numbers_are_numpys_own_bit_for_bit() -> None:
    generator = np.random.RandomState(7)
    expected = [float(generator.rand()), float(generator.randn()), int(generator.randint(10))]
    source = (
        "np.random.seed(7)\n"
        "print([float(np.random.rand()), float(np.random.randn()), int(np.random.randint(10))])"
    )
    assert printed(source) == str(expected)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ('np.random.choice(list("0123456789"))', "5"),
        ('np.random.choice(["red", "green"], size=3)', "['red' 'green' 'green']"),
        ('np.random.choice(["a", "b", "c"], 2, replace=False)', "['c' 'b']"),
        ('np.random.permutation(["a", "b", "c"])', "['c' 'b' 'a']"),
        ('np.random.default_rng(0).choice(["a", "b", "c"])', "c"),
    ],
)
def test_texts_are_picked_at_random_as_numbers_are(source: str, shown: str) -> None:
    assert printed(f"np.random.seed(0)\nprint({source})") == shown


def test_unseeded_numbers_come_from_the_requests_seed() -> None:
    source = "print(float(np.random.rand()))"
    assert printed(source, seed=3) == str(float(np.random.RandomState(3).rand()))
    assert printed(source) != printed(source, seed=1)


def test_a_generator_of_ones_own_is_apart() -> None:
    source = "r = np.random.RandomState(1)\na = r.rand()\nnp.random.rand()\nprint(float(r.rand()))"
    generator = np.random.RandomState(1)
    generator.rand()
    assert printed(source) == str(float(generator.rand()))


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("np.load('x.npy')", "refused_name"),
        ("np.ones((2, 3)) + np.ones(4)", "shape_mismatch"),
        ("np.array([[1], [2, 3]])", "bad_value"),
        ("np.array(['a', 1])", "bad_value"),
        ("np.array(['a']).sum()", "bad_value"),
        ("np.array(['a']).astype(float)", "bad_value"),
        ("if np.ones(2):\n    pass", "array_as_bool"),
        ("np.ones(3)[5]", "index_out_of_range"),
        ("import tensorflow.compat.v1 as tf\nnp.sin(tf.constant(1.))", "symbolic_value"),
        ("import math, tensorflow.compat.v1 as tf\nmath.exp(tf.constant(1.))", "symbolic_value"),
        ("import math\nmath.sqrt(-1)", "outside_domain"),
    ],
)
def test_what_numpy_or_math_cannot_do_is_reported(source: str, code: str) -> None:
    answer = run_program(ProgramRequest("import numpy as np\n" + source))
    assert answer["diagnostics"][-1]["code"] == code


def test_data_of_the_request_is_an_array_of_that_name() -> None:
    answer = run_program(
        ProgramRequest(
            "print(points.shape, float(points[1, 0]), table.sum())",
            data={"points": [[1, 2], [3, 4]], "table": "1,2\n3,4"},
        )
    )
    assert answer["printed"] == ["(2, 2) 3.0 10.0"]


def test_the_clock_is_the_same_in_every_run() -> None:
    source = "import time\na = time.time()\nb = time.time()\nprint(round(b - a, 3))"
    assert printed(source) == "0.001"


def test_a_generator_goes_on_from_the_state_that_it_had():
    source = """
np.random.seed(0)
state = np.random.get_state()
print(state[0], state[1][:3], state[2:])
print(np.random.rand() == np.random.set_state(state) or np.random.rand())
own = np.random.RandomState(1)
before = own.get_state()
x = own.randn()
own.set_state(before)
print(x == own.randn())
"""
    answer = run_program(ProgramRequest(f"import numpy as np\n{source}", dialect="tf1"))
    assert answer["printed"] == [
        "MT19937 [         0          1 1812433255] (624, 0, 0.0)",
        "0.5488135039273248",
        "True",
    ]


@pytest.mark.parametrize(
    ("state", "kind", "message"),
    [
        ("3", "TypeError", "state must be a dict or a tuple."),
        ('("a", 1)', "ValueError", "set_state can only be used with legacy MT19937 state instances."),
    ],
)
def test_what_is_no_state_is_refused_in_numpy_s_words(state: str, kind: str, message: str):
    source = f"try:\n    np.random.set_state({state})\nexcept {kind} as error:\n    print(error)"
    assert printed(source) == message

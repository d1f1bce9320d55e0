"""One nonsense argument in each call of a function: whatever comes out, it is never a mistake of ours."""

from __future__ import annotations

import pytest

from engine.languages.surfaces.catalogue import MODULES, TENSORFLOW, TENSORFLOW_2
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from tests.fuzz.conftest import LONG
from tests.fuzz.nonsense import NONSENSE, Function, functions_of, methods_of
from tests.limits import ROOMY

pytestmark = pytest.mark.slow  # draws hundreds of programs

HEADS = {
    "tf1": """import tensorflow as tf
x = tf.Variable([[4.0, 1.0], [1.0, 3.0]])
sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
opt = tf.train.AdamOptimizer(0.1)
array = tf.TensorArray(tf.float32, 3)
""",
    "tf2": """import tensorflow as tf
import matplotlib.pyplot as plt
x = tf.Variable([[4.0, 1.0], [1.0, 3.0]])
opt = tf.keras.optimizers.Adam(0.1)
data = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    y = x * x
""",
}
OWNERS = {
    "tf1": {
        "Graph": "tf.get_default_graph()",
        "Node": "x.op",
        "Optimizer": "opt",
        "ProgramSession": "sess",
        "Tensor": "tf.exp(x)",
        "TensorArray": "array",
        "Variable": "x",
    },
    "tf2": {
        "Artist": "plt.plot([1, 2])[0]",
        "Axes": "plt.gca()",
        "Dataset": "data",
        "EagerTensor": "tf.exp(x)",
        "EagerVariable": "x",
        "Figure": "plt.gcf()",
        "KerasOptimizer": "opt",
        "ProgramTape": "tape",
    },
}
CASES = [
    pytest.param(dialect, function, id=f"{dialect}-{function.written}")
    for dialect, module in (("tf1", TENSORFLOW), ("tf2", TENSORFLOW_2))
    for function in (*functions_of(module), *methods_of(OWNERS[dialect]))
]
CASES += [
    pytest.param("tf2", function, id=function.written)
    for function in functions_of(MODULES["matplotlib.pyplot"], "plt.")
]
NOT_YET: frozenset[str] = frozenset()  # functions that still stumble over nonsense; it can only shrink
LIMITS = ROOMY
LINES_OF_A_TRY = 4
TURNS = len(NONSENSE) if LONG else 2  # how many of the values each parameter gets


@pytest.mark.parametrize(("dialect", "function"), CASES)
def test_nonsense_is_the_programs_mistake(dialect: str, function: Function) -> None:
    first = sum(map(ord, function.written))
    calls = [call for turn in range(TURNS) for call in function.calls(first + turn)]
    stumbled = mistakes_of_ours(dialect, calls)
    assert bool(stumbled) == (function.written in NOT_YET), stumbled


def mistakes_of_ours(dialect: str, calls: list[str]) -> list[str]:
    """The calls that end in a mistake of ours. The program catches its own; behind any other it goes on."""
    stumbled: list[str] = []
    while calls:
        tries = [f"try:\n    {call}\nexcept Exception:\n    pass\n" for call in calls]
        outcome = run_request(ProgramRequest(HEADS[dialect] + "".join(tries), dialect=dialect), LIMITS)
        stopped = [reported for reported in outcome.diagnostics if reported.severity == "error"]
        if not stopped:
            break
        place = stopped[0].span
        assert place is not None, stopped[0]
        number = (place.line - HEADS[dialect].count("\n") - 1) // LINES_OF_A_TRY
        if stopped[0].code == "internal_error":
            stumbled.append(calls[number])
        calls = calls[number + 1 :]
    return stumbled

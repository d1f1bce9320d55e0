"""An argument that a program gives is used, or changes no number: those passed over, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.programs import surfaces

# Wherever they stand, they change no number.
ANYWHERE = {
    "where, how fast and in what memory it is computed": "caching_device experimental_aggregate_gradients "
    "experimental_use_pfor fallback_to_while_loop infer_shape optimize parallel_iterations swap_memory "
    "use_locking use_resource clear_after_read aggregation synchronization copy",
    "how a session is set up and watched": "config options run_metadata target",
    "what is checked or shown besides": "expected_shape message summarize validate_indices validate_shape "
    "verify_shape warn",
    "what nodes are called, or listed under": "name scope outputs_collections tensor_array_name",
    "how a variable is read from a file": "import_scope variable_def",
    "what calls it": "interpreter self",
}

# Their names say more elsewhere.
HERE = {
    "the shape is told by the tensor": "tf1_test.x_shape tf1_test.y_shape tf1_arrays.num tf2_variables.shape",
    "the variable tells the type, and what a function returns its own": "tf1_scopes.dtype tf2_layer.dtype "
    "tf2_loops.dtype tf2_loops.fn_output_signature tf2_metrics.dtype",
    "numbers are real": "tf1_arrays.conjugate",
    "it is told by something else": "tf1_loops.flow tf1_loops.handle tf1_graphs.values tf1_scopes.values",
    "it is all there at once": "tf2_data.buffer_size tf2_variables.read_value python_modules.seconds",
    "the loop has run by then": "tf2_loops.back_prop",
    "TensorFlow gives zeros in any case": "tf2_tape.unconnected_gradients",
    "ends are numbers": "tf2.axis",
    "one form of the result": "tf1_flow.strict tf2_loops.strict tf2_loops.exclusive",
    "one way to add is as good as the other": "tf1_flow.aggregation_method",
    "only with `renorm`, which is refused": "tf1_normalizing.renorm_clipping tf1_normalizing.renorm_momentum",
    "Python's own bookkeeping": "python_collections.module python_collections.rename "
    "python_collections.wrapped python_modules.stream",
    "what is refused whatever it is": "tf2_eager.value tf2_variables.value",
}


def words(table: dict[str, str]) -> set[str]:
    return {word for line in table.values() for word in line.split()}


def passed_over(text: str) -> Iterator[str]:
    """The parameters that no line of their function reads."""
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            given = function.args
            read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            yield from (name for name in names if name not in read)


FOUND = {
    f"{path.stem}.{name}"
    for path in Path(surfaces.__file__).parent.glob("*.py")
    for name in passed_over(path.read_text(encoding="utf-8"))
}


def test_no_argument_is_passed_over_that_would_change_a_number() -> None:
    assert {one for one in FOUND if one.partition(".")[2] not in words(ANYWHERE)} - words(HERE) == set()


@pytest.mark.parametrize("word", sorted(words(ANYWHERE) | words(HERE)))
def test_what_is_listed_is_passed_over_somewhere(word: str) -> None:
    assert word in FOUND | {one.partition(".")[2] for one in FOUND}


def test_an_argument_that_is_passed_over_would_be_noticed() -> None:
    assert list(passed_over("def f(x, constraint=None):\n    return x")) == ["constraint"]

"""Python's operators on a program's values, with the size of every result checked first."""

from engine.languages.interpreter.operators.arithmetic import apply_binary, apply_unary
from engine.languages.interpreter.operators.checks import check_operands, work_of_product
from engine.languages.interpreter.operators.comparisons import apply_compare, truth
from engine.languages.interpreter.operators.errors import (
    check_refused,
    complex_array,
    symbolic_in_python,
    unsupported,
)
from engine.languages.interpreter.operators.tables import (
    COMPARE,
    EAGER_EQUALITY,
    HOLDS,
    OPERANDS,
    OWN_COMPARISONS,
    OWN_EQUALITY,
    PLAIN,
    SCALARS,
    SIZE_CHECKS,
    TRUTHS,
    adds_nodes,
    is_symbolic,
)

__all__ = [
    "COMPARE",
    "EAGER_EQUALITY",
    "HOLDS",
    "OPERANDS",
    "OWN_COMPARISONS",
    "OWN_EQUALITY",
    "PLAIN",
    "SCALARS",
    "SIZE_CHECKS",
    "TRUTHS",
    "adds_nodes",
    "apply_binary",
    "apply_compare",
    "apply_unary",
    "check_operands",
    "check_refused",
    "complex_array",
    "is_symbolic",
    "symbolic_in_python",
    "truth",
    "unsupported",
    "work_of_product",
]

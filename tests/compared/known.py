"""The differences that are known: each pattern of programs with its heading in docs/differences.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"


@dataclass(frozen=True, slots=True)
class Difference:
    """Programs of one recording, or of all, that answer something else, for a reason of the page."""

    pattern: str
    heading: str
    recording: str = ""


FIRST, SECOND = "expressions1", "expressions2"  # TensorFlow 1.15.5, and 2.21

DIFFERENCES: tuple[Difference, ...] = (
    Difference(r"relu\(x\)", "A corner", "formulas"),
    Difference(
        r"(reduce_max|reduce_min|maximum|minimum|sign|abs)\((edges|holes)", "NaN in TensorFlow 1", FIRST
    ),
    Difference(
        r"(digamma|lgamma)\((edges|zeros|ties)\b", "Poles of the gamma function in TensorFlow 1", FIRST
    ),
    Difference(r"(sort|argsort|top_k)\((holes|edges)", "NaN among sorted numbers"),
    Difference(r"softmax\((holes|edges)\)", "NaN in a softmax", SECOND),
    Difference(r"tf\.(div|floordiv|floormod|mod)\(limits", "Integer quotients in TensorFlow 1", FIRST),
    Difference(r"truncatediv", "Quotients that TensorFlow 1 does not truncate", FIRST),
    Difference(
        r"(matrix_determinant|linalg\.det|slogdet)\(|(matrix_inverse|linalg\.inv)\((square|stack).*True",
        "Second derivatives of matrices in TensorFlow 1",
        FIRST,
    ),
    Difference(r"gather_nd\(smooth, \[0, 0\]\)", "What TensorFlow fails at"),
    Difference(r"atan2\(", "What TensorFlow fails at", FIRST),
    Difference(r"cholesky\(a=", "Arguments that numpy takes by position only", "numpy"),
    Difference(r"np\.(copy|tensordot)\(", "An array without axes", "numpy"),
    Difference(r"np\.(empty|ndarray)\(", "Arrays that are not filled", "numpy"),
    Difference(r"swish\(features=|while_loop\(.*maximum_iterations=2", "What TensorFlow fails at", FIRST),
    Difference(r"linalg\.svd\(", "Signs of singular vectors", SECOND),
    Difference(r"tensor_diag_part\(scalar", "What TensorFlow fails at", SECOND),
    Difference(
        r"[cC]osine_?[sS]imilarity\((0\)\(|.*axis=0)|reduce_euclidean_norm\(halves",
        "Numbers that become too large on the way",
        SECOND,
    ),
    Difference(r"linalg\.qr\((input=)?smooth", "Rounding where a matrix is nearly singular", SECOND),
    Difference(r"linalg\.lstsq\(tall.*fast=False", "What TensorFlow fails at", SECOND),
    Difference(
        r"(negative|sign|square)\(tf\.cast\(ints, tf\.int8|(maximum|minimum)\(octets",
        "Small integers in TensorFlow 1",
        FIRST,
    ),
    Difference(r"activations\.\w+\(\[\[", "What TensorFlow fails at", SECOND),
    Difference(r"cosine_similarity\(.*holes", "Numbers that become too large on the way", SECOND),
    Difference(r"tf\.losses\.mean_squared_error is None", "Names of other releases", SECOND),
    Difference(
        r"tf\.(nn\.silu|initializers\.RandomNormal|config\.(functions_run|run_functions)_eagerly) is None",
        "Names of other releases",
        FIRST,
    ),
)


def reason(recording: str, text: str) -> str | None:
    """The heading that speaks of this program's difference, if one does."""
    fitting = (each for each in DIFFERENCES if each.recording in ("", recording))
    return next((each.heading for each in fitting if re.search(each.pattern, text)), None)

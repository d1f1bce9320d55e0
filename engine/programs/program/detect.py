"""What a text is: mathematics, or a program for one of the frameworks."""

from __future__ import annotations

import re
from difflib import get_close_matches

from engine.languages.interpreter.reading.notebooks import of_notebook_file
from engine.languages.surfaces.tf2.renamed import RENAMED

MATH, TF1, TF2, TORCH, JAX = "math", "tf1", "tf2", "torch", "jax"

LINE = 500  # characters in which a line shows what it is

COMMENTS = re.compile(r"#[^\n]*")
# A text in quotes, which the primes of y' + x' and f'(x) + g'(x) are not.
TEXTS = re.compile(r"(?<![\w)\]}′'\"])[rbfuRBFU]{0,2}(?:'[^'\n]*'|\"[^\"\n]*\")(?!\s*\()")

EAGER = re.compile(
    r"\bGradientTape\b|\btf\.function\b|\.numpy\(\)"
    r"|\btf\.(?:keras\.)?optimizers\b|\btf\.Module\b|\btf\.random\.set_seed\b|\bcompat\.v2\b"
    r"|\btf\.keras\.(?:layers|models|Model|Sequential|metrics)\b|\bfrom\s+tensorflow\.keras\b"
)
ENABLED = re.compile(r"\benable_(?:eager_execution|v2_behavior)\b")
CONTRIB_EAGER = re.compile(r"\bcontrib(?:\.|\s+import\s+)eager\b")
DISABLED = re.compile(r"\bdisable_(?:eager_execution|v2_behavior)\b")
USES_TENSORFLOW = re.compile(r"\btf\s*\.|\btensorflow\b|\bkeras\b")
TAPE = re.compile(r"\bGradientTape\b")
OF_KERAS = re.compile(r"\bkeras\.optimizers\b")
SESSION = re.compile(r"\bSession\b")
V1 = re.compile(r"\bcompat\.v1\b|\bimport\s+(?:miniflow|autodiff)\b")

# What runs a graph: no program of TensorFlow 2 has it, whatever else it uses.
GRAPH_MODE = re.compile(
    r"\btf\.(?:Interactive)?Session\b|\btf\.(?:sparse_)?placeholder(?:_with_default)?\b|\bfeed_dict\b"
    r"|\b(?:global|local)_variables_initializer\b|\binitialize_(?:all|local)_variables\b"
    r"|\bget_default_session\b|\breset_default_graph\b"
)

# How a processor is set up, in programs of either version: no graph is run by it.
SET_UP = re.compile(
    r"\btf\.compat\.v1\.(?:ConfigProto|GPUOptions|(?:Interactive)?Session|keras\.backend\.set_session)\b"
)
RUNS = re.compile(r"\.(?:run|eval)\s*\(")

MEMBERS = re.compile(r"\btf\.(\w+)")
OF_GRAPHS = ("Session", "InteractiveSession", "placeholder", "global_variables_initializer")
ALMOST = 0.8  # of difflib's ratio: no name of TensorFlow 2 is so near to one of these

# Names of `tf` that TensorFlow 2.21 has not, or that work there in a graph only, beside those that moved.
# A star stands for any word.
OF_TENSORFLOW_1 = """
    AUTO_REUSE ConfigProto Dimension GPUOptions Graph GraphKeys Print RegisterGradient add_to_collection
    all_variables angle app arg_max arg_min assign assign_add assign_sub betainc ceil check_numerics
    cholesky conj contrib count_nonzero cross decode_raw diag diag_part digamma distributions div erf
    estimator fft flags floordiv floormod get_collection get_default_graph get_seed get_variable
    get_variable_scope global_variables glorot_normal_initializer glorot_uniform_initializer gradients
    hessians igamma imag image.resize_images invert_permutation is_finite is_inf is_nan layers lbeta
    lgamma local_variables log log1p logging losses.absolute_difference losses.add_loss
    losses.compute_weighted_loss losses.get_losses losses.get_total_loss losses.hinge_loss
    losses.huber_loss losses.log_loss losses.mean_squared_error losses.sigmoid_cross_entropy
    losses.softmax_cross_entropy losses.sparse_softmax_cross_entropy make_template matrix_determinant
    matrix_diag matrix_inverse matrix_solve metrics.accuracy metrics.auc metrics.mean
    metrics.mean_squared_error metrics.precision metrics.recall mod moving_average_variables multinomial
    nn.bidirectional_dynamic_rnn nn.dynamic_rnn nn.rnn_cell nn.softmax_cross_entropy_with_logits_v2
    nn.static_rnn nn.xw_plus_b orthogonal_initializer polygamma py_func qr random_crop random_gamma
    random_normal random_poisson random_shuffle random_uniform read_file real reduce_join rint
    self_adjoint_eig self_adjoint_eigvals set_random_seed setdiff1d sparse_to_dense squared_difference
    string_to_number summary.FileWriter summary.merge summary.merge_all svd tables_initializer
    test.compute_gradient to_bfloat16 to_double to_float to_int32 to_int64 trace train.*Optim*
    train.*_decay train.ExponentialMovingAverage train.Saver train.get_global_step
    train.get_or_create_global_step train.piecewise_constant train.start_queue_runners trainable_variables
    truncated_normal truncated_normal_initializer uniform_unit_scaling_initializer unsorted_segment_sum
    variable_scope variables_initializer variance_scaling_initializer verify_tensor_all_finite write_file
    zeta
"""
_WORDS = f"{OF_TENSORFLOW_1} {' '.join(RENAMED)}".replace(".", r"\.").replace("*", r"\w*").split()
ONLY_GRAPHS = re.compile(r"\btf\.(?:" + "|".join(_WORDS) + r")\b(?!\.eager)")
USES_TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b|\btorch\.\w", re.MULTILINE)
USES_JAX = re.compile(r"^\s*(?:import|from)\s+jax\b|\bjnp\.\w|\bjax\.\w", re.MULTILINE)

# A model of Keras beside PyTorch, which only makes its batches.
IMPORTS_KERAS = re.compile(r"^\s*(?:import|from)\s+(?:keras|tensorflow)\b", re.MULTILINE)
FITS = re.compile(r"\.fit\s*\(")
TRAINS_BY_TORCH = re.compile(r"\btorch\.(?:nn|optim)\b|\bnn\.Module\b|\.backward\s*\(")

# What only a program begins with, and what only a formula holds.
STATEMENT = re.compile(
    r"^\s*(?:import\s+\w|from\s+\S+\s+import\b|(?:def|class)\s+\w|@\w+\s*$|@\w+[.(]|print\b|del\s+\w|return\b)"
    r"|;\s*print\("
    r"|^\s*(?:for|while|if|with|elif|else|try|except|finally)\b[^\n]*:\s*(?:$|\S)",
    re.MULTILINE,
)
FORMULA = re.compile(
    r"\\[A-Za-z]|\\[,;:!|(\[{]|\$|[_^]\{|[×÷·√∛∑∏≤≥≠∧∨¬‖⌊⌈π²³⁴⁻ᵀ（）＝＋，]|:=|[₀-₉]|\d[A-Za-z]\w*\("
)

# Other signs of a program: calls through a dot, comprehensions, colons, quotes, assignments with an operator.
PROGRAM = re.compile(
    r"^\s*(?:assert|global|nonlocal|pass|break|continue|raise|yield)\b"
    r"|\b(?:range|len|lambda\s*\w*(?:\s*,\s*\w+)*\s*:|None|True|False)(?![\w\s]*\^)"
    r"|\binput\s*\(|\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\b|\bif\b.+\belse\b"
    r"|[A-Za-z_]\w*\s*\.\s*[A-Za-z_]\w*"
    r"|\+=|-=|/=|(?<!\*)\*=|\*\*=|%|[:{}\"]|//|\.\.\.|''"
    r"|^\s*\w+\s*(?:,\s*\w+\s*)+=[^=]",
    re.MULTILINE,
)


def _beginnings(source: str) -> str:
    """What every line begins with, without texts, comments and blank lines.

    A long search would begin anew at each place.
    """
    lines = (line.strip() for line in TEXTS.sub("''", COMMENTS.sub("", source)).split("\n"))
    return "\n".join(line[:LINE] for line in lines if line)


def _version(code: str) -> str:
    """The version of TensorFlow that a program is for: 2, where nothing in it is only TensorFlow 1's.

    What the program says of itself decides; else what it uses. One without TensorFlow counts as of 1.
    """
    if ENABLED.search(code) or DISABLED.search(code):
        return TF1 if DISABLED.search(code) else TF2
    if not RUNS.search(code):
        code = SET_UP.sub("", code)
    # A graph beside a tape is built, but never run; or in a branch of its own, for TensorFlow 1.
    by_tape = TAPE.search(code) and (OF_KERAS.search(code) or not SESSION.search(code))
    if (GRAPH_MODE.search(code) or V1.search(code)) and not by_tape:
        return TF1
    if EAGER.search(code):
        return TF2
    if any(get_close_matches(name, OF_GRAPHS, n=1, cutoff=ALMOST) for name in set(MEMBERS.findall(code))):
        return TF1  # misspelt
    return TF1 if ONLY_GRAPHS.search(code) or not USES_TENSORFLOW.search(code) else TF2


def turns_eager_on(source: str) -> bool:
    """Whether a program is one for TensorFlow 1 that turns eager execution on."""
    code = _beginnings(source)
    return bool(ENABLED.search(code) or CONTRIB_EAGER.search(code))


def _only_batches_by_torch(code: str) -> bool:
    """Whether a model of Keras is trained, and PyTorch trains none."""
    return bool(IMPORTS_KERAS.search(code) and FITS.search(code) and not TRAINS_BY_TORCH.search(code))


def detect_dialect(source: str) -> str:
    """The dialect that a text is taken for when the request leaves it open; of a notebook, its code."""
    code = _beginnings(of_notebook_file(source))
    if USES_TORCH.search(code):
        return TF2 if _only_batches_by_torch(code) else TORCH
    if USES_JAX.search(code):
        return JAX
    if ENABLED.search(code) or EAGER.search(code) or STATEMENT.search(code):
        return _version(code)
    return MATH if FORMULA.search(code) or not PROGRAM.search(code) else _version(code)

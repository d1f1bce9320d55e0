"""What a text is: mathematics, or a program for one of the frameworks."""

from __future__ import annotations

import re

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
GRAPH_MODE = re.compile(
    r"\bcompat\.v1\b|\btf\.(?:Interactive)?Session\b|\btf\.placeholder\b|\bglobal_variables_initializer\b"
)
ONLY_GRAPHS = re.compile(r"\btf\.(?:train\.\w+Optimizer|gradients|get_variable|layers)\b")
USES_TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b|\btorch\.\w", re.MULTILINE)
USES_JAX = re.compile(r"^\s*(?:import|from)\s+jax\b|\bjnp\.\w|\bjax\.\w", re.MULTILINE)

# What only a program begins with, and what only a formula holds.
STATEMENT = re.compile(
    r"^\s*(?:import\s+\w|from\s+\S+\s+import\b|(?:def|class)\s+\w|@\w+\s*$|@\w+[.(]|print\b|del\s+\w|return\b)"
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
    r"|\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\b|\bif\b.+\belse\b"
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


def _runs_at_once(code: str) -> bool:
    """What a program says of it itself decides; else what it uses."""
    if ENABLED.search(code) or DISABLED.search(code):
        return not DISABLED.search(code)
    return bool(EAGER.search(code)) and not GRAPH_MODE.search(code)


def turns_eager_on(source: str) -> bool:
    """Whether a program is one for TensorFlow 1 that turns eager execution on."""
    code = _beginnings(source)
    return bool(ENABLED.search(code) or CONTRIB_EAGER.search(code))


def may_run_at_once(source: str) -> bool:
    """Whether a program that is taken for one of TensorFlow 1 has nothing that only that has."""
    code = _beginnings(source)
    return not any(signs.search(code) for signs in (DISABLED, GRAPH_MODE, ONLY_GRAPHS))


def detect_dialect(source: str) -> str:
    """The dialect that a text is taken for when the request leaves it open."""
    code = _beginnings(source)
    if USES_TORCH.search(code):
        return TORCH
    if USES_JAX.search(code):
        return JAX
    if _runs_at_once(code):
        return TF2
    if STATEMENT.search(code):
        return TF1
    return MATH if FORMULA.search(code) or not PROGRAM.search(code) else TF1

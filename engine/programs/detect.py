"""What a text is: mathematics, or a program for one of the frameworks."""

from __future__ import annotations

import re

MATH, TF1, TF2, TORCH, JAX = "math", "tf1", "tf2", "torch", "jax"

COMMENTS = re.compile(r"#[^\n]*")
TEXTS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")

EAGER = re.compile(
    r"\bGradientTape\b|\benable_eager_execution\b|\btf\.function\b|\.numpy\(\)|\btf\.keras\.optimizers\b"
)
GRAPH_MODE = re.compile(r"\bdisable_eager_execution\b|\bdisable_v2_behavior\b|\bcompat\.v1\b|\btf\.Session\b")
USES_TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b|\btorch\.\w", re.MULTILINE)
USES_JAX = re.compile(r"^\s*(?:import|from)\s+jax\b|\bjnp\.\w|\bjax\.\w", re.MULTILINE)

# Signs of a program that no formula has: keywords, calls through a dot, comparisons, colons, quotes.
PROGRAM = re.compile(
    r"^\s*(?:import|from|def|class|for|while|if|with|assert|return|del|global|@)\b"
    r"|^\s*@\w"
    r"|\b(?:print|range|len|lambda|None|True|False)\b"
    r"|[A-Za-z_]\w*\s*\.\s*[A-Za-z_]\w*"
    r"|==|!=|\+=|-=|\*=|/=|%|[:{}'\"]|//|\.\.\.",
    re.MULTILINE,
)


def detect_dialect(source: str) -> str:
    """The dialect that a text is taken for when the request leaves it open."""
    code = COMMENTS.sub("", source)
    if USES_TORCH.search(code):
        return TORCH
    if USES_JAX.search(code):
        return JAX
    if EAGER.search(code) and not GRAPH_MODE.search(code):
        return TF2
    return TF1 if PROGRAM.search(TEXTS.sub("''", code)) else MATH

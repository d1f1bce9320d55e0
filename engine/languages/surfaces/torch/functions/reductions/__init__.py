"""Sums, means, extremes and norms over axes."""

from engine.languages.surfaces.torch.functions.reductions.extremes import (
    amax,
    amin,
    aminmax,
    argmax,
    argmin,
    count_nonzero,
    max,
    min,
    value_selecting_backward,
)
from engine.languages.surfaces.torch.functions.reductions.running import (
    cumprod,
    cumsum,
    diff,
    logcumsumexp,
    logsumexp,
)
from engine.languages.surfaces.torch.functions.reductions.spread import (
    dist,
    linalg_norm,
    matrix_norm,
    norm,
    std,
    std_mean,
    var,
    var_mean,
    vector_norm,
)
from engine.languages.surfaces.torch.functions.reductions.sums import mean, nansum, prod, restored, sum

__all__ = [
    "amax",
    "amin",
    "aminmax",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "diff",
    "dist",
    "linalg_norm",
    "logcumsumexp",
    "logsumexp",
    "matrix_norm",
    "max",
    "mean",
    "min",
    "nansum",
    "norm",
    "prod",
    "restored",
    "std",
    "std_mean",
    "sum",
    "value_selecting_backward",
    "var",
    "var_mean",
    "vector_norm",
]

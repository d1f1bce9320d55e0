"""The names of `torch.distributions`, and the Kullback-Leibler divergence."""

from __future__ import annotations

import re
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.torch.classes import is_object
from engine.languages.surfaces.torch.distributions import (
    continuous,
    counts,
    divergences,
    gammas,
    locations,
    transformed,
    vectors,
)
from engine.languages.surfaces.torch.distributions.base import DISTRIBUTION
from engine.languages.surfaces.torch.distributions.discrete import BERNOULLI, CATEGORICAL
from engine.languages.surfaces.torch.distributions.normal import NORMAL
from engine.languages.surfaces.torch.distributions.selections import counted, mixtures, one_hot, relaxed
from engine.languages.surfaces.torch.distributions.vectors import INDEPENDENT
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.tensor import OPERATORS

HERE = "distributions."
OTHER_FILES = {
    "StudentT": "studentT",
    "RelaxedOneHotCategorical": "relaxed_categorical",
    "OneHotCategoricalStraightThrough": "one_hot_categorical",
}


def _file_of(name: str) -> str:
    """The file of PyTorch that a distribution stands in: `log_normal` of LogNormal."""
    return OTHER_FILES.get(name) or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


KINDS = (
    *(*continuous.KINDS, *gammas.KINDS, *counts.KINDS, *vectors.KINDS),
    *(*locations.KINDS, *one_hot.KINDS, *counted.KINDS, *relaxed.KINDS, *mixtures.KINDS),
    *transformed.KINDS,
)
for _kind in (NORMAL, CATEGORICAL, BERNOULLI, *KINDS):
    torch_value(_kind, HERE + _kind.name, f"{HERE}{_file_of(_kind.name)}.{_kind.name}")
torch_value(DISTRIBUTION, f"{HERE}Distribution", f"{HERE}distribution.Distribution")


@torch_function(f"{HERE}kl_divergence", f"{HERE}kl.kl_divergence")
def kl_divergence(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    """How far q is from p: the mean of log p - log q under p. Raises: NotImplementedError for two kinds."""
    for first, second, rule in divergences.RULES:
        if is_object(p, first) and is_object(q, second):
            return rule(interpreter, p, q)
    if is_object(p, INDEPENDENT) and is_object(q, INDEPENDENT):
        return _independent(interpreter, p, q)
    raise torch_error(
        f"No KL(p || q) is implemented for p type {p.kind.name} and q type {q.kind.name}",
        f"没有 {p.kind.name} 与 {q.kind.name} 之间的 KL 散度。",
        kind="NotImplementedError",
    )


def _independent(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    """That of the bases, summed over the axes that belong together."""
    count = p.fields["reinterpreted_batch_ndims"]
    found = kl_divergence(interpreter, p.fields["base_dist"], q.fields["base_dist"])
    return OPERATORS["sum"](found, tuple(range(-count, 0))) if count else found

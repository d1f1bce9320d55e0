"""The names of `torch.distributions`, and the Kullback-Leibler divergence."""

from __future__ import annotations

from math import inf
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.classes import is_object
from engine.languages.surfaces.torch.distributions import continuous, counts, gammas, vectors
from engine.languages.surfaces.torch.distributions.base import DISTRIBUTION
from engine.languages.surfaces.torch.distributions.discrete import BERNOULLI, CATEGORICAL
from engine.languages.surfaces.torch.distributions.normal import NORMAL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.registry import TORCH, F, torch_function, torch_value
from engine.languages.surfaces.torch.tensor import OPERATORS

HERE = "distributions."
KINDS = (*continuous.KINDS, *gammas.KINDS, *counts.KINDS, *vectors.KINDS)
for _kind in (NORMAL, CATEGORICAL, BERNOULLI, *KINDS):
    torch_value(_kind, HERE + _kind.name, f"{HERE}{_kind.name.lower()}.{_kind.name}")
torch_value(DISTRIBUTION, f"{HERE}Distribution", f"{HERE}distribution.Distribution")


@torch_function(f"{HERE}kl_divergence", f"{HERE}kl.kl_divergence")
def kl_divergence(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    """How far q is from p: the mean of log p - log q under p. Raises: NotImplementedError for two kinds."""
    for kind, rule in RULES:
        if is_object(p, kind) and is_object(q, kind):
            return rule(interpreter, p, q)
    raise torch_error(
        f"No KL(p || q) is implemented for p type {p.kind.name} and q type {q.kind.name}",
        f"没有 {p.kind.name} 与 {q.kind.name} 之间的 KL 散度。",
        kind="NotImplementedError",
    )


def _normal(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    ratio = (p.fields["scale"] / q.fields["scale"]) ** 2
    distance = ((p.fields["loc"] - q.fields["loc"]) / q.fields["scale"]) ** 2
    return 0.5 * (ratio + distance - 1 - OPERATORS["log"](ratio))


def _where(tensor: Any, mask: Any, number: float) -> Any:
    return OPERATORS["masked_fill"](tensor, mask, number)


def _categorical(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (p_probs, p_logits), (q_probs, q_logits) = (_both(interpreter, one) for one in (p, q))
    t = p_probs * (p_logits - q_logits)
    t = _where(_where(t, OPERATORS["eq"](q_probs, 0), inf), OPERATORS["eq"](p_probs, 0), 0)
    return OPERATORS["sum"](t, -1)


def _bernoulli(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (p_probs, p_logits), (q_probs, q_logits) = (_both(interpreter, one) for one in (p, q))
    softplus, eq = TORCH[f"{F}softplus"].function, OPERATORS["eq"]
    t1 = p_probs * (softplus(-q_logits) - softplus(-p_logits))
    t1 = _where(_where(t1, eq(q_probs, 0), inf), eq(p_probs, 0), 0)
    t2 = (1 - p_probs) * (softplus(q_logits) - softplus(p_logits))
    return t1 + _where(_where(t2, eq(q_probs, 1), inf), eq(p_probs, 1), 0)


def _both(interpreter: Any, one: UserObject) -> tuple[Any, Any]:
    return attribute_of(interpreter, one, "probs"), attribute_of(interpreter, one, "logits")


RULES = ((NORMAL, _normal), (CATEGORICAL, _categorical), (BERNOULLI, _bernoulli))

"""`jax.scipy.special` and `jax.scipy.stats`: values that one knows, and slopes that differences confirm."""

from __future__ import annotations

from math import exp, pi
from typing import Any

import numpy as np
import pytest

from engine.languages.surfaces.jax.scipy import incomplete
from engine.programs import ProgramRequest, run_program

FIRST = "import jax\nimport jax.numpy as jnp\nfrom jax.scipy import special, stats\n"
KNOWN = (
    ("special.gamma(5.0)", 24.0),
    ("special.factorial(4.0)", 24.0),
    ("special.beta(2.0, 3.0)", 1 / 12),
    ("special.gammainc(1.0, 2.0)", 1 - exp(-2)),
    ("special.gammaincc(1.0, 2.0)", exp(-2)),
    ("special.betainc(1.0, 2.0, 0.5)", 0.75),
    ("special.polygamma(1, 1.0)", pi**2 / 6),
    ("special.zeta(2.0)", pi**2 / 6),
    ("special.i0(0.0)", 1.0),
    ("special.ndtri(0.5)", 0.0),
    ("special.log_ndtr(0.0)", -0.6931472),
    ("special.rel_entr(0.5, 0.25)", 0.34657359),
    ("stats.norm.sf(0.0)", 0.5),
    ("stats.expon.cdf(0.0)", 0.0),
    ("stats.binom.pmf(1, 2, 0.5)", 0.5),
    ("stats.geom.pmf(2, 0.5)", 0.25),
    ("stats.gamma.cdf(2.0, 1.0)", 1 - exp(-2)),
    ("stats.chi2.sf(2.0, 2)", exp(-1)),
    ("stats.pareto.ppf(0.75, 1.0)", 4.0),
    ("stats.gumbel_r.cdf(0.0)", exp(-1)),
    ("stats.dirichlet.pdf(jnp.array([0.5, 0.5]), jnp.array([1.0, 1.0]))", 1.0),
    ("stats.truncnorm.pdf(0.0, -1.0, 1.0)", 0.39894228 / 0.68268949),
    ("jax.grad(special.gammainc, 1)(1.0, 2.0)", exp(-2)),
    ("jax.grad(lambda x: special.xlogy(x, 2.0))(0.0)", 0.6931472),
    ("jax.grad(jax.grad(special.gammaln))(1.0)", pi**2 / 6),
)


def test_values_that_one_knows() -> None:
    source = FIRST + "".join(f"print({expression})\n" for expression, _ in KNOWN)
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert answer["status"] == "ok", answer["diagnostics"]
    for (expression, wanted), found in zip(KNOWN, map(float, answer["printed"]), strict=True):
        assert found == pytest.approx(wanted, rel=3e-6, abs=1e-6), expression


@pytest.mark.parametrize(("a", "x"), [(0.5, 0.3), (2.0, 1.5), (4.0, 9.0), (2.0, 40.0)])
def test_the_slope_in_a_is_that_of_differences(a: float, x: float) -> None:
    h = 1e-5
    difference = (incomplete.lower_gamma(a + h, x) - incomplete.lower_gamma(a - h, x)) / (2 * h)
    compute: Any = incomplete.igamma_grad_p.compute
    slope = compute(np.array(a), np.array(x))
    assert slope == pytest.approx(difference, rel=1e-4, abs=1e-9)


def test_no_slope_in_the_shape_of_the_beta_distribution() -> None:
    source = f"{FIRST}jax.grad(special.betainc)(1.0, 2.0, 0.5)"
    said = run_program(ProgramRequest(source, dialect="jax"))["diagnostics"][-1]["message"]
    assert said == "Betainc gradient with respect to a and b not supported."

"""Schedules along a half wave of the cosine, once or with warm restarts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.graph.control_flow.building import cond
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Tensor
from engine.ops.elementwise.arithmetic import mul
from engine.ops.elementwise.comparison import equal
from engine.ops.elementwise.exponentials import log
from engine.ops.elementwise.extremes import minimum
from engine.ops.elementwise.rounding import floor
from engine.ops.elementwise.trigonometry import cos
from engine.optimizers.schedules.schedule import Scaled, as_type_of


@dataclass(frozen=True, slots=True)
class CosineDecay(Scaled):
    """Down half a cosine wave in decay_steps steps, to the share alpha of the first rate.

    Source: Loshchilov & Hutter (2017), without restarts.
    """

    learning_rate: Any
    decay_steps: Any
    alpha: float = 0.0

    name: ClassVar[str] = "cosine_decay"
    scope: ClassVar[str] = "CosineDecay"
    latex: ClassVar[tuple[str, ...]] = (
        r"\eta_s = \eta_0 \left((1 - \alpha)\, \tfrac12 \left(1 + \cos \pi \tfrac{\min(s, T)}{T}\right)"
        r" + \alpha\right)",
    )
    doc_zh: ClassVar[str] = "用 decay_steps 步沿半个余弦波降到初始学习率的 alpha 倍。"

    def rate(self, step: int) -> float:
        """Half way it is half of the way between the first rate and alpha times it."""
        share = min(step, self.decay_steps) / self.decay_steps
        return float(self.learning_rate * ((1 - self.alpha) * _half_wave(share) + self.alpha))

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Casts, share of the time, half wave, scale."""
        whole, now = as_type_of(rate, self.decay_steps, step)
        share = minimum(now, whole) / whole
        wave = 0.5 * (1.0 + cos(_pi(rate) * share))
        return mul(rate, (1 - self.alpha) * wave + self.alpha)


@dataclass(frozen=True, slots=True)
class CosineDecayRestarts(Scaled):
    """Half a cosine wave after the other: each t_mul times as long and m_mul times as high as the last.

    Source: Loshchilov & Hutter (2017), SGDR.
    """

    learning_rate: Any
    first_decay_steps: Any
    t_mul: float = 2.0
    m_mul: float = 1.0
    alpha: float = 0.0

    name: ClassVar[str] = "cosine_decay_restarts"
    scope: ClassVar[str] = "SGDRDecay"
    latex: ClassVar[tuple[str, ...]] = (
        r"\eta_s = \eta_0 \left((1 - \alpha)\, \tfrac12\, m^{i} (1 + \cos \pi f) + \alpha\right)",
        r"i, f:\ \text{number of the wave and the share of it that is over}",
    )
    doc_zh: ClassVar[str] = "一个接一个的半余弦波：每个的长度是上一个的 t_mul 倍，高度是 m_mul 倍。"

    def rate(self, step: int) -> float:
        """At the first restart it is m_mul times the first rate again."""
        over = step / self.first_decay_steps
        if self.t_mul == 1.0:
            wave, share = math.floor(over), over % 1.0
        else:
            wave = math.floor(math.log(1 - over * (1 - self.t_mul)) / math.log(self.t_mul) + 1e-12)
            before = (1 - self.t_mul**wave) / (1 - self.t_mul)
            share = (over - before) / self.t_mul**wave
        height = self.m_mul**wave * _half_wave(share)
        return float(self.learning_rate * ((1 - self.alpha) * height + self.alpha))

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Casts, number of the wave, share of it, half wave, scale."""
        first, alpha, t_mul, m_mul, now = as_type_of(
            rate, self.first_decay_steps, self.alpha, self.t_mul, self.m_mul, step
        )
        over = now / first
        wave, share = cond(rate.graph, equal(t_mul, 1.0), lambda: _even(over), lambda: _growing(over, t_mul))
        height = (0.5 * m_mul**wave) * (1.0 + cos(_pi(rate) * share))
        return mul(rate, (1.0 - alpha) * height + alpha, name=scope)


@dataclass(frozen=True, slots=True)
class LinearCosineDecay(Scaled):
    """A straight line down times a cosine wave, plus a small floor beta.

    Source: Bello et al. (2017), Neural Optimizer Search.
    """

    learning_rate: Any
    decay_steps: Any
    num_periods: float = 0.5
    alpha: float = 0.0
    beta: float = 0.001

    name: ClassVar[str] = "linear_cosine_decay"
    scope: ClassVar[str] = "LinearCosineDecay"
    latex: ClassVar[tuple[str, ...]] = (
        r"\eta_s = \eta_0 \left((\alpha + 1 - \tfrac{s}{T})\, \tfrac12 (1 + \cos 2 \pi n \tfrac{s}{T})"
        r" + \beta\right),\ s \le T",
    )
    doc_zh: ClassVar[str] = "下降的直线乘以余弦波，再加上很小的下限 beta。"

    def rate(self, step: int) -> float:
        """At decay_steps and after it is beta times the first, for alpha 0 and half a period."""
        share = min(step, self.decay_steps) / self.decay_steps
        wave = _half_wave(2 * self.num_periods * share)
        return float(self.learning_rate * ((self.alpha + 1 - share) * wave + self.beta))

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Casts, what is left of the time, wave, product and sum."""
        whole, periods, alpha, beta, now = as_type_of(
            rate, self.decay_steps, self.num_periods, self.alpha, self.beta, step
        )
        now = minimum(now, whole)
        left = (whole - now) / whole
        share = now / whole
        angle = 2.0 * periods * share
        wave = 0.5 * (1.0 + cos(_pi(rate) * angle))
        return mul(rate, (alpha + left) * wave + beta, name=scope)


def _half_wave(share: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * share))


def _pi(rate: Tensor) -> Tensor:
    return convert_to_tensor(np.asarray(math.pi, rate.dtype))


def _even(over: Tensor) -> tuple[Tensor, Tensor]:
    """Waves of one length: number of the wave, and the share of it that is over."""
    wave = floor(over)
    return wave, over - wave


def _growing(over: Tensor, t_mul: Tensor) -> tuple[Tensor, Tensor]:
    """Waves that grow (their lengths are a geometric series): number of the wave, share of it."""
    wave = floor(log(1.0 - over * (1.0 - t_mul)) / log(t_mul))
    before = (1.0 - t_mul**wave) / (1.0 - t_mul)
    return wave, (over - before) / t_mul**wave

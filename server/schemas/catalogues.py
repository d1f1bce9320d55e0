"""What the service answers about itself: its examples, ops and optimizers, and how it is."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from server.schemas.answers.common import Answer, Text, Value


class OpView(Answer):
    """An op: its formula, the gradient each input receives (or why none), what it does."""

    name: str
    inputs: list[str]
    latex: str
    adjoints: list[str]
    no_gradient: str
    no_gradient_zh: str
    doc: str
    doc_zh: str
    derivative: list[str] = Field(description="Of the output `out` by each input, in LaTeX.")
    derivative_zh: list[str]
    attributes: dict[str, Value] = Field(description="Each with its default.")
    kink: Text | None = Field(description="Where it has a corner, and what its gradient is there.")
    names: dict[str, str] = Field(description="What it is called in `tf`, `torch`, `jax`, `numpy`, `math`.")
    related: list[str] = Field(description="Ops to look at next.")


class OpsAnswer(Answer):
    """Every op, by name."""

    ops: list[OpView]


class HyperParameterView(Answer):
    """What an optimizer or a schedule takes; a default of null means that it has to be given."""

    name: str
    default: Value
    doc: Text


class ScheduleView(Answer):
    """A learning-rate schedule: its formula, what it takes, what it does."""

    name: str
    latex: list[str]
    doc: Text
    hyper_parameters: list[HyperParameterView]


class OptimizerView(ScheduleView):
    """An optimizer: its update, formula by formula, what it takes, what it keeps for each variable."""

    family: Literal["tensorflow1", "keras"]
    slots: list[str]


class OptimizersAnswer(Answer):
    """Every optimizer and every schedule that a run may name."""

    optimizers: list[OptimizerView]
    schedules: list[ScheduleView]


class HealthAnswer(Answer):
    """The service is alive."""

    status: Literal["ok"]


class ReadyAnswer(Answer):
    """What the service needs to answer, and whether it is there."""

    status: Literal["ready"]
    store: bool
    workers: bool
    bus: bool = Field(description="Whether other replicas hear at once what happens here, or a second later.")


class VersionAnswer(Answer):
    """The versions of the service, its engine, and the TensorFlow whose graphs it builds."""

    version: str
    engine: str
    tensorflow: str

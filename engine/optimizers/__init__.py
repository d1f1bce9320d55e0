"""Optimizers: frozen update rules, and the graph that applies them."""

from engine.optimizers.building import Optimizer
from engine.optimizers.catalogue import (
    RULES,
    describe_optimizers,
    describe_schedules,
    optimizer_named,
    schedule_named,
)
from engine.optimizers.global_step import create_global_step, get_global_step, get_or_create_global_step
from engine.optimizers.rule import Rule
from engine.optimizers.rules import keras, torch
from engine.optimizers.rules.adadelta import Adadelta, adadelta_optimizer
from engine.optimizers.rules.adagrad import Adagrad, adagrad_optimizer
from engine.optimizers.rules.adagrad_da import AdagradDA, adagrad_da_optimizer
from engine.optimizers.rules.adam import Adam, adam_optimizer
from engine.optimizers.rules.ftrl import Ftrl, ftrl_optimizer
from engine.optimizers.rules.gradient_descent import GradientDescent, gradient_descent_optimizer
from engine.optimizers.rules.momentum import Momentum, momentum_optimizer
from engine.optimizers.rules.proximal_adagrad import ProximalAdagrad, proximal_adagrad_optimizer
from engine.optimizers.rules.proximal_gradient_descent import (
    ProximalGradientDescent,
    proximal_gradient_descent_optimizer,
)
from engine.optimizers.rules.rmsprop import RMSProp, rms_prop_optimizer
from engine.optimizers.schedules import SCHEDULES
from engine.optimizers.towers import average_gradients

__all__ = [
    "RULES",
    "SCHEDULES",
    "Adadelta",
    "Adagrad",
    "AdagradDA",
    "Adam",
    "Ftrl",
    "GradientDescent",
    "Momentum",
    "Optimizer",
    "ProximalAdagrad",
    "ProximalGradientDescent",
    "RMSProp",
    "Rule",
    "adadelta_optimizer",
    "adagrad_da_optimizer",
    "adagrad_optimizer",
    "adam_optimizer",
    "average_gradients",
    "create_global_step",
    "describe_optimizers",
    "describe_schedules",
    "ftrl_optimizer",
    "get_global_step",
    "get_or_create_global_step",
    "gradient_descent_optimizer",
    "keras",
    "momentum_optimizer",
    "optimizer_named",
    "proximal_adagrad_optimizer",
    "proximal_gradient_descent_optimizer",
    "rms_prop_optimizer",
    "schedule_named",
    "torch",
]

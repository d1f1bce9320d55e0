"""Mistakes, and what PyTorch 2.14.1 says of them: which error, in which words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from tests.limits import ROOMY

CASES = json.loads(
    (Path(__file__).parents[4] / "data" / "torch" / "mistakes.json").read_text(encoding="utf-8")
)
HEAD = [
    "import math, numpy as np, torch, torch.nn as nn, torch.nn.functional as F",
    "from torch.utils.data import DataLoader, TensorDataset",
    "torch.manual_seed(0)",
]


def _printed(lines: list[str]) -> list[str]:
    outcome = run_request(ProgramRequest("\n".join([*HEAD, *lines]), dialect="torch"), ROOMY)
    return [line.rstrip() for line in "\n".join(map(str, outcome.printed)).rstrip("\n").split("\n")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["source"][-1][:60])
def test_a_mistake_is_said_in_the_words_of_pytorch(case: dict[str, Any]) -> None:
    body = [f"    {line}" for line in case["source"]]
    tried = ["try:", *body, "except Exception as e:", "    print(type(e).__name__ + ':', e)"]
    assert _printed(tried) == case["printed"]


def test_a_layer_that_changes_the_output_of_pooling_in_place_leads_the_gradient_on() -> None:
    assert _printed(
        [
            "x = torch.arange(4.0).reshape(1, 1, 2, 2).requires_grad_()",
            "y = nn.Sequential(nn.MaxPool2d(2), nn.ReLU(inplace=True))(x * 2)",
            "(y * 3).sum().backward()",
            "print(y._is_view(), x.grad.tolist())",
        ]
    ) == ["False [[[[0.0, 0.0], [0.0, 6.0]]]]"]


def test_a_view_made_in_no_grad_asks_for_gradients_as_its_base_does() -> None:
    assert _printed(
        [
            "w = torch.ones(2, 2, requires_grad=True)",
            "with torch.no_grad():",
            "    row = w[0]",
            "    print(row, (w * 2)[0].requires_grad, w.detach()[0].requires_grad)",
            "print(row.requires_grad, row.grad_fn, row.is_leaf)",
        ]
    ) == ["tensor([1., 1.], requires_grad=True) False False", "True None True"]


def test_a_loss_takes_its_arguments_by_name() -> None:
    assert _printed(
        ["print(nn.MSELoss()(input=torch.ones(2), target=torch.zeros(2)))"],
    ) == ["tensor(1.)"]


def test_functions_along_an_axis_take_single_numbers() -> None:
    assert _printed(
        [
            "x = torch.tensor(3.0)",
            "print(x.cumsum(0), x.cumprod(-1), x.sort().indices, x.argsort(), x.topk(1).values, x.prod(0))",
        ]
    ) == ["tensor(3.) tensor(3.) tensor(0) tensor(0) tensor(3.) tensor(3.)"]


def test_slices_that_take_everything_leave_the_nodes_of_pytorch() -> None:
    keys = ("x[:]", "x[:2]", "x[:, :]", "x[...]", "x[0:2, :9]", "x[:1, :]", "x[:2, 0]")
    lines = ["x = torch.ones(2, 3, requires_grad=True)"]
    lines += [f"print({key}.grad_fn.name())" for key in keys]
    slices, alias = "SliceBackward0", "AliasBackward0"
    assert _printed(lines) == [slices, slices, alias, alias, alias, slices, "SelectBackward0"]


def test_a_loss_of_many_classes_for_each_example_is_one_node() -> None:
    assert _printed(
        [
            "x = torch.zeros(1, 3, 2, requires_grad=True)",
            "loss = F.cross_entropy(x, torch.tensor([[2, -100]]))",
            "loss.backward()",
            "print(loss)",
            "print(x.grad)",
        ]
    ) == [
        "tensor(1.0986, grad_fn=<NllLoss2DBackward0>)",
        "tensor([[[ 0.3333,  0.0000],",
        "         [ 0.3333,  0.0000],",
        "         [-0.6667,  0.0000]]])",
    ]


def test_a_node_shows_numbers_of_the_program_and_places_as_pytorch_keeps_them() -> None:
    assert _printed(
        [
            "x = torch.ones(2, 3, requires_grad=True)",
            "print((x * 2).grad_fn._saved_other, (x / 2.0).grad_fn._saved_other)",
            "pooled = F.max_pool2d(x[None], 2).grad_fn",
            "print(x[:, [0]].grad_fn._saved_indices, pooled.next_functions[0][0].name())",
        ]
    ) == [
        "tensor(2) tensor(2., dtype=torch.float64)",
        "(None, tensor([0])) UnsqueezeBackward0",
    ]


@pytest.mark.parametrize("step", ["floor", "ceil", "round", "trunc", "sign", "sgn"])
def test_steps_send_back_zeros_where_what_comes_is_infinite(step: str) -> None:
    lines = [
        "x = torch.tensor([0.5, -2.5], requires_grad=True)",
        f"print(torch.autograd.grad((torch.{step}(x) / 0).sum(), x)[0].tolist())",
    ]
    assert _printed(lines) == ["[0.0, 0.0]"]

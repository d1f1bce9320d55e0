"""Training loops of PyTorch, as programs write them, each below its name."""

from tests.engine.execution.eager import torch_loops_of_graphs, torch_loops_of_steps, torch_loops_of_values

LOOPS = "\n".join([torch_loops_of_steps.LOOPS, torch_loops_of_values.LOOPS, torch_loops_of_graphs.LOOPS])
BEGIN = """\
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
N = 40
X = torch.tensor(
    [[0.5, -1.0, 2.0], [1.5, 0.3, -0.7], [-0.2, 0.8, 0.1], [2.0, 1.0, 0.0], [0.0, -2.0, 1.0], [1.0, 1.0, 1.0]]
)
Y = X @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.1
"""

"""The names of `torch.optim`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.optim import averaging  # noqa: F401  # for its table
from engine.languages.surfaces.torch.optim.lbfgs import LBFGS
from engine.languages.surfaces.torch.optim.lr_scheduler import module  # noqa: F401  # for its table
from engine.languages.surfaces.torch.optim.optimizer import OPTIMIZER
from engine.languages.surfaces.torch.optim.stepping import CLASSES
from engine.languages.surfaces.torch.registry import torch_function, torch_value

for _name, _kind in CLASSES.items():
    torch_value(_kind, f"optim.{_name}", f"optim.{_name.lower()}.{_name}")
torch_value(LBFGS, "optim.LBFGS", "optim.lbfgs.LBFGS")
torch_value(OPTIMIZER, "optim.Optimizer", "optim.optimizer.Optimizer")


@torch_function("optim.SparseAdam")
def sparse_adam(*args: Any, **settings: Any) -> Any:
    """Refused: its gradients are sparse."""
    raise not_here("SparseAdam", " SparseAdam", "Use torch.optim.Adam.", "请使用 torch.optim.Adam。")


@torch_function("optim.Muon")
def muon(*args: Any, **settings: Any) -> Any:
    """Refused."""
    raise not_here("Muon", " Muon", "Use torch.optim.AdamW.", "请使用 torch.optim.AdamW。")

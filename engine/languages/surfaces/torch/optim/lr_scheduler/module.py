"""The names of `torch.optim.lr_scheduler`."""

from __future__ import annotations

from engine.languages.surfaces.torch.optim.lr_scheduler import combined, cycles, plain
from engine.languages.surfaces.torch.optim.lr_scheduler.base import LR_SCHEDULER
from engine.languages.surfaces.torch.registry import torch_value

SCHEDULES = (
    *(LR_SCHEDULER, plain.LAMBDA, plain.MULTIPLICATIVE, plain.STEP, plain.MULTI_STEP, plain.CONSTANT),
    *(plain.LINEAR, plain.EXPONENTIAL, plain.POLYNOMIAL, plain.COSINE, cycles.WARM_RESTARTS),
    *(cycles.CYCLIC, cycles.ONE_CYCLE, combined.SEQUENTIAL, combined.CHAINED, combined.PLATEAU),
)
for _kind in SCHEDULES:
    torch_value(_kind, f"optim.lr_scheduler.{_kind.name}")
torch_value(LR_SCHEDULER, "optim.lr_scheduler._LRScheduler")

"""`torch.backends`: switches that change no number here, and keep what a program sets."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.state import state

SET = "switches of backends"
USUAL: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "cudnn": {"enabled": True, "benchmark": False, "deterministic": False, "allow_tf32": True},
        "mkldnn": {"enabled": True},
        "cuda.matmul": {"allow_tf32": False, "allow_fp16_reduced_precision_reduction": True},
    }
)


class Switches:
    """The switches of one library."""

    def __init__(self, name: str) -> None:
        self.name = name


MEMBERS = members_of(Switches, "torch.backends")
TYPE_NAMES[Switches] = lambda one: f"torch.backends.{one.name}"


def _enter(switch: str) -> None:
    def read(one: Switches) -> Any:
        return state().parts.get(f"{SET} {one.name}.{switch}", USUAL[one.name].get(switch, False))

    def write(one: Switches, new: Any) -> None:
        state().parts[f"{SET} {one.name}.{switch}"] = new

    MEMBERS.fact(switch)(read)
    MEMBERS.settable[switch] = write


for _switch in (
    "enabled",
    "benchmark",
    "deterministic",
    "allow_tf32",
    "allow_fp16_reduced_precision_reduction",
):
    _enter(_switch)
MEMBERS.method("version")(lambda one: None)
MEMBERS.method("is_available")(lambda one: one.name == "mkldnn")
for _name in USUAL:
    torch_value(Switches(_name), f"backends.{_name}")
torch_function("backends.openmp.is_available")(lambda: True)
torch_function("backends.cuda.is_built")(lambda: False)

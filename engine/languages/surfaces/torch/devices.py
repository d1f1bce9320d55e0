"""`torch.device`: there is this processor, and every other one stands for it, with a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS


@dataclass(frozen=True)
class Device:
    """One processor: its kind, and which of several it is."""

    type: str
    index: int | None = None


CPU = Device("cpu")
MEMBERS = members_of(Device, "device")
MEMBERS.fact("type")(lambda device: device.type)
MEMBERS.fact("index")(lambda device: device.index)


def _repr(device: Device) -> str:
    index = "" if device.index is None else f", index={device.index}"
    return f"device(type='{device.type}'{index})"


SHOWN[Device] = (
    lambda device: device.type if device.index is None else f"{device.type}:{device.index}",
    _repr,
)
PYTHON_NAMES[Device] = lambda _: "torch.device"


@torch_function("device")
def device(type: Any, index: Any = None) -> Device:
    """A processor by its name."""
    if isinstance(type, Device):
        return type
    kind, _, number = str(type).partition(":")
    if kind not in ("cpu", "cuda", "mps", "xpu", "meta"):
        raise torch_error(
            "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, "
            "xla, lazy, "
            f"vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: {kind}",
            f"没有名为 {kind} 的设备。",
        )
    return Device(kind, int(number) if number else index)


def check_device(given: Any) -> None:
    """Say that every device is this processor."""
    found = given if isinstance(given, Device) else device(given)
    if found.type != "cpu":
        state().interpreter.note(
            "only_cpu",
            f"There is no {found.type} device here: the tensor stays on this processor, with the same "
            "numbers.",
            f"这里没有 {found.type} 设备：张量留在本机处理器上，数值相同。",
        )


OPERATORS["check_device"] = check_device
torch_function("cuda.is_available")(lambda: False)
torch_function("cuda.device_count")(lambda: 0)
torch_function("cuda.empty_cache", "cuda.synchronize")(lambda *args: None)
torch_function("cuda.manual_seed", "cuda.manual_seed_all")(lambda seed: None)
torch_function("backends.mps.is_available", "backends.mps.is_built")(lambda: False)
torch_function("mps.is_available", "xpu.is_available")(lambda: False)
torch_function("accelerator.is_available")(lambda: False)
torch_function("accelerator.current_accelerator")(lambda check_available=False: None)
torch_function("accelerator.device_count")(lambda: 0)
torch_value(CPU, "_cpu")

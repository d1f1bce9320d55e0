"""`tf.config`'s devices: there is one processor here, and no graphics card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import TYPE_NAMES

SETTINGS = (  # of tf.config.experimental: they set a device up, and change nothing here
    *("set_memory_growth", "get_memory_growth", "get_memory_info", "get_memory_usage", "reset_memory_stats"),
    *("set_virtual_device_configuration", "get_virtual_device_configuration", "VirtualDeviceConfiguration"),
    *("set_visible_devices", "set_synchronous_execution", "get_synchronous_execution", "get_device_details"),
    *("enable_mlir_bridge", "enable_op_determinism", "enable_tensor_float_32_execution", "get_device_policy"),
    *("set_device_policy", "disable_mlir_bridge", "tensor_float_32_execution_enabled"),
)


@dataclass(frozen=True, slots=True)
class Device:
    """The processor, as TensorFlow names it."""

    kind: str
    name: str
    device_type: str = "CPU"

    def __str__(self) -> str:
        return f"{self.kind}(name='{self.name}', device_type='{self.device_type}')"


PHYSICAL = Device("PhysicalDevice", "/physical_device:CPU:0")
LOGICAL = Device("LogicalDevice", "/device:CPU:0")

MEMBERS = members_of(Device, "Device")
MEMBERS.fact("name")(lambda device: device.name)
MEMBERS.fact("device_type")(lambda device: device.device_type)
SHOWN[Device] = (str, str)
TYPE_NAMES[Device] = lambda device: device.kind


def _list(device: Device) -> Callable[..., Any]:
    def listed(device_type: Any = None) -> list[Device]:
        """The devices of a type, of all types where none is given."""
        return [device] if device_type in (None, device.device_type) else []

    return listed


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"config.{room}{name}": _list(device)
    for room in ("", "experimental.")
    for name, device in (
        ("list_physical_devices", PHYSICAL),
        ("get_visible_devices", PHYSICAL),
        ("list_logical_devices", LOGICAL),
    )
}

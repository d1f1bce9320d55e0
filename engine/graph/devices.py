"""Device names: read in any spelling, merged from the outside in, written in TensorFlow's own."""

from __future__ import annotations

_ORDER = ("job", "replica", "task", "device")


def merged_device(outer: str, inner: str) -> str:
    """The device inside two blocks: what the inner leaves open is taken from the outer.

    `/cpu:0` and `/device:CPU:0` are the same; the parts come out in the order job, replica, task, device.
    """
    parts = {**_parts(outer), **_parts(inner)}
    return "".join(f"/{part}:{parts[part]}" for part in _ORDER if part in parts)


def _parts(name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for piece in name.split("/"):
        kind, _, rest = piece.partition(":")
        if kind.lower() in ("cpu", "gpu", "tpu"):
            found["device"] = f"{kind.upper()}:{rest or '*'}"
        elif kind == "device":
            type_name, _, number = rest.partition(":")
            found["device"] = f"{type_name.upper()}:{number or '*'}"
        elif rest:
            found[kind] = rest
    return found

"""`state_dict` of modules: parameters and buffers by name, taken out and put in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.in_place import write
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.building import constant_node

Own = Callable[[UserObject], Iterator[tuple[str, Any]]]


def state_dict(
    self: UserObject,
    modules_by_name: Callable[..., Iterator[tuple[str, Any]]],
    own_parameters: Own,
    own_buffers: Own,
    prefix: str,
    keep_vars: bool,
) -> OrderedDict[str, Any]:
    """Parameters and lasting buffers by names with dots, on the memory of the module."""
    found: OrderedDict[str, Any] = OrderedDict()
    found._metadata = {}  # type: ignore[attr-defined]  # as PyTorch does: which modules it is of
    for path, module in modules_by_name(self):
        found._metadata[f"{prefix}{path}"] = {"version": 1}  # type: ignore[attr-defined]
        start = f"{prefix}{path}." if path else prefix
        lasting = module.fields.get("_buffers", {})
        for name, value in own_parameters(module):
            found[start + name] = value if keep_vars else _without_history(value)
        for name, value in own_buffers(module):
            if lasting[name]:
                found[start + name] = value if keep_vars else _without_history(value)
    return found


def _without_history(value: Tensor) -> Tensor:
    return Tensor(value.storage, value.steps, value.version)


class LoadedKeys:
    """What `load_state_dict` says: names that the state lacked, and names that the module has not."""

    def __init__(self, missing: list[str], unexpected: list[str]) -> None:
        self.missing_keys, self.unexpected_keys = missing, unexpected


LOADED = members_of(LoadedKeys, "IncompatibleKeys")
LOADED.fact("missing_keys")(lambda keys: keys.missing_keys)
LOADED.fact("unexpected_keys")(lambda keys: keys.unexpected_keys)


def _loaded_text(keys: LoadedKeys) -> str:
    if not keys.missing_keys and not keys.unexpected_keys:
        return "<All keys matched successfully>"
    return f"_IncompatibleKeys(missing_keys={keys.missing_keys}, unexpected_keys={keys.unexpected_keys})"


SHOWN[LoadedKeys] = (_loaded_text, _loaded_text)


def load_state_dict(self: UserObject, entries: Mapping[str, Tensor], state: Any, strict: bool) -> LoadedKeys:
    """Put the numbers of a state into parameters and buffers. Raises: RuntimeError's message of PyTorch."""
    if not isinstance(state, Mapping):
        kind = f"<class '{python_name(state)}'>"
        raise torch_error(
            f"Expected state_dict to be dict-like, got {kind}.",
            f"state_dict 必须是字典，不能是 {kind}。",
            kind="TypeError",
        )
    missing = [name for name in entries if name not in state and not _is_left_out(name, state)]
    unexpected = [name for name in state if name not in entries]
    reasons = []
    if strict and missing:
        reasons.append(f"Missing key(s) in state_dict: {_quoted(missing)}. ")
    if strict and unexpected:
        reasons.append(f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
    for name, target in entries.items():
        given = state.get(name)
        if given is None:
            continue
        if not isinstance(given, Tensor):
            kind = f"<class '{python_name(given)}'>"
            reasons.append(
                f'While copying the parameter named "{name}", expected torch.Tensor or Tensor-like object '
                f"from checkpoint but received {kind}\n"
            )
            continue
        if given.array.shape != target.array.shape:
            reasons.append(_other_shape(name, given, target))
            continue
        with recording(False):
            write(target, constant_node(given.array.astype(target.array.dtype), "loaded"))
    if reasons:
        listed = "\n\t".join(reasons)
        raise torch_error(
            f"Error(s) in loading state_dict for {self.kind.name}:\n\t{listed}",
            f"载入 {self.kind.name} 的 state_dict 时出错：缺少 {missing}，多余 {unexpected}，或形状不同。",
        )
    return LoadedKeys(missing, unexpected)


def _is_left_out(name: str, state: Mapping[str, Any]) -> bool:
    """Whether a state that does not say of which modules it is may lack this: the count of batches."""
    path, _, own = name.rpartition(".")
    return own == "num_batches_tracked" and path not in getattr(state, "_metadata", {})


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _other_shape(name: str, given: Tensor, target: Tensor) -> str:
    old, new = (f"torch.Size({list(one.array.shape)})" for one in (given, target))
    return (
        f"size mismatch for {name}: copying a param with shape {old} from checkpoint, "
        f"the shape in current model is {new}."
    )

"""`copy.deepcopy` of tensors, and `torch.save` and `torch.load` within one run."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from posixpath import normpath
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.python.system import KEPT
from engine.languages.surfaces.python.texts import ByteBuffer
from engine.languages.surfaces.python.typing import DEEP_COPIES, Copying, copied, deep
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.parameter import Parameter
from engine.languages.surfaces.torch.random.generator import Generator
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.storage import Storage
from engine.languages.surfaces.torch.tensor import Tensor


def _copied(of: Callable[[Any], Any], tensor: Tensor) -> Tensor:
    """A tensor with memory of its own. Raises: RuntimeError's message of PyTorch for one that is no leaf."""
    if not tensor.is_leaf:
        raise torch_error(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
            "moment.",
            "只有叶子张量才能用 copy.deepcopy 复制。",
            hint="Write y.detach().clone().",
            hint_zh="请写 y.detach().clone()。",
        )
    made = _with_its_numbers(tensor)
    has_grad = tensor.grad is not None and not isinstance(tensor, Parameter)  # a parameter is copied without
    made.grad = of(tensor.grad) if has_grad else None
    return made


def _saved(of: Callable[[Any], Any], tensor: Tensor) -> Tensor:
    """What a file keeps of a tensor: its numbers, and whether it requires gradients."""
    return _with_its_numbers(tensor)


def _with_its_numbers(tensor: Tensor) -> Tensor:
    made = type(tensor)(Storage(array=np.array(tensor.array)))
    made.storage.element = tensor.storage.element
    made.requires = tensor.requires_grad
    if made.requires:
        if isinstance(tensor, Parameter):
            made.storage.later = True
        else:
            made.storage.make_variable()
    return made


def _copied_generator(of: Callable[[Any], Any], generator: Generator) -> Generator:
    made = Generator(generator.seed)
    made.unpack(generator.packed())
    return made


DEEP_COPIES[Tensor] = _copied
DEEP_COPIES[Generator] = _copied_generator
SAVED: Mapping[type, Copying] = ChainMap({Tensor: _saved}, DEEP_COPIES)


@torch_function("save")
def save(interpreter: Interpreter, obj: Any, f: Any, **settings: Any) -> None:
    """Keep a value under the name of a file, for this run alone."""
    if isinstance(f, ByteBuffer):
        f.held = copied(interpreter, obj, SAVED)
        return
    interpreter.of_run(KEPT)[normpath(to_str(f))] = copied(interpreter, obj, SAVED)


def _more_than_weights(value: Any) -> str | None:
    """The class of something in a saved value that is neither a tensor nor one of Python's own values."""
    if isinstance(value, UserObject):
        return f"{'torch.nn' if value.kind.origin == 'library' else '__main__'}.{value.kind.name}"
    if isinstance(value, (np.ndarray, np.generic)):
        return f"numpy.{type(value).__name__}"
    inner = [*value, *value.values()] if isinstance(value, dict) else value
    if not isinstance(inner, (list, tuple)):
        return None
    return next((found for one in inner if (found := _more_than_weights(one))), None)


def _check_weights(value: Any, weights_only: Any) -> Any:
    """The value. Raises: UnpicklingError's message of PyTorch where it is more than tensors."""
    found = None if weights_only is False else _more_than_weights(value)
    if found is None:
        return value
    raise torch_error(
        "Weights only load failed. This file can still be loaded: re-running `torch.load` with "
        "`weights_only` set to `False` will likely succeed, do it only if you got the file from a trusted "
        "source.\n"
        f"WeightsUnpickler error: Unsupported global: GLOBAL {found} was not an allowed global by default.",
        f"torch.load 默认只读取张量（weights_only=True），但保存的内容里有 {found}。",
        kind="UnpicklingError",
        hint="Write torch.load(…, weights_only=False), or save model.state_dict().",
        hint_zh="请写 torch.load(…, weights_only=False)，或者保存 model.state_dict()。",
    )


@torch_function("load")
def load(
    interpreter: Interpreter, f: Any, map_location: Any = None, *, weights_only: Any = None, **settings: Any
) -> Any:
    """What this run has saved under the name. Raises: FileNotFoundError for any other name."""
    if isinstance(f, ByteBuffer) and f.held is not MISSING:
        return deep(interpreter, _check_weights(f.held, weights_only))
    files, name = interpreter.of_run(KEPT), to_str(f)
    if normpath(name) not in files:
        raise torch_error(
            f"[Errno 2] No such file or directory: '{name}'",
            f"没有名为 {name} 的文件：这里只有本次运行保存过的内容。",
            kind="FileNotFoundError",
            hint="Only what the program itself has saved with torch.save is there.",
            hint_zh="只能读取程序自己用 torch.save 保存的内容。",
        )
    return deep(interpreter, _check_weights(files[normpath(name)], weights_only))

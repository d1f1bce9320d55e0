"""What programs may call: functions of `torch`, methods of tensors, functions of `torch.nn.functional`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Check, Native
from engine.languages.surfaces.torch.autograd.outputs import into
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_change
from engine.languages.surfaces.torch.functions.calling.bfloat16 import computed
from engine.languages.surfaces.torch.functions.calling.complex_numbers import check_takes_complex
from engine.languages.surfaces.torch.functions.calling.single_numbers import as_row, is_single
from engine.languages.surfaces.torch.functions.wrong_kinds import (
    KERNELS_OF_FLOATS,
    OF_FLOATS,
    SEVERAL_FORMS,
    THROUGH_METHODS,
    Call,
    check_floats,
    check_kernel_of,
    unfit,
    wrong_kind,
)
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

TORCH: dict[str, Any] = {}  # the members of `torch`, by dotted name
TENSOR = members_of(Tensor, "Tensor")

log = logging.getLogger(__name__)

UNFIT = (AttributeError, TypeError, ValueError, LookupError, ArithmeticError)  # of Python itself
NO_CHANGE = ("requires_grad_", "share_memory_")  # methods of such a name that change no numbers
NO_CHECKS: Mapping[str, Any] = MappingProxyType({})
F = "nn.functional."
WITH_AN_AXIS = frozenset({"sum", "mean", "prod", "max", "min", "median", "nanmedian"})  # where they keep it
AS_NUMPY = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}


class TorchFunction(Native):
    """A function of PyTorch; what its arguments may be it checks by itself, in PyTorch's words."""

    is_method = False
    changes = False  # whether it changes its first argument in place
    checked = NO_CHECKS  # no table by the names of parameters
    as_numpy = (
        True  # whether it takes numpy's names for its parameters and `out=`, as what is written in C++ does
    )

    def checks_of(self, count: int, named: Any) -> list[Check]:
        """None: the function says itself what does not fit."""
        return []

    def call(self, interpreter: Any, args: Any, keywords: Any) -> Any:
        """Call with arguments that may have numpy's names, or `out`."""
        if self.as_numpy and not keywords:
            self._check_complete(args)
        if not self.as_numpy or not keywords:
            return super().call(interpreter, args, keywords)
        own = self.signature.names
        named = {AS_NUMPY.get(key, key) if key not in own else key: one for key, one in keywords.items()}
        out = named.pop("out", None)
        self._check_axis_named(args, named)
        if self.signature.many_positional in named:  # zeros(size=(2, 3))
            args = [*args, named.pop(self.signature.many_positional)]
        found = super().call(interpreter, args, named)
        return found if out is None else into(out, found, self.name, [*args, *named.values()])

    def _check_complete(self, args: Sequence[Any]) -> None:
        """Raises: TypeError's message of PyTorch where arguments are left out."""
        known = self.signature
        missing = [name for name in known.positional[len(args) :] if name in known.required]
        if missing and self.name in SEVERAL_FORMS:
            raise unfit(self._written(args, {}))
        if missing and not known.many_positional:
            raise self._incomplete(missing)

    def _incomplete(self, missing: Sequence[str]) -> Exception:
        listed = ", ".join(f'"{name}"' for name in missing)
        plural = "s" if len(missing) == 1 else ""  # as PyTorch has it
        return torch_error(
            f"{self.name}() missing {len(missing)} required positional argument{plural}: {listed}",
            f"{self.name}() 缺少参数 {listed}。",
            kind="TypeError",
            code="wrong_arguments",
        )

    def _check_axis_named(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        """Raises: TypeError's message of PyTorch where what concerns an axis is given without one."""
        if self.name == "sort" and "stable" in keywords and len(args) > 1:  # which takes it by name then
            raise unfit(self._written(args, keywords))
        if "keepdim" not in keywords or self.name not in WITH_AN_AXIS or len(args) > 1 or "dim" in keywords:
            return
        if "dtype" in keywords or self.name not in SEVERAL_FORMS:
            raise self._incomplete(["dim"])
        raise unfit(self._written(args, keywords))

    def call_checked(self, interpreter: Any, args: Any, keywords: Any, checks: Any) -> Any:
        """Call. Raises: TypeError for arguments that the function cannot work with."""
        if args and args[0] is None and self.signature.positional[:1] == ("input",):
            raise wrong_kind(self._written(args, keywords)) or TypeError
        if self.changes and args and state().levels and isinstance(args[0], Tensor):
            check_change(args[0], self.name, args[1:], keywords)
        check_takes_complex(self.name, args, keywords)
        if keywords:
            self._check_axis_named(args, keywords)
        if keywords.get("device") is not None:
            OPERATORS["check_device"](keywords["device"])
        if self.name in OF_FLOATS and args:
            check_floats(self.name, args[0])
        if keywords.get("out") is not None:
            return self.call(interpreter, args, keywords)
        if self.name in KERNELS_OF_FLOATS and args:
            check_kernel_of(self.name, args[0])

        def call(given: Any, named: Any) -> Any:
            return super(TorchFunction, self).call_checked(interpreter, given, named, checks)

        try:
            if is_single(self.name, args, keywords):
                return as_row(call, args, keywords)
            return computed(call, self.name, args, keywords)
        except UNFIT as error:
            log.info("%s() could not work with its arguments.", self.name, exc_info=error)
            written = self._written(args, keywords)
            if isinstance(error, ProgramError) and self.name not in SEVERAL_FORMS:
                raise wrong_kind(written) or error from None
            raise unfit(written) from error

    def _written(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Call:
        known = self.signature
        through_method = not self.as_numpy and self.name in THROUGH_METHODS
        if through_method and len(args) == 1:  # which hands on what it was given by name by its place
            args, keywords = [*args, *keywords.values()], {}
        names, many = known.positional, known.many_positional
        return Call(self.name, self.is_method or through_method, names, many, args, keywords)


OWN_NAMES = MappingProxyType({"logsigmoid": "log_sigmoid", "threshold": "_threshold"})


def _own_name(function: TorchFunction) -> str:
    """The `__name__` of a function; some of `torch.nn.functional` are not called as they are found there."""
    return function.name if function.as_numpy else OWN_NAMES.get(function.name, function.name)


members_of(TorchFunction, "function").fact("__name__")(_own_name)


def torch_function(
    *names: str, method: bool | str = False, f: bool = False, operator: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: enter a function as `torch.name`.

    method:   whether tensors have it as a method, too; a text names the method alone, without `torch.…`.
    f:        whether it is a function of `torch.nn.functional` instead.
    operator: the operator of Python that it is.
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            if method:
                entered = TENSOR.methods[name] = TorchFunction(name, function)
                entered.is_method = True
                entered.changes = name.endswith("_") and not name.endswith("__") and name not in NO_CHANGE
            if method == "only":
                continue
            full = F + name if f else name
            TORCH[full] = TorchFunction(name, function)
            TORCH[full].as_numpy = not f
            if not f:
                OPERATORS.setdefault(name, function)
        if operator:
            OPERATORS[operator] = function
        return function

    return enter


def torch_value(value: Any, *names: str) -> None:
    """Enter a constant or a type."""
    TORCH.update(dict.fromkeys(names, value))

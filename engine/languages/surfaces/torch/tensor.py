"""PyTorch's tensor: a value, and what automatic differentiation knows of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import ProgramError
from engine.execution.eager.immediate import value_of
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DTYPES, DType, check_fits, of_array
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import Step, Storage, Version
from engine.ops.base.tensors import Array, name_of

OPERATORS: dict[str, Any] = {}  # what Python's operators mean; the files of `functions/` enter it
ARRAYS: dict[str, Any] = {}  # numpy's part in operators; functions/further/numpy_calls.py enters it


class NoIndexError(ProgramError, TypeError):
    """A tensor stands where Python asks for a whole number; caught, it says what PyTorch says."""


class Tensor:
    """A tensor: memory that it may share with others, and its place in the autograd graph.

    storage, steps: the memory, and the way from it to what this tensor shows of it (none: all of it).
    node, output:   the function that made it (`grad_fn`), and which of its outputs it is.
    base:           the tensor of which it is a view that gradients follow.
    wrapped:        of a number of the program, which decides no element type, the type that it has there.
    turn:           the turn of the graph in which a view was computed.
    """

    __slots__ = (
        *("base", "grad", "hooks", "node", "node_version", "output", "post_hooks"),
        *("requires", "retains", "seen", "shown", "steps", "storage", "version", "wrapped", "accumulator"),
        *("turn", "view_error"),
    )
    __hash__ = object.__hash__
    __array_ufunc__ = None  # an array on the left leaves the operator to the tensor on the right

    def __init__(
        self, storage: Storage, steps: tuple[Step, ...] = (), version: Version | None = None
    ) -> None:
        self.storage = storage
        self.steps = steps
        self.version = version or Version()
        self.seen: Any = None
        self.shown = -1
        self.turn = 0
        self.requires = False
        self.grad: Tensor | None = None
        self.node: Any = None
        self.output = 0
        self.node_version = 0
        self.base: Tensor | None = None
        self.hooks: list[Any] = []
        self.post_hooks: list[Any] = []
        self.retains = False
        self.wrapped: Any = False
        self.accumulator: Any = None
        self.view_error = ""

    # -- its value -------------------------------------------------------------------------------

    @property
    def value(self) -> Any:
        """The present value as a tensor of the graph."""
        if not self.steps:
            return self.storage.read()
        if not self._is_up_to_date():
            found = self.storage.read()
            for step in self.steps:
                found = step.of_value(found)
            self.show(found)
        return self.seen

    @property
    def operand(self) -> Any:
        """What an op of the graph is given: a number of the program as it is, else the value."""
        if self.wrapped and self.storage.value is None and self.storage.variable is None:
            return self.storage.array
        return self.value

    @property
    def array(self) -> Array:
        """The present value as an array, which nobody may change."""
        if not self.steps:
            return self.storage.present()
        if self._is_up_to_date():
            found: Array = self.seen.array
            return found
        return self.value.array  # type: ignore[no-any-return]

    @property
    def form(self) -> Array:
        """The same array for those who look at its shape and its type alone."""
        if not self.steps:
            return self.storage.form()
        if self._is_up_to_date():
            return value_of(self.seen)  # type: ignore[no-any-return]
        return value_of(self.value)  # type: ignore[no-any-return]

    def show(self, value: Any) -> None:
        """A view has been computed from what its memory holds now."""
        self.seen, self.shown, self.turn = value, self.storage.writes, state().graph.turn_number

    def _is_up_to_date(self) -> bool:
        """Whether a view has been computed from what its memory holds now."""
        self.storage.look_at_numpy()
        return self.shown == self.storage.writes

    def as_tensor(self) -> Any:
        """The value, for what works with tensors of the graph."""
        return self.value

    @property
    def shape(self) -> Size:
        """The lengths of its axes."""
        return Size(self.form.shape)

    @property
    def dtype(self) -> DType:
        """The type of its elements."""
        return self.storage.element or DTYPES[name_of(self.form.dtype)]

    # -- its place among the functions -----------------------------------------------------------

    @property
    def is_inference(self) -> bool:
        """Whether its memory was made inside of `torch.inference_mode`."""
        return self.storage.is_inference

    @property
    def requires_grad(self) -> bool:
        """Whether gradients with respect to it, or through it, are asked for."""
        if self.requires or self.grad_fn is not None:
            return True
        return self.base is not None and bool(self.view_error) and self.base.requires_grad

    @property
    def grad_fn(self) -> Any:
        """The node of the function that made it; of a view whose base was changed since, a new one."""
        base = self.base
        if base is not None and self.node_version != self.version.number and base.requires_grad:
            VIEWS["renew"](self)
        return self.node

    @property
    def is_leaf(self) -> bool:
        """Whether no function made it, as far as gradients are concerned."""
        return self.grad_fn is None

    def __bool__(self) -> bool:
        return bool(OPERATORS["bool"](self))

    def __index__(self) -> int:
        if self.array.size != 1 or self.array.dtype.kind not in "iub":
            raise NoIndexError(
                "only integer tensors of a single element can be converted to an index",
                message_zh="只有含一个整数的张量才能用作下标。",
                code="torch_error",
                kind="TypeError",
                said="only integer tensors of a single element can be converted to an index",
            )
        return int(self.array.item())

    def check_for_numpy(self) -> None:
        """Raises: RuntimeError's message of PyTorch where gradients could not follow into numpy."""
        if self.requires_grad and state().records:
            raise torch_error(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
                "要求梯度的张量不能调用 numpy()，请使用 tensor.detach().numpy()。",
            )

    def __repr__(self) -> str:
        return f"<torch tensor {self.array.shape}>"

    def __len__(self) -> int:
        return int(OPERATORS["len"](self))

    def __getitem__(self, key: Any) -> Any:
        return OPERATORS["getitem"](self, key)

    def __iter__(self) -> Any:
        return iter(OPERATORS["iter"](self))

    if TYPE_CHECKING:  # entered by the loops below

        def __add__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...


VIEWS: dict[str, Any] = {}  # how a view finds its function anew; autograd/in_place.py enters it


COMMUTE = ("add", "mul", "and", "or", "xor")  # whose tensor comes first, wherever it stands


def _operator(name: str, swapped: bool) -> Any:
    def apply(self: Tensor, other: Any) -> Any:
        function = OPERATORS[name]
        if isinstance(other, np.ndarray):
            return _with_array(self, name, other, swapped)
        if not is_operand(other) or (name == "matmul" and not isinstance(other, Tensor)):
            return NotImplemented
        return function(other, self) if swapped and name not in COMMUTE else function(self, other)

    return apply


def _with_array(tensor: Tensor, name: str, array: Any, swapped: bool) -> Any:
    """A tensor beside an array of numpy: numpy computes where the tensor stands on the left, or divides."""
    if name == "eq":
        return OPERATORS["eq"](tensor, of_numbers(array))
    if name not in BINARY:
        return NotImplemented
    if not swapped:
        tensor.check_for_numpy()
        return ARRAYS["computed"](AS_PYTHON.get(name, name), tensor, array)
    if name != "truediv":
        return NotImplemented
    return _with_array(OPERATORS["reciprocal"](tensor), "mul", array, swapped=False)


def is_operand(value: Any) -> bool:
    """Whether Python's operators take a value beside a tensor."""
    return isinstance(value, (Tensor, int, float, complex, np.generic))


AS_PYTHON = {"and": "and_", "or": "or_"}  # the words of the module `operator`
BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
for _word in (*BINARY, "lshift", "rshift"):
    setattr(Tensor, f"__{_word}__", _operator(_word, swapped=False))
    setattr(Tensor, f"__r{_word}__", _operator(_word, swapped=True))
for _word in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Tensor, f"__{_word}__", _operator(_word, swapped=False))
for _word in ("neg", "pos", "invert", "abs"):
    setattr(Tensor, f"__{_word}__", lambda self, _word=_word: OPERATORS[_word](self))


# -- making tensors --------------------------------------------------------------------------------------


def of_numbers(array: Any, requires_grad: bool = False) -> Tensor:
    """A tensor of an array, without a node until a function uses it.

    Raises: LimitError where it has too many elements.
    """
    array = np.asarray(array)
    of_array(array)
    note_complex(array.dtype.kind == "c")
    graph = state().graph
    graph.meter.check_elements(array.shape)
    made = Tensor(Storage(array=array))
    if requires_grad:
        require_grad(made)
    return made


def of_value(value: Any) -> Tensor:
    """A tensor of a tensor of the graph."""
    return Tensor(Storage(value=value))


def of_scalar(number: Any, dtype: DType) -> Tensor:
    """A number of the program where a function takes a tensor."""
    check_fits(number, dtype)
    note_complex(dtype.is_complex)
    made = Tensor(Storage(array=np.asarray(number).astype(dtype.held_as)))
    made.wrapped = type(number)
    if dtype is BFLOAT16:
        made.storage.element = BFLOAT16
    return made


def note_complex(is_complex: bool) -> None:
    """A tensor of complex numbers has been made: functions look from now on whether they are given one."""
    if is_complex:
        state().has_complex = True


def of_bfloat16(tensor: Tensor) -> Tensor:
    """A tensor whose memory holds numbers of bfloat16, as they have been rounded."""
    tensor.storage.element = BFLOAT16
    state().has_bfloat16 = True
    return tensor


def like(value: Any, dtype: DType) -> Tensor:
    """A tensor of a tensor of the graph, whose numbers are of this type already."""
    made = of_value(value)
    return of_bfloat16(made) if dtype is BFLOAT16 else made


class Unheld:
    """What stands for a value that changes without a word, such as memory that numpy shares."""


def held_by(tensor: Tensor) -> Any:
    """What decides a tensor's value: a variable, a tensor of the graph, or an array that has no node yet."""
    return Unheld() if tensor.storage.shared is not None else held_now(tensor)


def held_now(tensor: Tensor) -> Any:
    """The same at this moment, though numpy may show the same memory and change it later."""
    storage = tensor.storage
    if storage.later or storage.is_behind():
        return Unheld()
    if tensor.steps:
        return tensor.seen if tensor.shown == storage.writes and tensor.seen is not None else Unheld()
    if storage.variable is not None:
        return storage.variable
    return storage.array if storage.value is None else storage.value


def without_node(values: Iterable[Any]) -> list[Storage]:
    """The memory of those tensors among values that no function has used yet: they have no node."""
    found = [one.storage for one in values if isinstance(one, Tensor)]
    return [one for one in found if one.value is None and one.variable is None]


def check_without_node(storages: Iterable[Storage]) -> None:
    """Where one of these has got a node by now, a call of a turn is more than its own nodes."""
    if any(one.value is not None for one in storages):
        state().graph.look()


def require_grad(tensor: Tensor) -> Tensor:
    """Let gradients with respect to a leaf be asked for: a variable of the graph holds it."""
    if not tensor.dtype.has_gradients:
        raise torch_error(
            "Only Tensors of floating point and complex dtype can require gradients",
            "只有浮点类型的张量才能要求梯度。",
            hint="Write a decimal point: torch.tensor(3.0, requires_grad=True).",
            hint_zh="请写小数点：torch.tensor(3.0, requires_grad=True)。",
        )
    if tensor.is_inference and not state().inference:
        raise torch_error(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
            "在 inference_mode 中得到的张量，之后不能要求梯度。",
            hint="Call .clone() first, or use torch.no_grad().",
            hint_zh="请先调用 .clone()，或改用 torch.no_grad()。",
        )
    if not tensor.steps:
        tensor.storage.make_variable()
    tensor.requires = True
    if state().first_values is not None:
        state().first_values.look_at(tensor)
    return tensor


def tensors_in(values: Iterable[Any]) -> list[Tensor]:
    """The tensors among values, also those in lists, tuples and dicts."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += tensors_in(value)
        elif isinstance(value, dict):
            found += tensors_in(value.values())
    return found

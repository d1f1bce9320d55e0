"""`torch.nn.Module`: what it holds is found among its attributes, in the order in which they were set.

An attribute that is a parameter is trained, one that is a module is a child; a buffer is a tensor under a
name that `register_buffer` was given.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import Lazy, python_name
from engine.languages.surfaces.torch.classes import call_method, is_object, library_class
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DType
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.assigning import assign, not_begun
from engine.languages.surfaces.torch.nn.backward_hooks import BackwardHooks
from engine.languages.surfaces.torch.nn.held import Held
from engine.languages.surfaces.torch.nn.hooks import add_hook, hooks_of_all, run_after, run_before
from engine.languages.surfaces.torch.nn.parameter import Parameter
from engine.languages.surfaces.torch.nn.states import load_state_dict, state_dict
from engine.languages.surfaces.torch.optim.optimizer import forget_gradient
from engine.languages.surfaces.torch.registry import TENSOR
from engine.languages.surfaces.torch.storage import rounded_array
from engine.languages.surfaces.torch.tensor import Tensor, of_bfloat16, require_grad

Named = tuple[str, Any]


def begin(self: UserObject, *args: Any, **keywords: Any) -> None:
    """`Module.__init__`: a module in training, without buffers and hooks."""
    self.fields.update(training=True, _buffers={}, _hooks={})


def is_module(value: Any) -> bool:
    """Whether a value is a module."""
    return is_object(value, MODULE)


# -- what it holds -------------------------------------------------------------------------------------------


def own_parameters(self: UserObject) -> Iterator[Named]:
    """Its own parameters by name, not those of its children."""
    for name, value in self.fields.items():
        if isinstance(value, Parameter):
            yield name, value


def own_buffers(self: UserObject) -> Iterator[Named]:
    """Its own buffers by name."""
    for name in self.fields.get("_buffers", ()):
        if isinstance(self.fields.get(name), Tensor):
            yield name, self.fields[name]


def children_of(self: UserObject) -> Iterator[Named]:
    """Its children by name; one that stands under two names comes twice."""
    for name, value in self.fields.items():
        if is_module(value):
            yield name, value


def modules_of(self: UserObject, prefix: str = "", seen: set[int] | None = None) -> Iterator[Named]:
    """The module itself and all below it, each once, by their names with dots."""
    seen = set() if seen is None else seen
    if id(self) in seen:
        return
    seen.add(id(self))
    yield prefix, self
    for name, child in children_of(self):
        yield from modules_of(child, f"{prefix}.{name}" if prefix else name, seen)


def modules_by_name(self: UserObject, prefix: str = "") -> Iterator[Named]:
    """The same with a module that stands under several names under each of them."""
    yield prefix, self
    for name, child in children_of(self):
        yield from modules_by_name(child, f"{prefix}.{name}" if prefix else name)


def _gathered(
    self: UserObject, own: Callable[[UserObject], Iterator[Named]], prefix: str, recurse: bool, once: bool
) -> list[Named]:
    """What the modules hold, by names with dots; each once, unless it is asked for twice."""
    walk = modules_of if once else modules_by_name
    modules = walk(self, prefix) if recurse else [(prefix, self)]
    found, seen = [], set()
    for path, module in modules:
        for name, value in own(module):
            if once and id(value) in seen:
                continue
            seen.add(id(value))
            found.append((f"{path}.{name}" if path else name, value))
    return found


def gathered(self: UserObject, own: Callable[[UserObject], Iterator[Named]]) -> list[Named]:
    """What the module and all below it hold, by names with dots, each once."""
    return _gathered(self, own, "", True, True)


def parameters_of(self: UserObject) -> list[Any]:
    """All parameters, each once."""
    return [value for _, value in _gathered(self, own_parameters, "", True, True)]


def _shown(method: str) -> str:
    return f"generator object Module.{method}"


def _named_parameters(
    self: UserObject, prefix: Any = "", recurse: Any = True, remove_duplicate: Any = True
) -> Lazy:
    return Lazy(
        _gathered(self, own_parameters, prefix, bool(recurse), bool(remove_duplicate)),
        _shown("named_parameters"),
    )


def _named_buffers(
    self: UserObject, prefix: Any = "", recurse: Any = True, remove_duplicate: Any = True
) -> Lazy:
    return Lazy(
        _gathered(self, own_buffers, prefix, bool(recurse), bool(remove_duplicate)), _shown("named_buffers")
    )


def _parameters(self: UserObject, recurse: Any = True) -> Lazy:
    return Lazy((value for _, value in _named_parameters(self, recurse=recurse)), _shown("parameters"))


def _buffers(self: UserObject, recurse: Any = True) -> Lazy:
    return Lazy((value for _, value in _named_buffers(self, recurse=recurse)), _shown("buffers"))


def _named_children(self: UserObject) -> Lazy:
    seen: set[int] = set()
    children = ((n, one) for n, one in children_of(self) if id(one) not in seen and not seen.add(id(one)))  # type: ignore[func-returns-value]
    return Lazy(children, _shown("named_children"))


def _named_modules(
    self: UserObject, memo: Any = None, prefix: Any = "", remove_duplicate: Any = True
) -> Lazy:
    return Lazy(
        modules_of(self, prefix) if remove_duplicate else modules_by_name(self, prefix),
        _shown("named_modules"),
    )


# -- registering ---------------------------------------------------------------------------------------------


def _register_buffer(self: UserObject, name: Any, tensor: Any, persistent: Any = True) -> None:
    _check_name(self, name, "buffer")
    if tensor is not None and not isinstance(tensor, Tensor):
        raise torch_error(
            f"cannot assign '{python_name(tensor)}' object to buffer '{name}' (torch Tensor or None "
            "required)",
            f"缓冲区 {name} 只能是张量或 None。",
            kind="TypeError",
        )
    self.fields["_buffers"][name] = bool(persistent)
    self.fields[name] = tensor


def _register_parameter(self: UserObject, name: Any, param: Any) -> None:
    _check_name(self, name, "parameter")
    if param is not None and not isinstance(param, Parameter):
        raise torch_error(
            f"cannot assign '{_kind_of(param)}' object to parameter '{name}' (torch.nn.Parameter or None "
            "required)",
            f"参数 {name} 只能是 nn.Parameter 或 None。",
            kind="TypeError",
            hint="Write nn.Parameter(tensor).",
            hint_zh="请写 nn.Parameter(tensor)。",
        )
    self.fields[name] = param


def _add_module(self: UserObject, name: Any, module: Any) -> None:
    _check_name(self, name, "module")
    if module is not None and not is_module(module):
        raise torch_error(
            f"{python_name(module)} is not a Module subclass",
            f"{python_name(module)} 不是 Module 的子类。",
            kind="TypeError",
        )
    self.fields[name] = module


def _check_name(self: UserObject, name: Any, what: str) -> None:
    """Raises: AttributeError, KeyError or TypeError for a name that cannot be registered."""
    if "training" not in self.fields:
        raise not_begun(self, what)
    if not isinstance(name, str):
        raise torch_error(
            f"{what} name should be a string. Got {python_name(name)}",
            f"名字应是字符串，不能是 {python_name(name)}。",
            kind="TypeError",
        )
    if "." in name or not name:
        reason = f'{what} name can\'t contain "."' if name else f'{what} name can\'t be empty string ""'
        raise torch_error(reason, "名字不能为空，也不能含有点号。", kind="KeyError")
    present = self.fields.get(name)
    own = {"buffer": name in self.fields["_buffers"], "parameter": isinstance(present, Parameter)}
    if present is not None and not own.get(what, is_module(present)):
        raise torch_error(f"attribute '{name}' already exists", f"属性 {name} 已经存在。", kind="KeyError")


def _get_submodule(interpreter: Interpreter, self: UserObject, target: Any) -> Any:
    found: Any = self
    for name in target.split(".") if target else ():
        if isinstance(found, UserObject) and name not in found.fields:
            raise torch_error(
                f"{found.kind.name} has no attribute `{name}`",
                f"{found.kind.name} 没有 {name}。",
                kind="AttributeError",
            )
        found = attribute_of(interpreter, found, name)
    return found


def _get_own(interpreter: Interpreter, self: UserObject, target: Any, own: Any) -> Any:
    """A parameter or a buffer by its name with dots. Raises: AttributeError's message of PyTorch."""
    path, _, name = target.rpartition(".")
    holder = _get_submodule(interpreter, self, path)
    found = dict(own(holder))
    if name in found:
        return found[name]
    what = "an nn.Parameter" if own is own_parameters else "a buffer"
    said = (
        f"`{name}` is not {what}"
        if name in holder.fields
        else f"{holder.kind.name} has no attribute `{name}`"
    )
    raise torch_error(said, f"{holder.kind.name} 没有名为 {name} 的参数或缓冲。", kind="AttributeError")


def _kind_of(value: Any) -> str:
    """A tensor by the name of its type: torch.FloatTensor."""
    return f"torch.{value.dtype.scalar_name}Tensor" if isinstance(value, Tensor) else python_name(value)


# -- calling -------------------------------------------------------------------------------------------------


def call(interpreter: Interpreter, self: UserObject, *args: Any, **keywords: Any) -> Any:
    """`module(x)`: `forward`, between its hooks."""
    hooks = self.fields.get("_hooks")
    if hooks is None:
        raise not_begun(self)
    if self.kind.find("forward") is MISSING and "forward" not in self.fields:
        raise torch_error(
            f'Module [{self.kind.name}] is missing the required "forward" function',
            f"模块 {self.kind.name} 缺少 forward 方法。",
            kind="NotImplementedError",
            hint="Write def forward(self, x): …",
            hint_zh="请写 def forward(self, x): …",
        )
    if not hooks and not hooks_of_all():
        return interpreter.call(attribute_of(interpreter, self, "forward"), args, keywords)
    given, named = run_before(interpreter, self, args, keywords)
    on_the_way_back = BackwardHooks(interpreter, self)
    given = on_the_way_back.inputs(given)
    result = interpreter.call(attribute_of(interpreter, self, "forward"), given, named)
    return on_the_way_back.outputs(run_after(interpreter, self, given, named, result))


# -- changing ------------------------------------------------------------------------------------------------


def _train(interpreter: Interpreter, self: UserObject, mode: Any = True) -> UserObject:
    if not isinstance(mode, bool):
        raise torch_error(
            "training mode is expected to be boolean",
            "train() 的参数必须是 True 或 False。",
            kind="ValueError",
        )
    self.fields["training"] = mode
    for _, child in children_of(self):
        call_method(interpreter, child, "train", mode)
    return self


def _eval(interpreter: Interpreter, self: UserObject) -> Any:
    return call_method(interpreter, self, "train", False)


def _requires_grad(self: UserObject, requires_grad: Any = True) -> UserObject:
    for one in parameters_of(self):
        one.requires = bool(requires_grad)
        if requires_grad:
            require_grad(one)
    return self


def _zero_grad(self: UserObject, set_to_none: Any = True) -> None:
    for one in parameters_of(self):
        forget_gradient(one, bool(set_to_none))


def _apply(interpreter: Interpreter, self: UserObject, fn: Any) -> UserObject:
    for _, child in children_of(self):
        call_method(interpreter, child, "apply", fn)
    interpreter.call(fn, [self], {})
    return self


def _to(interpreter: Interpreter, self: UserObject, *args: Any, **keywords: Any) -> UserObject:
    """Another element type for floats; there is one device."""
    for given in (*args, *keywords.values()):
        if isinstance(given, DType):
            if not given.is_floating:
                raise torch_error(
                    "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype="
                    f"torch.{given.name}",
                    f"模块只能转换为浮点类型，不能是 torch.{given.name}。",
                    kind="TypeError",
                )
            return _cast(interpreter, self, given)
        if isinstance(given, Tensor):
            return _cast(interpreter, self, given.dtype)
    if args and isinstance(args[0], str):
        interpreter.call(TENSOR.methods["to"], [next(iter(parameters_of(self)), None), *args], keywords) if (
            parameters_of(self)
        ) else None
    return self


def _cast(interpreter: Interpreter, self: UserObject, dtype: DType) -> UserObject:
    for _, module in modules_of(self):
        for name, value in [*own_parameters(module), *own_buffers(module)]:
            if value.dtype.is_floating and value.dtype is not dtype:
                module.fields[name] = _converted(value, dtype)
    return self


def _converted(value: Tensor, dtype: DType) -> Tensor:
    """The same tensor with other elements, in place where a program or an optimizer holds it."""
    numbers = value.array.astype(dtype.held_as)
    is_rounded = dtype is BFLOAT16
    fresh = type(value)(type(value.storage)(array=rounded_array(numbers) if is_rounded else numbers))
    value.storage, value.steps, value.grad, value.accumulator = fresh.storage, (), None, None
    if is_rounded:
        of_bfloat16(value)
    if value.requires:
        value.storage.make_variable()
    return value


def _same(self: UserObject, *args: Any, **keywords: Any) -> UserObject:
    return self


# -- text ----------------------------------------------------------------------------------------------------


def _text(interpreter: Interpreter, self: UserObject) -> str:
    """The class, what `extra_repr` says, and the children, indented by two."""
    extra = str(call_method(interpreter, self, "extra_repr"))
    lines = extra.split("\n") if extra else []
    children = [f"({name}): {indented(to_repr(child))}" for name, child in children_of(self)]
    own = lines + children
    name = str(call_method(interpreter, self, "_get_name"))
    if not own:
        return f"{name}()"
    if len(lines) == 1 and not children:
        return f"{name}({lines[0]})"
    return f"{name}(\n  " + "\n  ".join(own) + "\n)"


def indented(text: str) -> str:
    """A text whose lines after the first are indented by two."""
    return text.replace("\n", "\n  ")


def _dtype_cast(name: str) -> Callable[..., UserObject]:
    from engine.languages.surfaces.torch.dtypes import DTYPES

    return lambda interpreter, self: _cast(interpreter, self, DTYPES[name])


def _registered(self: UserObject, when: str) -> OrderedDict[int, Any]:
    """The hooks of one kind, each under a number."""
    return OrderedDict(enumerate(hook for hook, _ in self.fields["_hooks"].get(when, ())))


MODULE: UserClass = library_class(
    "Module",
    properties={
        "_parameters": lambda self: Held(self, own_parameters),
        "_modules": lambda self: Held(self, children_of),
        "_buffers": lambda self: Held(self, own_buffers),
        "_forward_hooks": lambda self: _registered(self, "after"),
        "_forward_pre_hooks": lambda self: _registered(self, "before"),
        "_backward_hooks": lambda self: _registered(self, "backward"),
    },
    __init__=begin,
    __call__=call,
    __repr__=_text,
    __setattr__=lambda self, name, value: assign(self, name, value, is_module),
    extra_repr=lambda self: "",
    _get_name=lambda self: self.kind.name,
    parameters=_parameters,
    named_parameters=_named_parameters,
    buffers=_buffers,
    named_buffers=_named_buffers,
    children=lambda self: Lazy((one for _, one in _named_children(self)), _shown("children")),
    named_children=_named_children,
    modules=lambda self: Lazy((one for _, one in modules_of(self)), _shown("modules")),
    named_modules=_named_modules,
    register_buffer=_register_buffer,
    register_parameter=_register_parameter,
    register_module=_add_module,
    add_module=_add_module,
    get_submodule=_get_submodule,
    get_parameter=lambda interpreter, self, target: _get_own(interpreter, self, target, own_parameters),
    get_buffer=lambda interpreter, self, target: _get_own(interpreter, self, target, own_buffers),
    train=_train,
    eval=_eval,
    requires_grad_=_requires_grad,
    zero_grad=_zero_grad,
    apply=_apply,
    to=_to,
    cpu=_same,
    cuda=_same,
    share_memory=_same,
    compile=_same,
    float=_dtype_cast("float32"),
    double=_dtype_cast("float64"),
    half=_dtype_cast("float16"),
    bfloat16=_dtype_cast("bfloat16"),
    type=lambda interpreter, self, dst_type: _cast(interpreter, self, dst_type),
    state_dict=lambda self, *, destination=None, prefix="", keep_vars=False: state_dict(
        self, modules_by_name, own_parameters, own_buffers, prefix, bool(keep_vars)
    ),
    load_state_dict=lambda self, state_dict, strict=True, assign=False: load_state_dict(
        self, _entries(self), state_dict, bool(strict)
    ),
    register_forward_hook=lambda self, hook, *, prepend=False, with_kwargs=False, always_call=False: add_hook(
        self, "after", hook, bool(prepend), bool(with_kwargs)
    ),
    register_forward_pre_hook=lambda self, hook, *, prepend=False, with_kwargs=False: add_hook(
        self, "before", hook, bool(prepend), bool(with_kwargs)
    ),
    register_full_backward_hook=lambda self, hook, prepend=False: add_hook(
        self, "backward", hook, bool(prepend), False
    ),
    register_full_backward_pre_hook=lambda self, hook, prepend=False: add_hook(
        self, "before backward", hook, bool(prepend), False
    ),
    register_backward_hook=lambda self, hook: add_hook(self, "backward", hook, False, False),
)


def _entries(self: UserObject) -> Mapping[str, Any]:
    """What `state_dict` names: parameters and lasting buffers, by names with dots."""
    return OrderedDict(state_dict(self, modules_by_name, own_parameters, own_buffers, "", True))


def forward_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """A `forward` of one input that a function computes."""
    return lambda interpreter, self, input: function(interpreter, self, input)


def functional(interpreter: Interpreter, name: str, *args: Any, **keywords: Any) -> Any:
    """Call a function of `torch.nn.functional`."""
    from engine.languages.surfaces.torch.registry import TORCH

    return interpreter.call(TORCH[f"nn.functional.{name}"], list(args), keywords)


def torch_call(interpreter: Interpreter, name: str, *args: Any, **keywords: Any) -> Any:
    """Call a function of `torch`."""
    from engine.languages.surfaces.torch.registry import TORCH

    return interpreter.call(TORCH[name], list(args), keywords)


__all__ = ["MODULE", "Sequence", "begin", "functional", "indented", "is_module", "modules_of", "torch_call"]

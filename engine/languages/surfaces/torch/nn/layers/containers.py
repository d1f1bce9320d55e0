"""Modules that hold others: in a row, in a list, by name; and lists of parameters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Lazy, python_name
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.module import MODULE, begin, children_of, indented, is_module
from engine.languages.surfaces.torch.nn.parameter import Parameter, parameter
from engine.languages.surfaces.torch.registry import torch_value
from engine.languages.surfaces.torch.tensor import Tensor


def _items(self: UserObject) -> list[Any]:
    return [child for _, child in children_of(self)]


def _put_all(self: UserObject, items: list[Any], kept: Any = is_module) -> None:
    """Exchange the numbered children."""
    for name in [name for name, value in self.fields.items() if name.isdigit()]:
        del self.fields[name]
    self.fields.update({str(index): item for index, item in enumerate(items)})


def _check(value: Any) -> Any:
    if not is_module(value):
        raise torch_error(
            f"{python_name(value)} is not a Module subclass",
            f"{python_name(value)} 不是 Module 的子类。",
            kind="TypeError",
            hint="Give an object: nn.ReLU() with brackets.",
            hint_zh="请给出对象：nn.ReLU()，要带括号。",
        )
    return value


def _name_at(self: UserObject, index: int) -> str:
    names = [name for name, _ in children_of(self)]
    if not -len(names) <= index < len(names):
        raise torch_error(f"index {index} is out of range", f"序号 {index} 超出范围。", kind="IndexError")
    return names[index]


def _get(self: UserObject, idx: Any) -> Any:
    if isinstance(idx, slice):
        made = UserObject(self.kind, self.interpreter.next_serial(), self.interpreter)
        begin(made)
        named = list(children_of(self))[idx]
        if self.kind is SEQUENTIAL:
            made.fields.update(named)
        else:
            _put_all(made, [child for _, child in named])
        return made
    return self.fields[_name_at(self, int(idx))]


def _set(self: UserObject, idx: Any, module: Any) -> None:
    self.fields[_name_at(self, int(idx))] = _check(module)


def _delete(self: UserObject, idx: Any) -> None:
    items = _items(self)
    del items[idx if isinstance(idx, slice) else int(idx)]
    for name in [name for name, _ in children_of(self)]:  # all of them get numbers as names
        del self.fields[name]
    _put_all(self, items)


def _append(self: UserObject, module: Any) -> UserObject:
    self.fields[str(len(_items(self)))] = _check(module)
    return self


def _insert(self: UserObject, index: Any, module: Any) -> UserObject:
    items = _items(self)
    items.insert(int(index), _check(module))
    _put_all(self, items)
    return self


def _extend(self: UserObject, modules: Any) -> UserObject:
    for one in iterate(modules):
        _append(self, one)
    return self


def _pop(self: UserObject, key: Any = -1) -> Any:
    items = _items(self)
    found = items.pop(int(key))
    _put_all(self, items)
    return found


LISTS: dict[str, Any] = {
    "__getitem__": _get,
    "__setitem__": _set,
    "__delitem__": _delete,
    "__len__": lambda self: len(_items(self)),
    "__iter__": lambda self: Lazy(_items(self)),
    "append": _append,
    "insert": _insert,
    "extend": _extend,
    "pop": _pop,
}

# -- in a row --------------------------------------------------------------------------------------------


def _begin_row(self: UserObject, *args: Any) -> None:
    begin(self)
    if len(args) == 1 and isinstance(args[0], dict):
        self.fields.update({str(name): _check(one) for name, one in args[0].items()})
    else:
        self.fields.update({str(index): _check(one) for index, one in enumerate(args)})


def _run_row(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
    for _, child in children_of(self):
        input = interpreter.call(child, [input], {})
    return input


SEQUENTIAL = library_class("Sequential", MODULE, __init__=_begin_row, forward=_run_row, **LISTS)

# -- in a list, by name ------------------------------------------------------------------------------------


def _begin_list(self: UserObject, modules: Any = None) -> None:
    begin(self)
    if modules is not None:
        _extend(self, modules)


def _list_text(self: UserObject) -> str:
    """Children that print alike stand in one line: `(0-2): 3 x Linear(…)`."""
    texts = [to_repr(child) for child in _items(self)]
    if not texts:
        return f"{self.kind.name}()"
    blocks: list[tuple[int, int, str]] = []
    for index, text in enumerate(texts):
        if blocks and blocks[-1][2] == text:
            blocks[-1] = (blocks[-1][0], index, text)
        else:
            blocks.append((index, index, text))
    lines = [
        f"({first}): {indented(text)}"
        if first == last
        else f"({first}-{last}): {last - first + 1} x {indented(text)}"
        for first, last, text in blocks
    ]
    return f"{self.kind.name}(\n  " + "\n  ".join(lines) + "\n)"


MODULE_LIST = library_class("ModuleList", MODULE, __init__=_begin_list, __repr__=_list_text, **LISTS)


def _begin_dict(self: UserObject, modules: Any = None) -> None:
    begin(self)
    if modules is not None:
        _update(self, modules)


def _update(self: UserObject, modules: Any) -> None:
    pairs = modules.items() if isinstance(modules, dict) else [tuple(one) for one in iterate(modules)]
    for name, one in pairs:
        self.fields[_checked_name(name)] = _check(one)


def _checked_name(name: Any) -> Any:
    """A name of a module. Raises: KeyError's messages of PyTorch."""
    if isinstance(name, str) and (not name or "." in name):
        wrong = f'can\'t contain ".", got: {name}' if name else 'can\'t be empty string ""'
        raise torch_error(f"module name {wrong}", f"模块的名字不能是“{name}”。", kind="KeyError")
    return name


def _named(self: UserObject) -> dict[str, Any]:
    return OrderedDict(children_of(self))


def _take(self: UserObject, key: Any) -> Any:
    _of_name(self, key)
    return self.fields.pop(key)


def _of_name(self: UserObject, key: Any) -> Any:
    found = _named(self)
    if key not in found:
        raise torch_error(f"'{key}'", f"没有名为 {key} 的模块。", kind="KeyError")
    return found[key]


MODULE_DICT = library_class(
    "ModuleDict",
    MODULE,
    __init__=_begin_dict,
    __getitem__=_of_name,
    __setitem__=lambda self, key, module: self.fields.__setitem__(key, _check(module)),
    __delitem__=lambda self, key: _take(self, key) and None,
    __len__=lambda self: len(_named(self)),
    __iter__=lambda self: Lazy(_named(self)),
    __contains__=lambda self, key: key in _named(self),
    keys=lambda self: dict(_named(self)).keys(),
    values=lambda self: dict(_named(self)).values(),
    items=lambda self: dict(_named(self)).items(),
    update=_update,
    pop=_take,
)

# -- of parameters -----------------------------------------------------------------------------------------


def _as_parameter(value: Any) -> Any:
    return parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _numbered(self: UserObject) -> list[Any]:
    return [value for name, value in self.fields.items() if name.isdigit()]


def _begin_parameters(self: UserObject, values: Any = None) -> None:
    begin(self)
    for one in () if values is None else iterate(values):
        _append_parameter(self, one)


def _append_parameter(self: UserObject, value: Any) -> UserObject:
    self.fields[str(len(_numbered(self)))] = _as_parameter(value)
    return self


def _set_parameter(self: UserObject, idx: Any, param: Any) -> None:
    self.fields[str(range(len(_numbered(self)))[int(idx)])] = _as_parameter(param)


def _parameter_lines(named: Iterator[tuple[str, Any]], by_dtype: bool = True) -> str:
    lines = []
    for name, value in named:
        kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
        size = "x".join(map(str, value.array.shape))
        element = value.dtype.name if by_dtype else f"{value.dtype.scalar_name}Tensor"
        lines.append(f"  ({name}): {kind} containing: [torch.{element} of size {size}]")
    return "\n".join(lines)


PARAMETER_LIST = library_class(
    "ParameterList",
    MODULE,
    __init__=_begin_parameters,
    __getitem__=lambda self, idx: _numbered(self)[idx],
    __setitem__=_set_parameter,
    __len__=lambda self: len(_numbered(self)),
    __iter__=lambda self: Lazy(_numbered(self)),
    append=_append_parameter,
    extend=lambda self, values: [_append_parameter(self, one) for one in iterate(values)] and self,
    extra_repr=lambda self: _parameter_lines((str(i), one) for i, one in enumerate(_numbered(self))),
)


def _begin_named_parameters(self: UserObject, parameters: Any = None) -> None:
    begin(self)
    if parameters is not None:
        self.fields.update({name: _as_parameter(one) for name, one in dict(parameters).items()})


def _own_parameters(self: UserObject) -> dict[str, Any]:
    return {name: one for name, one in self.fields.items() if isinstance(one, Parameter)}


PARAMETER_DICT = library_class(
    "ParameterDict",
    MODULE,
    __init__=_begin_named_parameters,
    __getitem__=lambda self, key: _own_parameters(self)[key],
    __setitem__=lambda self, key, value: self.fields.__setitem__(key, _as_parameter(value)),
    __len__=lambda self: len(_own_parameters(self)),
    __iter__=lambda self: Lazy(_own_parameters(self)),
    __contains__=lambda self, key: key in _own_parameters(self),
    keys=lambda self: _own_parameters(self).keys(),
    values=lambda self: list(_own_parameters(self).values()),
    items=lambda self: list(_own_parameters(self).items()),
    extra_repr=lambda self: _parameter_lines(iter(_own_parameters(self).items()), by_dtype=False),
)

for _kind in (SEQUENTIAL, MODULE_LIST, MODULE_DICT, PARAMETER_LIST, PARAMETER_DICT):
    torch_value(_kind, f"nn.{_kind.name}")
torch_value(MODULE, "nn.Module", "nn.modules.Module", "nn.modules.module.Module")

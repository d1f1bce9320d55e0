"""`import a.b as c` and `from a import b`."""

from __future__ import annotations

import ast
from typing import Any

from engine.errors import RefusedError
from engine.languages.interpreter.attributes import read_attribute
from engine.languages.interpreter.classes.objects import attribute_of
from engine.languages.interpreter.dispatch import executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean


@executes(ast.Import)
def import_(interpreter: Interpreter, node: ast.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        module = _module(interpreter, alias.name)
        if alias.asname is None and "." in alias.name:
            root = alias.name.split(".")[0]
            interpreter.scope.write(root, _module(interpreter, root))
        else:
            interpreter.scope.write(alias.asname or alias.name, module)


@executes(ast.ImportFrom)
def import_from(interpreter: Interpreter, node: ast.ImportFrom) -> None:
    """`from a import b as c`."""
    if node.module == "__future__":
        return
    if node.level or any(alias.name == "*" for alias in node.names):
        raise RefusedError(
            "Relative imports and `import *` are not supported.",
            message_zh="不支持相对导入和 `import *`。",
            hint="Name what you need: `from math import sqrt`.",
            hint_zh="请写出需要的名字：`from math import sqrt`。",
            code="refused_import",
        )
    for alias in node.names:
        dotted = f"{node.module}.{alias.name}"
        found = interpreter.modules.get(dotted)
        value = found or attribute_of(interpreter, _module(interpreter, node.module or ""), alias.name)
        interpreter.scope.write(alias.asname or alias.name, value)


def _module(interpreter: Interpreter, dotted: str) -> Any:
    """A module by its name, or inside one that we know."""
    found = interpreter.modules.get(dotted)
    if found is not None:
        return found
    root, _, rest = dotted.partition(".")
    module: Any = interpreter.modules.get(root)
    if module is None:
        raise _no_module(interpreter, dotted)
    for part in rest.split("."):
        module = read_attribute(module, part)
    return module


DATA_MODULES = frozenset({"pandas", "sklearn", "tensorflow_datasets", "torchvision", "d2l", "input_data"})


def _no_module(interpreter: Interpreter, dotted: str) -> RefusedError:
    hint, hint_zh = did_you_mean(dotted, interpreter.modules)
    if dotted.split(".")[0] in DATA_MODULES:
        hint = "Make a small data set in the program, such as np.random.RandomState(0).randn(100, 2)."
        hint_zh = "请在程序里自己造小数据集，例如 np.random.RandomState(0).randn(100, 2)。"
    return RefusedError(
        f"The module `{dotted}` is not available here.",
        message_zh=f"这里不能使用模块 `{dotted}`。",
        hint=hint or "Programs may use tensorflow, numpy, math and time.",
        hint_zh=hint_zh or "程序可以使用 tensorflow、numpy、math 和 time。",
        code="refused_import",
    )

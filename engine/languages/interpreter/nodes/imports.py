"""`import a.b as c` and `from a import b`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.errors import MissingModule, RefusedError
from engine.languages.interpreter.attributes import LOOKUPS, read_attribute
from engine.languages.interpreter.classes.objects import attribute_of
from engine.languages.interpreter.dispatch import CALLABLES, executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import TYPE_NAMES, Module, Withheld


@executes(ast.Import)
def import_(interpreter: Interpreter, node: ast.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        root = alias.name.split(".")[0]
        with _passed_over(interpreter, node, alias.name, alias.asname or root):
            module = _module(interpreter, alias.name)
            if alias.asname is None and "." in alias.name:
                module = _module(interpreter, root)
            interpreter.scope.write(alias.asname or root, module)


@executes(ast.ImportFrom)
def import_from(interpreter: Interpreter, node: ast.ImportFrom) -> None:
    """`from a import b as c`."""
    if node.module == "__future__":
        return
    if node.level:
        raise RefusedError(
            "Relative imports are not supported.",
            message_zh="不支持相对导入。",
            hint="Name the module: `from math import sqrt`.",
            hint_zh="请写出模块名：`from math import sqrt`。",
            code="refused_import",
        )
    if node.names[0].name == "*":
        _import_all(interpreter, node.module or "")
        return
    for alias in node.names:
        name = alias.asname or alias.name
        with _passed_over(interpreter, node, node.module or "", name):
            found = interpreter.modules.get(f"{node.module}.{alias.name}")
            value = found or attribute_of(interpreter, _module(interpreter, node.module or ""), alias.name)
            interpreter.scope.write(name, value)


def _import_all(interpreter: Interpreter, dotted: str) -> None:
    """`from a import *`: the functions, classes and constants of a module, without the modules inside it."""
    module = _module(interpreter, dotted)
    for name, value in module.members.items():
        is_inside = isinstance(value, Module) and value.name.startswith(f"{module.name}.")
        if not (name.startswith("_") or is_inside):
            interpreter.scope.write(name, value)


TYPE_NAMES[Withheld] = lambda value: "module"
LOOKUPS[Withheld] = lambda value, name: value.refuse()
CALLABLES[Withheld] = lambda interpreter, value, args, keywords: value.refuse()
LIBRARIES = frozenset(
    [
        "IPython",
        "PIL",
        "bokeh",
        "cv2",
        "d2l",
        "flax",
        "google",
        "graphviz",
        "gym",
        "gymnasium",
        "h5py",
        "imageio",
        "input_data",
        "keras",
        "mlxtend",
        "mnist",
        "mpl_toolkits",
        "networkx",
        "nltk",
        "numba",
        "optax",
        "pandas",
        "plotly",
        "pylab",
        "requests",
        "scipy",
        "seaborn",
        "skimage",
        "sklearn",
        "statsmodels",
        "sympy",
        "tensorboard",
        "tensorboardX",
        "tensorflow",
        "tensorflow_addons",
        "tensorflow_datasets",
        "tensorflow_hub",
        "tensorflow_probability",
        "torch",
        "torchinfo",
        "torchsummary",
        "torchtext",
        "torchvision",
        "tqdm",
        "transformers",
        "wandb",
        "xgboost",
        "jax",
        "matplotlib",
        "numpy",
    ]
)
OF_PYTHON = frozenset(  # imported for data, or by habit
    [
        "abc", "base64", "bisect", "bz2", "contextlib", "csv", "glob", "gzip", "hashlib", "pathlib",
        "pdb", "pickle", "statistics", "struct", "tarfile", "urllib", "uuid", "zipfile",
    ]
)  # fmt: skip
PASSED_OVER = LIBRARIES | OF_PYTHON


@contextmanager
def _passed_over(interpreter: Interpreter, node: ast.stmt, module: str, name: str) -> Iterator[None]:
    """A library that is not offered here is noted where the program never reads its name.

    Inside of `try` it fails, and so does any module that reaches the system, used or not.
    """
    try:
        yield
    except (RefusedError, MissingModule) as error:
        is_part = "." in module and module not in interpreter.modules
        misspelt = is_part and any(did_you_mean(module, interpreter.modules))
        spared = module.split(".")[0] in PASSED_OVER
        if spared and is_part and not misspelt and _is_tried(interpreter.tree, node):
            raise _not_found(error, module) from error
        if not spared or misspelt or _is_tried(interpreter.tree, node):
            raise
        if not _is_read(ast.walk(interpreter.tree), name):
            text = "is not used, so the program runs without it"
            text_zh = f"程序没有用到 `{name}`，所以照常运行"
        elif not _is_read(_outside_of_functions(interpreter.tree), name):
            text = "is used in functions only, so the program runs up to the first of them that is called"
            text_zh = f"只有函数里用到 `{name}`，所以程序运行到第一次调用这样的函数为止"
            interpreter.scope.write(name, Withheld(error))
        else:
            raise
        interpreter.note(
            "import_not_used",
            f"{error.message} `{name}` {text}.",
            f"{error.message_zh}{text_zh}。",
            place=interpreter.source.span(node),
        )


def _not_found(error: RefusedError | MissingModule, module: str) -> MissingModule:
    """A part of a library that is not offered, as a program's `except` can catch it."""
    return MissingModule(
        error.message,
        message_zh=error.message_zh,
        hint=error.hint,
        hint_zh=error.hint_zh,
        code="refused_import",
        kind="ModuleNotFoundError",
        said=f"No module named '{module}'",
    )


def _is_tried(tree: ast.Module, statement: ast.stmt) -> bool:
    """Whether it stands inside of a `try`, whose `except` may wait for it to fail."""
    tries = (node for node in ast.walk(tree) if isinstance(node, (ast.Try, ast.TryStar)))
    return any(statement is inner for node in tries for inner in ast.walk(node))


def _is_read(nodes: Iterable[ast.AST], name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in nodes)


def _outside_of_functions(node: ast.AST) -> Iterator[ast.AST]:
    """What runs without a function's being called: all but the bodies of functions."""
    yield node
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, (ast.FunctionDef, ast.Lambda)):
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                yield from _outside_of_functions(inner)


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


FRAMEWORKS = frozenset({"torch", "jax", "tensorflow", "keras"})
LAYERS = (
    "Keep parameters in a dictionary, write layers as functions (x @ w + b); optax trains them.",
    "请把参数放在字典里，把层写成函数（x @ w + b），可以用 optax 训练。",
)
SAMPLERS = (
    "Write the log density as a function, and the chain by jax.lax.scan with jax.random; "
    "jax.scipy.stats has densities.",
    "请把对数密度写成函数，用 jax.lax.scan 和 jax.random 写马尔可夫链；jax.scipy.stats 提供密度函数。",
)
SOLVERS = (
    "jax.experimental.ode.odeint solves differential equations, jax.scipy.optimize.minimize finds minima, "
    "optax trains.",
    "jax.experimental.ode.odeint 解微分方程，jax.scipy.optimize.minimize 求极小值，optax 用于训练。",
)
INSTEAD = {  # of libraries that build on JAX, by their first name
    **dict.fromkeys(("flax", "haiku", "equinox", "objax", "trax", "penzai"), LAYERS),
    **dict.fromkeys(("numpyro", "blackjax", "distrax", "tensorflow_probability", "oryx"), SAMPLERS),
    **dict.fromkeys(("jaxopt", "diffrax", "optimistix", "lineax"), SOLVERS),
    **dict.fromkeys(("chex", "orbax", "jaxtyping", "clu"), ("Leave it out.", "请去掉它。")),
}
DATA_MODULES = frozenset({"pandas", "sklearn", "tensorflow_datasets", "torchvision", "d2l", "input_data"})


def _no_module(interpreter: Interpreter, dotted: str) -> RefusedError | MissingModule:
    first = dotted.split(".")[0]
    hint, hint_zh = INSTEAD.get(first) or did_you_mean(dotted, interpreter.modules)
    if first in DATA_MODULES:
        hint = "Make a small data set in the program, such as np.random.RandomState(0).randn(100, 2)."
        hint_zh = "请在程序里自己造小数据集，例如 np.random.RandomState(0).randn(100, 2)。"
    if first in FRAMEWORKS:
        hint = f"A program is of one framework here, and this one is not of {first}."
        hint_zh = f"这里一个程序只属于一种框架，而本程序不属于 {first}。"
    of_python = first in sys.stdlib_module_names
    kind = RefusedError if of_python else MissingModule
    return kind(
        f"The module `{dotted}` is not available here.",
        message_zh=f"这里不能使用模块 `{dotted}`。",
        hint=hint
        or "Programs may use torch, jax, tensorflow, keras, numpy and much of Python's own library.",
        hint_zh=hint_zh or "程序可以使用 torch、jax、tensorflow、keras、numpy 和 Python 自带的许多模块。",
        code="refused_import",
        kind="ModuleNotFoundError",
        said=f"No module named '{dotted}'",
    )

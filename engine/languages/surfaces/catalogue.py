"""What `import` finds, and what a program without its import lines is taken to mean."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces import sliced_assignment, tensors  # noqa: F401  # for their tables
from engine.languages.surfaces.courses import autodiff
from engine.languages.surfaces.courses.miniflow import MINIFLOW
from engine.languages.surfaces.data_sets import of_sklearn  # noqa: F401  # for its table
from engine.languages.surfaces.data_sets.of_tf1 import INPUT_DATA
from engine.languages.surfaces.jax import losses, schedules  # noqa: F401  # for their names in optax
from engine.languages.surfaces.jax.module import jax_module
from engine.languages.surfaces.jax.numpy.own_methods import numpy_beside_jax
from engine.languages.surfaces.jax.optax import OPTAX
from engine.languages.surfaces.jax.optax_parts import (  # noqa: F401  # for their names in optax
    factored,
    freezing,
    further_directions,
    parameters,
    root_mean_squares,
    single_updates,
    tree_functions,
    types,
    wrappers,
)
from engine.languages.surfaces.matplotlib.module import matplotlib_modules
from engine.languages.surfaces.numpy import arrays, module, random  # noqa: F401  # for their tables
from engine.languages.surfaces.pandas.module import pandas_module
from engine.languages.surfaces.python import (
    clock,
    collections,
    complex_numbers,
    data_classes,
    decimals,
    enums,
    functions,
    heaps,
    iterators,
    numbers,
    patterns,
    settings,
    system,
    texts,
    typing,
)
from engine.languages.surfaces.python import random as python_random
from engine.languages.surfaces.scipy.special import SCIPY
from engine.languages.surfaces.sklearn import (  # noqa: F401  # for their tables
    folds,
    labels,
    least_squares,
    scaling,
    scores,
)
from engine.languages.surfaces.sklearn.module import sklearn_module
from engine.languages.surfaces.tf1.module import tensorflow_module
from engine.languages.surfaces.tf2.module import eager_module, tensorflow2_module
from engine.languages.surfaces.torch.module import torch_modules
from engine.languages.surfaces.torch.vision.module import TORCHVISION

TENSORFLOW = tensorflow_module()
TENSORFLOW_2 = tensorflow2_module()
NUMPY_MODULE = module.NUMPY.module()

IGNORED = ("warnings", "logging", "IPython", "mpl_toolkits")
PYTHON = (
    *(complex_numbers.CMATH, decimals.DECIMAL),
    *(numbers.MATH, numbers.STATISTICS, numbers.FRACTIONS, clock.TIME, clock.DATETIME, clock.TIMEIT),
    *(python_random.RANDOM, collections.COLLECTIONS, iterators.ITERTOOLS, functions.FUNCTOOLS),
    heaps.HEAPQ,
    *(
        functions.OPERATOR,
        system.OS,
        system.SYS,
        system.TEMPFILE,
        system.IMPORTLIB,
        system.PATHLIB,
        system.PACKAGING,
    ),
    *(texts.STRING, texts.JSON, texts.PPRINT),
    *(texts.IO, texts.TEXTWRAP, patterns.RE, typing.TYPING, typing.ABC, typing.COPY, typing.CONTEXTLIB),
    *(data_classes.DATACLASSES, enums.ENUM, settings.ARGPARSE, settings.TYPES, settings.TQDM),
)

CONTEXTS[Ignored] = lambda interpreter, value: nullcontext(value)

MODULES: Mapping[str, Any] = MappingProxyType(
    {
        "tensorflow": TENSORFLOW,
        "keras": TENSORFLOW.members["keras"],
        "numpy": NUMPY_MODULE,
        "scipy": SCIPY.module(),
        "miniflow": MINIFLOW,
        "autodiff": autodiff.AD.module(),
        "sklearn": sklearn_module(),
        "pandas": pandas_module(),
        "input_data": INPUT_DATA.module(),
        **{library.name: library.module() for library in PYTHON},
        **matplotlib_modules(NUMPY_MODULE),
        **{name: Ignored(name) for name in IGNORED},
    }
)

EAGER_MODULES: Mapping[str, Any] = MappingProxyType(
    {
        **MODULES,
        "tensorflow": TENSORFLOW_2,
        "keras": TENSORFLOW_2.members["keras"],
        "tensorflow.contrib.eager": TENSORFLOW_2,
    }
)

EAGER_MODULES_OF_1: Mapping[str, Any] = MappingProxyType(
    {**EAGER_MODULES, "tensorflow": eager_module(), "tensorflow.contrib.eager": eager_module()}
)

JAX = jax_module()
JAX_MODULES: Mapping[str, Any] = MappingProxyType(
    {
        name: module
        for name, module in MODULES.items()
        if name not in ("tensorflow", "keras", "miniflow", "autodiff")
    }
    | {"jax": JAX, "jax.numpy": JAX.members["numpy"], "optax": OPTAX.module(), "numpy": numpy_beside_jax()}
)

TORCH_MODULES: Mapping[str, Any] = MappingProxyType(
    {**MODULES, **torch_modules(), "torchvision": TORCHVISION.module()}
)

ASSUMED: Mapping[str, str] = MappingProxyType(
    {
        "tf": "tensorflow",
        "np": "numpy",
        "math": "math",
        "time": "time",
        "random": "random",
        "plt": "matplotlib.pyplot",
    }
)

JAX_ASSUMED: Mapping[str, str] = MappingProxyType(
    {name: module for name, module in ASSUMED.items() if name != "tf"} | {"jax": "jax", "jnp": "jax.numpy"}
)

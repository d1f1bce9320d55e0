"""The modules `jax`, `jax.numpy` and their kin as programs see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.jax import further_names, images, initializers, nn, statistics
from engine.languages.surfaces.jax.api import (
    array_types,
    axes,
    callbacks,
    checking,
    checkpointing,
    mapping,
    settings,
    tree_functions,
    type_facts,
    vectorizing,
    windows,
)
from engine.languages.surfaces.jax.api.derivatives import cotangents, gradients, tangents
from engine.languages.surfaces.jax.api.lax_functions import (  # noqa: F401  # for their tables
    elementwise,
    products,
    reductions,
    shapes,
    slices,
    sorting,
)
from engine.languages.surfaces.jax.api.lax_functions.table import LAX
from engine.languages.surfaces.jax.api.own_rules import custom_gradient, custom_jvp, custom_vjp
from engine.languages.surfaces.jax.api.references import reference
from engine.languages.surfaces.jax.api.tracing import jaxprs, jitting
from engine.languages.surfaces.jax.api.tracing.own_jaxprs import mark_own_jaxprs
from engine.languages.surfaces.jax.core.avals import BFLOAT16, FLOAT0, ElementType, element_type
from engine.languages.surfaces.jax.core.errors import CLASSES
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer
from engine.languages.surfaces.jax.harmless import guarded
from engine.languages.surfaces.jax.lax import bfloat16  # noqa: F401  # for its table
from engine.languages.surfaces.jax.numpy import (  # noqa: F401  # for their tables
    choosing,
    factors,
    grids,
    linalg,
    members,
)
from engine.languages.surfaces.jax.numpy.further import folding
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.element_types import ALIASES, TYPES
from engine.languages.surfaces.jax.numpy.operators import JaxKind
from engine.languages.surfaces.jax.numpy.reducing import numbers_only  # noqa: F401  # for its table
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as NUMPY
from engine.languages.surfaces.jax.random import choices, draws, gammas  # noqa: F401  # for their tables
from engine.languages.surfaces.jax.random.table import FUNCTIONS as RANDOM
from engine.languages.surfaces.jax.scipy import logarithms
from engine.languages.surfaces.jax.solvers import implicit
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy import printing  # noqa: F401  # for its options
from engine.languages.surfaces.numpy.indexing import Subscripted, grid
from engine.languages.surfaces.numpy.module import NUMPY as NUMPY_ITSELF

JAX = Library("jax", borrowed=True)


def enter(prefix: str, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Functions under the names of a module."""
    for name, function in functions.items():
        JAX.function(f"{prefix}{name}")(guarded(function))


def _converter(name: str) -> Any:
    return lambda x=0: array(x, dtype=name)


for _name in TYPES:
    _types = (ElementType,) if _name == BFLOAT16 else (np.dtype(_name).type,)
    JAX.value(JaxKind(f"jax.numpy.{_name}", _converter(_name), _types), f"numpy.{_name}")
for _alias, _name in ALIASES.items():
    JAX.value(JAX.members[f"numpy.{_name}"], f"numpy.{_alias}")
JAX.value(Kind("jax.Array", array, (JaxArray, Tracer)), "Array", "numpy.ndarray", "typing.ArrayLike")
JAX.value(Kind("jax.core.Tracer", array, (Tracer,)), "core.Tracer")
for _name, _number in {
    "pi": np.pi,
    "e": np.e,
    "inf": np.inf,
    "nan": np.nan,
    "euler_gamma": np.euler_gamma,
}.items():
    JAX.value(float(_number), f"numpy.{_name}")
JAX.value(None, "numpy.newaxis")
for _name in ("set_printoptions", "printoptions", "get_printoptions", "dtype"):
    if _name in NUMPY_ITSELF.members:
        JAX.value(NUMPY_ITSELF.members[_name], f"numpy.{_name}")
JAX.value("0.10.2", "__version__")
JAX.value(settings.Config(), "config")
for _name, _kind in jaxprs.kinds().items():
    JAX.value(_kind, f"core.{_name}", f"extend.core.{_name}")
for _name, _primitive in jaxprs.primitives().items():
    JAX.value(_primitive, f"lax.{_name}")
for _name in CLASSES:
    JAX.value(EXCEPTIONS[_name], f"errors.{_name}")

enter("numpy.", NUMPY)
for _name in folding.FOLDS:
    JAX.value(folding.ArrayFunction(f"jax.numpy.{_name}", guarded(NUMPY[_name])), f"numpy.{_name}")
enter("numpy.linalg.", linalg.FUNCTIONS)
enter(
    "numpy.",
    {
        **type_facts.FUNCTIONS,
        "vectorize": vectorizing.vectorize,
        "apply_along_axis": vectorizing.apply_along_axis,
        "piecewise": choosing.piecewise,
        "broadcast_shapes": lambda *sizes: np.broadcast_shapes(*sizes),
    },
)
_mgrid = grid("mgrid", full=True)
JAX.value(Subscripted("jnp.mgrid", lambda parts, budget: array(_mgrid(parts, budget))), "numpy.mgrid")
enter("ops.", choosing.SEGMENTS)
for _name in type_facts.KINDS:
    JAX.value(NUMPY_ITSELF.members[_name], f"numpy.{_name}")
enter("nn.", nn.FUNCTIONS)
enter("nn.initializers.", initializers.FUNCTIONS)
enter("scipy.special.", logarithms.SPECIAL)
enter("random.", RANDOM)
enter("lax.", LAX)
enter("lax.", axes.AXES)
enter(
    "lax.",
    {
        "conv_general_dilated": windows.conv_general_dilated,
        "conv": windows.conv,
        "conv_transpose": windows.conv_transpose,
        "conv_dimension_numbers": windows.conv_dimension_numbers,
        "conv_with_general_padding": windows.conv_with_general_padding,
        "reduce_window": windows.reduce_window,
    },
)
enter(
    "",
    {
        "grad": gradients.grad,
        "value_and_grad": gradients.value_and_grad,
        "jvp": tangents.jvp_,
        "vjp": cotangents.vjp_,
        "linear_transpose": cotangents.linear_transpose,
        "linearize": tangents.linearize_,
        "jit": jitting.jit,
        "make_jaxpr": jitting.make_jaxpr,
        "eval_shape": jitting.eval_shape,
        "ShapeDtypeStruct": jitting.shape_dtype_struct,
        "vmap": mapping.vmap,
        "jacfwd": mapping.jacfwd,
        "jacrev": mapping.jacrev,
        "jacobian": mapping.jacrev,
        "hessian": mapping.hessian,
        "checkpoint": checkpointing.checkpoint,
        "remat": checkpointing.checkpoint,
        "test_util.check_grads": checking.check_grads,
        "custom_jvp": custom_jvp.custom_jvp,
        "custom_vjp": custom_vjp.custom_vjp,
        "custom_gradient": custom_gradient.custom_gradient,
        "closure_convert": custom_gradient.closure_convert,
        "devices": settings.devices,
        "local_devices": settings.devices,
        "device_put": settings.device_put,
        "device_get": settings.device_get,
        "block_until_ready": settings.block_until_ready,
        "disable_jit": settings.disable_jit,
        "typeof": array_types.typeof,
        "pure_callback": callbacks.pure_callback,
    },
)
JAX.function("device_count", "local_device_count")(lambda backend=None: 1)
JAX.function("default_backend")(lambda: "cpu")
enter("lax.", {"custom_root": implicit.custom_root, "custom_linear_solve": implicit.custom_linear_solve})
JAX.function("scipy.sparse.linalg.cg")(implicit.cg)
JAX.function("core.eval_jaxpr")(jaxprs.eval_jaxpr)
JAX.function("core.jaxpr_as_fun", "extend.core.jaxpr_as_fun")(jaxprs.jaxpr_as_fun)
JAX.function("debug.print")(settings.debug_print)
JAX.function("named_scope", "profiler.TraceAnnotation")(settings.named_scope)
JAX.function("ad_checkpoint.checkpoint_name")(checkpointing.checkpoint_name)
for _name, _policy in checkpointing.POLICIES.items():
    JAX.value(_policy, f"checkpoint_policies.{_name}")
for _name, _make in checkpointing.POLICIES_OF_OTHERS.items():
    JAX.function(f"checkpoint_policies.{_name}")(_make)
JAX.function("debug.breakpoint")(settings.breakpoint_)
JAX.function("debug.callback")(settings.callback)
JAX.function("experimental.enable_x64")(settings.enable_x64)
enter("scipy.linalg.", factors.FUNCTIONS)
enter("lax.linalg.", {"cholesky": linalg.cholesky})
enter("scipy.stats.", statistics.FUNCTIONS)
enter("image.", {"resize": images.resize})
enter("scipy.signal.", {"convolve": windows.signal_convolve, "convolve2d": windows.convolve2d})
TREES: dict[str, Callable[..., Any]] = {
    "map": tree_functions.tree_map,
    "leaves": tree_functions.tree_leaves,
    "structure": tree_functions.tree_structure,
    "flatten": tree_functions.tree_flatten,
    "unflatten": tree_functions.tree_unflatten,
    "reduce": tree_functions.tree_reduce,
    "all": tree_functions.tree_all,
    "transpose": tree_functions.tree_transpose,
    "map_with_path": tree_functions.tree_map_with_path,
    "leaves_with_path": tree_functions.tree_leaves_with_path,
    "flatten_with_path": tree_functions.tree_flatten_with_path,
    "broadcast": tree_functions.tree_broadcast,
}
enter("tree.", TREES)
enter("tree_util.tree_", TREES)
enter(
    "tree_util.",
    {
        "keystr": tree_functions.keystr,
        "register_pytree_node": tree_functions.register_pytree_node,
        "register_pytree_node_class": tree_functions.register_pytree_node_class,
        "register_dataclass": tree_functions.register_dataclass,
        "register_static": tree_functions.register_static,
        "register_pytree_with_keys": tree_functions.register_pytree_with_keys,
        "register_pytree_with_keys_class": tree_functions.register_pytree_with_keys_class,
        "all_leaves": tree_functions.all_leaves,
        "treedef_is_leaf": tree_functions.treedef_is_leaf,
        "treedef_children": tree_functions.treedef_children,
    },
)
JAX.function("tree_map")(tree_functions.tree_map)
JAX.function("tree_util.Partial")(tree_functions.partial)
JAX.function("new_ref", "ref.new_ref")(reference.new_ref)
JAX.function("freeze", "ref.freeze")(reference.freeze)
enter(
    "ref.",
    {
        "get": reference.read,
        "set": reference.write,
        "swap": reference.swap,
        "addupdate": reference.add_update,
    },
)
JAX.function("flatten_util.ravel_pytree")(tree_functions.ravel_pytree)
further_names.enter_further(JAX, enter)
JAX.refuse(
    ("pmap", "experimental.maps"),
    "There is one machine with one device here: jax.vmap computes the same.",
    "这里只有一台机器、一个设备：jax.vmap 的结果相同。",
)
JAX.refuse(
    ("array_ref", "mutable_array"),
    "This is jax.new_ref now.",
    "现在的名字是 jax.new_ref。",
)
JAX.refuse(
    ("experimental.checkify",),
    "Look at the values outside of jit, or print them inside by jax.debug.print.",
    "请在 jit 之外检查数值，或在其中用 jax.debug.print 输出。",
)
JAX.refuse(
    ("ad_checkpoint.print_saved_residuals",),
    "jax.make_jaxpr(jax.grad(f))(x) shows what is computed forward and used backward.",
    "jax.make_jaxpr(jax.grad(f))(x) 会显示前向计算的值和反向使用的值。",
)
JAX.refuse(
    ("lax.gather", "lax.scatter", "lax.GatherDimensionNumbers", "lax.ScatterDimensionNumbers"),
    "Write a subscript: x[i, j] takes elements at computed places, x.at[i, j].set(v) puts them there.",
    "请使用下标：x[i, j] 取出给定位置的元素，x.at[i, j].set(v) 写入元素。",
)
JAX.refuse(
    (
        "shard_map",
        "sharding",
        "distributed",
        "pallas",
        "experimental.pallas",
        "experimental.shard_map",
    )
)


for _name in ("result_type", "issubdtype", "finfo", "iinfo"):
    JAX.value(JAX.members[f"numpy.{_name}"], f"dtypes.{_name}")
JAX.value(element_type(FLOAT0), "dtypes.float0")
JAX.function("dtypes.canonicalize_dtype")(type_facts.canonicalize_dtype)


mark_own_jaxprs(JAX)


def jax_module() -> Module:
    """The module `jax`."""
    return JAX.module()

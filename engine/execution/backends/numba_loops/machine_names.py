"""What generated text for machine code on arrays may call."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.vector_functions import vector_functions
from engine.execution.backends.numpy_calls.text import NAMES


@lru_cache(maxsize=1)
def machine_names() -> dict[str, Any]:
    """What generated text may call: addresses and arrays, and functions of numbers."""
    import numba
    from numba import carray, types  # type: ignore[attr-defined]  # it lists no public names
    from numba.extending import intrinsic

    from engine.execution.backends.numba_loops.small_products import small_product

    compiled = numba.njit(error_model="numpy", nogil=True)

    def pointer_to(kind: Any) -> Any:
        def typed(context: Any, address: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

            return types.CPointer(kind)(types.int64), generate

        return intrinsic(typed)

    float_pointer, truth_pointer = pointer_to(types.float64), pointer_to(types.boolean)
    endless = 1 << 60

    @compiled
    def address(array: Any) -> Any:
        return np.int64(array.ctypes.data)

    @compiled
    def floats(start: Any) -> Any:
        return carray(float_pointer(start), endless)

    @compiled
    def truths(start: Any) -> Any:
        return carray(truth_pointer(start), endless)

    @compiled
    def matrix(start: Any, rows: int, columns: int) -> Any:
        return carray(float_pointer(start), (rows, columns))

    fused = numba.njit(error_model="numpy", nogil=True, fastmath={"contract"})  # a·b + c, rounded once
    own = {
        "small_product": small_product,
        "address": address,
        "floats": floats,
        "truths": truths,
        "matrix": matrix,
    }
    return {**NAMES, **vector_functions(fused), **own}

"""Products that a compiled function rounds together with the sum they go into: s = a b + c, rounded once.

XLA gives such pairs to the processor as one instruction, where nothing else needs the product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

SUMS = ("add", "add_any", "sub", "reduce_sum")
# By name of a primitive, filled by lax/: what it gives of products in place of arrays.
CONTRACTED: dict[str, Callable[..., Any]] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """What a sum is given in place of a product.

    place: of the product among what is added; sources: what is multiplied; factors: of their arrays, both of
    them; sign: of the product.
    """

    place: int
    sources: tuple[Any, ...]
    factors: Callable[..., tuple[Any, Any]]
    sign: float = 1.0

    def compute(
        self, name: str, arrays: Sequence[Any], sources: Sequence[Any], parameters: Any
    ) -> Any | None:
        """The result of the sum of arrays; None where it is no sum of float32."""
        if any(np.asarray(x).dtype != np.float32 for x in (*arrays, *sources)):
            return None
        a, b = self.factors(*sources)
        return CONTRACTED[name](self, a, b, arrays, parameters)


def mark_products(equations: Sequence[Any], results: Sequence[Any]) -> None:
    """Mark the sums among equations that take a product which nothing else takes."""
    uses = Counter(atom for one in equations for atom in one.inputs)
    uses.update(results)
    made = {one.outputs[0]: one for one in equations if len(one.outputs) == 1}
    _count_twins(made, uses)
    for one in equations:
        if one.primitive.name in SUMS:
            found = (_product(place, atom, made, uses) for place, atom in enumerate(one.inputs))
            one.product = next((product for product in found if product is not None), None)


def _count_twins(made: dict[Any, Any], uses: Counter[Any]) -> None:
    """Two products of the same are one, which is needed as often as both."""
    twins: dict[Any, list[Any]] = {}
    for var, one in made.items():
        if one.primitive.name in ("mul", "square", "integer_pow"):
            key = one.primitive.name, one.parameters.get("y"), tuple(map(_identity, one.inputs))
            twins.setdefault(key, []).append(var)
    for together in twins.values():
        total = sum(uses[var] for var in together)
        uses.update(dict.fromkeys(together, total) if len(together) > 1 else ())


def _identity(atom: Any) -> Any:
    return atom.value.array.tobytes() if hasattr(atom, "value") else atom


def _product(place: int, atom: Any, made: Any, uses: Counter[Any]) -> Product | None:
    sign = 1.0
    while (one := made.get(atom)) is not None and uses[atom] == 1:
        name = one.primitive.name
        if name == "neg":
            sign = -sign
        elif name != "convert_element_type" or one.inputs[0].aval.dtype != atom.aval.dtype:
            factors = _factors(one)
            return None if factors is None else Product(place, tuple(one.inputs), factors, sign)
        atom = one.inputs[0]
    return None


def _factors(equation: Any) -> Callable[..., tuple[Any, Any]] | None:
    """Of the arrays that an equation takes, two whose product it gives."""
    name, power = equation.primitive.name, equation.parameters.get("y")
    if name == "mul":
        return lambda a, b: (a, b)
    if name == "square" or (name == "integer_pow" and power == 2):
        return lambda x: (x, x)
    if name == "integer_pow" and power == 3:
        return lambda x: (x * x, x)
    if name == "div" and hasattr(equation.inputs[1], "value"):
        return lambda x, y: (x, (1 / y).astype(x.dtype))
    return None

"""How the arrays among the arguments of a function are reached, as JAX names them: `x`, `d['a']`, "
"`args[0]`."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.callables import Signature
from engine.languages.surfaces.jax.api.tracing.differences import leaf_paths
from engine.languages.surfaces.jax.core.trees import Structure

NO_PARAMETERS = Signature(())


def signature_of(function: Any) -> Signature:
    """The parameters of the program's own function, below what transformations made of it."""
    while getattr(function, "wrapped", None) is not None:
        function = function.wrapped
    found = getattr(function, "signature", None)
    return found if isinstance(found, Signature) else NO_PARAMETERS


def argument_paths(function: Any, structure: Structure) -> list[str]:
    """How each leaf is reached of arguments by position and by name."""
    signature, (positional, named) = signature_of(function), structure.children
    pairs = [(_by_position(signature, i), child) for i, child in enumerate(positional.children)]
    pairs += [
        (_by_name(signature, key), child) for key, child in zip(named.extra, named.children, strict=True)
    ]
    return [path for name, child in pairs for path in leaf_paths(child, name)]


def _by_position(signature: Signature, place: int) -> str:
    count = len(signature.positional)
    if place < count:
        return signature.positional[place]
    return f"{signature.many_positional or 'args'}[{place - count}]"


def _by_name(signature: Signature, key: str) -> str:
    return key if key in signature.every_name else f"{signature.many_keywords or 'kwargs'}[{key!r}]"

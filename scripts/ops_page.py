"""Write docs/ops.md: every op of the registry, file by file, from what stands in its own block.

Run `python -m scripts.ops_page`; a test holds the page against the registry.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from engine.ops import REGISTRY, OpDef
from engine.optimizers import describe_optimizers

PAGE = Path(__file__).parent.parent / "docs" / "ops.md"

HEAD = """\
# The ops

Generated from the registry by `python -m scripts.ops_page`; do not edit.

A bar means "gradient of the final scalar with respect to": ȳ is what a node receives from above, and the
lines "gradient for" say what it passes on to each of its inputs. A "local derivative" is that of the output
`out` by one input, whatever the node receives: for numbers, the factor between the two.
"""


def ops_page() -> str:
    """The whole page as Markdown."""
    describe_optimizers()  # the optimizers' own ops are registered with them
    sections = groupby(sorted(REGISTRY.values(), key=_place), key=lambda op: op.kernel.__module__)
    return HEAD + "".join(_section(module, list(ops)) for module, ops in sections)


def _place(op: OpDef) -> tuple[str, str]:
    return op.kernel.__module__, op.name


def _section(module: str, ops: list[OpDef]) -> str:
    title = (inspect.getdoc(sys.modules[module]) or "").split("\n")[0]
    path = module.replace(".", "/") + ".py"
    return f"\n## {title}\n\n`{path}`\n" + "".join(map(_entry, ops))


def _entry(op: OpDef) -> str:
    return "\n".join(["", f"### {op.name}", "", op.doc, "", *_facts(op), ""])


def _facts(op: OpDef) -> Iterator[str]:
    inputs = ", ".join(f"`{name}`" for name in op.input_names) or "none"
    yield f"- inputs: {inputs}"
    if op.attributes:
        options = (f"`{name}={value!r}`" for name, value in op.attributes.items())
        yield f"- attributes: {', '.join(options)}"
    if op.latex:
        yield f"- formula: $`{op.latex}`$"
    if op.no_gradient:
        yield f"- no gradient: {op.no_gradient}"
    for name, adjoint in zip(op.input_names, op.adjoints, strict=False):
        yield f"- gradient for `{name}`: $`{adjoint}`$"
    for name, derivative in zip(op.input_names, op.derivative, strict=False):
        if derivative != "0":
            yield f"- local derivative by `{name}`: $`{derivative}`$"
    if op.kink is not None:
        yield f"- corner: {op.kink.note}"


if __name__ == "__main__":
    PAGE.write_text(ops_page(), encoding="utf-8")

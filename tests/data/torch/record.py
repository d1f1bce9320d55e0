"""Ask the real PyTorch what the programs print: `python -m tests.data.torch.record` where torch is installed.

Writes `programs.json`: for each program its source, its printed lines, the top-level tensors at the end and
their autograd graphs; `functions.json`: what expressions give, with their derivatives; and of the programs in
`programs/tutorials.json` what they print. Bounds (`clamp`, `fmax`) were asked of PyTorch 2.14, the rest of 2.13.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import pathlib
import sys
import tempfile
import warnings
from typing import Any

import torch

from tests.data.torch.functions import program_of
from tests.data.torch.programs import PROGRAMS

HERE = pathlib.Path(__file__).parent


def _plain(data: Any) -> Any:
    if isinstance(data, list):
        return [_plain(one) for one in data]
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    return data


def _saved(node: Any) -> Any:
    return sorted(name[7:] for name in dir(node) if name.startswith("_saved_"))


def _graph(tensor: Any, names: Any) -> Any:
    order, place = [tensor.grad_fn], {tensor.grad_fn: 0}
    for node in order:
        for inner, _ in node.next_functions:
            if inner is not None and inner not in place:
                place[inner] = len(order)
                order.append(inner)
    found = []
    for node in order:
        entry = {"id": place[node], "name": node.name().rpartition("::")[2]}
        entry["next"] = [None if one is None else [place[one], index] for one, index in node.next_functions]
        if hasattr(node, "variable"):
            entry["variable"] = names.get(id(node.variable))
            entry["shape"] = list(node.variable.shape)
        elif _saved(node):
            entry["saved"] = _saved(node)
        found.append(entry)
    return found


def record(name: Any, source: Any) -> Any:
    out = io.StringIO()
    scope = {"__name__": "__main__"}
    torch.set_printoptions(profile="default")
    torch.set_grad_enabled(True)
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, name, "exec"), scope)
    tensors = {key: value for key, value in scope.items() if isinstance(value, torch.Tensor)}
    names = {id(value): key for key, value in reversed(tensors.items())}
    values, graphs = {}, {}
    for key, value in tensors.items():
        found = {
            "dtype": str(value.dtype).removeprefix("torch."),
            "shape": list(value.shape),
            "data": _plain(value.detach().tolist()),
            "requires_grad": value.requires_grad,
            "is_leaf": value.is_leaf,
        }
        if value.is_leaf and value.grad is not None:
            found["grad"] = _plain(value.grad.tolist())
        if value.grad_fn is not None:
            found["grad_fn"] = value.grad_fn.name().rpartition("::")[2]
            graphs[key] = _graph(value, names)
        values[key] = found
    return {
        "id": name,
        "source": source,
        "printed": out.getvalue().removesuffix("\n").split("\n"),
        "values": values,
        "grad_graphs": graphs,
    }


def record_functions() -> Any:
    """Ask again what each expression of `functions.json` gives."""
    file = HERE / "functions.json"
    asked = []
    for one in json.loads(file.read_text(encoding="utf-8")):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(program_of(one["expression"]), {})
        asked.append({"expression": one["expression"], "printed": out.getvalue().rstrip("\n").split("\n")})
    file.write_text(json.dumps(asked, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def record_tutorials() -> Any:
    """Ask again what each program of `programs/tutorials.json` prints."""
    file = HERE / "programs" / "tutorials.json"
    lines = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for one in json.loads(file.read_text(encoding="utf-8")):
            torch.manual_seed(0)
            printed = record(one["name"], "\n".join(one["source"]))["printed"]
            lines.append(json.dumps({**one, "printed": printed}, ensure_ascii=False))
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def main() -> Any:
    found = [record(name, source.lstrip("\n")) for name, source in PROGRAMS.items()]
    text = json.dumps(
        {"library": f"torch {torch.__version__}", "programs": found}, indent=1, ensure_ascii=False
    )
    (HERE / "programs.json").write_text(text + "\n", encoding="utf-8")
    record_functions()
    record_tutorials()
    sys.stdout.write(f"{len(found)} programs\n")


if __name__ == "__main__":
    main()

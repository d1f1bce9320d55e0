"""The tables: in the terminal while measuring, in docs/benchmarks.md, and the short one of the README."""

from __future__ import annotations

import datetime
import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.harness.measure import Measured
from benchmarks.harness.verdict import Verdict
from benchmarks.workloads.workload import Workload

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))

Row = Sequence[str]


def duration(seconds: float | None) -> str:
    """Three digits and a unit: 1.23 ms."""
    if seconds is None:
        return ""
    rounded = float(f"{seconds:.3g}")
    size, unit = next(((s, u) for s, u in UNITS if rounded >= s), UNITS[-1])
    return f"{rounded / size:.0f} {unit}" if rounded / size >= 100 else f"{rounded / size:.3g} {unit}"


def memory(count: float | None) -> str:
    """Whole megabytes, or tenths below ten."""
    return "" if count is None else f"{count / 1e6:.{1 if count < 1e7 else 0}f} MB"


def samples_table(measured: Iterable[Measured]) -> list[Row]:
    """Each contender's medians."""
    rows: list[Row] = [("", "cold", "warm", "memory")]
    for one in measured:
        values = (duration(one.median("cold")), duration(one.median("warm")), memory(one.median("memory")))
        rows.append((one.label, *values) if not one.refused else (one.label, one.refused, "", ""))
    return rows


def verdicts_table(verdicts: Iterable[Verdict]) -> list[Row]:
    """Each claim with its verdict."""
    rows: list[Row] = [("workload", "", "ours", "beside", "theirs", "ratio", "must", "aim", "")]
    for v in verdicts:
        show = memory if v.what == "memory" else duration
        ratio = "" if v.ratio is None else f"{v.ratio:.3g}"
        must, aim = (f"≤ {bound:.3g}" if bound is not None else "" for bound in (v.must, v.aim))
        beside = (v.other, show(v.other_value), ratio, must, aim, v.mark)
        rows.append((v.workload, v.what, f"{show(v.ours_value)}", *beside))
    return rows


def in_terminal(rows: Sequence[Row]) -> str:
    """Aligned columns."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def in_markdown(rows: Sequence[Row]) -> str:
    """A Markdown table; what is not the first column is set to the right."""
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    rule = "| --- |" + " ---: |" * (len(rows[0]) - 1)
    return "\n".join([head, rule, *body])


def machine() -> str:
    """The processor, the number of its cores, the system and the Python."""
    try:
        found = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    name = found[1] if found else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def today() -> str:
    """The date of a run."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def page(
    sections: Iterable[tuple[Workload, Sequence[Measured]]],
    verdicts: Sequence[Verdict],
    versions: Mapping[str, str],
    missing: Sequence[str],
) -> str:
    """docs/benchmarks.md."""
    return "\n".join(_page(sections, verdicts, versions, missing)) + "\n"


def _page(
    sections: Iterable[tuple[Workload, Sequence[Measured]]],
    verdicts: Sequence[Verdict],
    versions: Mapping[str, str],
    missing: Sequence[str],
) -> Iterator[str]:
    yield "# Side by side with other systems\n"
    yield "Written by `make bench`; do not edit. How it measures is described in `benchmarks/README.md`.\n"
    yield f"{today()}, {machine()}. {', '.join(f'{name} {version}' for name, version in versions.items())}.\n"
    yield "A ratio is our time or memory over theirs, so less is better; ✗ marks a claim that fails.\n"
    yield in_markdown(verdicts_table(verdicts))
    for workload, measured in sections:
        yield f"\n## {workload.name}: {workload.title}\n"
        yield in_markdown(samples_table(measured))
    if missing:
        yield "\n## Left out\n"
        yield "\n".join(f"- {line}" for line in missing)


def put_between(path: Path, marker: str, text: str) -> None:
    """Replace what stands in a file between `<!-- marker -->` and `<!-- /marker -->`."""
    begin, end = f"<!-- {marker} -->", f"<!-- /{marker} -->"
    before, rest = path.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")

"""The short table of the README, in both languages: one line a workload, ours beside the next best."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.harness.measure import Measured
from benchmarks.harness.report import Row, duration, in_markdown
from benchmarks.workloads.workload import BY_HAND, OURS, Workload

LINES: dict[tuple[str, str], dict[str, str]] = {
    ("W2-100", "cold"): {
        "en": "text to every value of 100 steps on x²",
        "zh": "从文本到 x² 上 100 步的全部数值",
    },
    ("W3", "cold"): {
        "en": "text to every value of 10,000 steps of Adam on Rosenbrock",
        "zh": "从文本到 Rosenbrock 上 Adam 10,000 步的全部数值",
    },
    ("W4", "cold"): {
        "en": "text to 500 trained steps of a network",
        "zh": "从文本到训练一个网络 500 步",
    },
    ("W8", "cold"): {
        "en": "text to 1,000 races of 200 steps",
        "zh": "从文本到 1,000 次各 200 步的比赛",
    },
    ("W6-chain-1e5", "cold"): {
        "en": "graph and gradient of 100,000 ops",
        "zh": "100,000 个运算的图及其梯度",
    },
}
HEADS: dict[str, Row] = {"en": ("", OURS, "next best"), "zh": ("", OURS, "其他系统中最快")}
NOTES = {
    "en": "Measured {date} by `make bench`; all of it is in [docs/benchmarks.md](docs/benchmarks.md).",
    "zh": "{date} 由 `make bench` 测得；全部结果见 [docs/benchmarks.md](docs/benchmarks.md)。",
}


def readme_table(sections: Sequence[tuple[Workload, Sequence[Measured]]], language: str, date: str) -> str:
    """The table and a line that says when and how; workloads that were not measured are left out."""
    by_name = {workload.name: measured for workload, measured in sections}
    rows: list[Row] = [HEADS[language]]
    for (name, what), titles in LINES.items():
        measured = by_name.get(name, ())
        ours = [value for m in measured if m.label.startswith(OURS) and (value := m.median(what)) is not None]
        peers = [m for m in measured if not m.label.startswith((OURS, BY_HAND)) and not m.refused]
        others = [(value, m.label) for m in peers if (value := m.median(what)) is not None]
        if ours and others:
            value, label = min(others)
            rows.append((titles[language], duration(min(ours)), f"{duration(value)} ({label})"))
    return f"{in_markdown(rows)}\n\n{NOTES[language].format(date=date)}"

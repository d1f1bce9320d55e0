"""Both parsers meet raw bytes: for some seconds with the other tests, for minutes by `make fuzz`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.conftest import LONG

ROOT = Path(__file__).parent.parent.parent
SEEDS = [
    "y = exp(sin(x))",
    r"\frac{1}{2} x^2 + |x|",
    "A = [[1, 2], [3, 4]]\nsum(A @ [1, x])",
    "sin^2 x，cos（x）",
    "import tensorflow as tf\nx = tf.Variable(3.)\ny = x * x",
    "for i in range(3):\n    print(f'{i:>4}')",
]
SECONDS = 300 if LONG else 4


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None,
    reason="Atheris has no wheel for this machine; Hypothesis draws texts in the tests beside.",
)
def test_no_bytes_break_the_parsers(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(SEEDS):
        (corpus / str(number)).write_text(seed, encoding="utf-8")
    options = [f"-max_total_time={SECONDS}", f"-artifact_prefix={tmp_path}/", "-max_len=300"]
    options += [] if LONG else ["-seed=1"]  # the same search in every short run
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.raw_bytes", *options, str(corpus)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]

"""What is claimed beside what was measured, and how it is shown."""

from pathlib import Path

from benchmarks.harness.measure import Contender, Measured
from benchmarks.harness.readme import readme_table
from benchmarks.harness.report import duration, in_markdown, memory, put_between
from benchmarks.harness.verdict import Verdict, verdicts
from benchmarks.workloads.descent import W2_100
from benchmarks.workloads.workload import BEST, BY_HAND, Bound, Claim, Workload


def warm(label: str, *seconds: float, refused: str = "") -> Measured:
    return Measured(Contender("m", "W", label, ("warm",)), warm_seconds=list(seconds), refused=refused)


def judged(claim: Claim, *measured: Measured) -> Verdict:
    (verdict,) = verdicts(Workload("W", "", (claim,)), measured)
    return verdict


def test_the_best_peer_is_neither_ours_nor_by_hand_nor_wrong() -> None:
    field = [warm("Gradlens", 4.0), warm(BY_HAND, 1.0), warm("slow", 9.0), warm("quick, way", 8.0)]
    verdict = judged(Claim("warm", BEST, 0.5), *field, warm("false", 1.0, refused="wrong"))
    assert (verdict.other, verdict.ratio, verdict.mark) == ("quick, way", 0.5, "✓")


def test_the_median_counts() -> None:
    verdict = judged(Claim("warm", "JAX", 1.0), warm("Gradlens", 1.0, 3.0, 50.0), warm("JAX", 6.0))
    assert verdict.ratio == 0.5


def test_an_aim_alone_is_judged_too() -> None:
    assert judged(Claim("warm", "JAX", None, aim=1.0), warm("Gradlens", 2.0), warm("JAX", 1.0)).mark == "✗"


def test_what_was_not_measured_has_no_verdict() -> None:
    verdict = judged(Claim("warm", "PyTorch", 0.15), warm("Gradlens", 2.0))
    assert (verdict.ratio, verdict.mark) == (None, "–")


def test_memory_is_held_to_its_bound() -> None:
    ours = Measured(Contender("m", "W", "Gradlens", ("cold",)), peak_bytes=[50_000_000])
    (verdict,) = verdicts(Workload("W", "", bound=Bound(40_000_000)), [ours])
    assert (verdict.other, verdict.ratio, verdict.mark) == ("40 MB", 1.25, "✗")


def test_times_and_memory_have_three_digits_and_a_unit() -> None:
    assert [duration(s) for s in (1.234, 0.0123, 4.56e-6, 1.69e-7)] == [
        "1.23 s",
        "12.3 ms",
        "4.56 µs",
        "169 ns",
    ]
    assert (duration(0.9996), memory(1.25e6), memory(3.2e7)) == ("1 s", "1.2 MB", "32 MB")


def test_a_table_in_markdown() -> None:
    assert in_markdown([("", "ms"), ("a", "1")]) == "|  | ms |\n| --- | ---: |\n| a | 1 |"


def test_the_text_between_markers_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("a\n<!-- t -->\nold\n<!-- /t -->\nb\n", encoding="utf-8")
    put_between(path, "t", "new")
    assert path.read_text(encoding="utf-8") == "a\n<!-- t -->\nnew\n<!-- /t -->\nb\n"


def test_the_readmes_have_the_markers() -> None:
    root = Path(__file__).parent.parent.parent
    for name in ("README.md", "README.zh-CN.md"):
        text = (root / name).read_text(encoding="utf-8")
        assert text.count("<!-- benchmarks -->") == text.count("<!-- /benchmarks -->") == 1


def test_the_readme_shows_ours_beside_the_next_best() -> None:
    cold = [
        Measured(Contender("m", "W2-100", label, ("cold",)), cold_seconds=[seconds])
        for label, seconds in (("Gradlens", 0.002), ("SymPy, lambdify", 0.005), (BY_HAND, 0.001))
    ]
    table = readme_table([(W2_100, cold)], "en", "2026-01-31")
    assert "| text to every value of 100 steps on x² | 2 ms | 5 ms (SymPy, lambdify) |" in table
    assert "Measured 2026-01-31" in table

"""Settings come from the environment, nested ones with two underscores."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from server.settings import Settings


def test_a_setting_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLENS_WORKERS", "3")
    monkeypatch.setenv("GRADLENS_LIMITS__NODES", "50")
    settings = Settings()
    assert settings.workers == 3
    assert settings.limits.nodes == 50
    assert settings.limits.steps == 1_000_000  # the others keep their defaults


def test_results_are_kept_with_the_persons_other_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GRADLENS_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().data_dir == tmp_path / "gradlens"


def test_a_setting_that_makes_no_sense_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLENS_WORKERS", "0")
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        Settings()


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_SCHEDULER", "")
    monkeypatch.setenv("GRADLENS_WORKERS", "")
    assert Settings().dask_scheduler is None
    assert Settings().workers >= 4

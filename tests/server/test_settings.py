"""Settings come from the environment, nested ones with two underscores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from engine.execution.budget import PROFILES, Limits
from server.settings import Settings


def test_a_setting_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLENS_WORKERS", "3")
    monkeypatch.setenv("GRADLENS_LIMITS__NODES", "50")
    settings = Settings()
    assert settings.workers == 3
    assert settings.limits.nodes == 50
    assert settings.limits.steps == 20_000_000  # the others keep their profile's figures


def test_ones_own_machine_allows_more_than_one_that_a_class_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Settings().limits
    assert (own.wall_s, own.element_operations, own.steps) == (30, 4 * 10**11, 20_000_000)
    monkeypatch.setenv("GRADLENS_PROFILE", "class")
    shared = Settings().limits
    assert (shared.wall_s, shared.element_operations, shared.steps) == (5, 4 * 10**10, 1_000_000)
    assert (own.printed_bytes, shared.printed_bytes) == (1_000_000, 64_000)
    assert (own.tensor_elements, shared.tensor_elements) == (32_000_000, 4_000_000)
    assert (own.alive_elements, shared.alive_elements) == (300_000_000, 60_000_000)
    assert own.alive_items == own.batch_elements == 30 * shared.alive_items == 30 * shared.batch_elements
    others = ["wall_s", "tensor_elements", "alive_elements", "element_operations", "steps", "printed_bytes"]
    assert (own.call_operations, shared.call_operations) == (own.element_operations, 2 * 10**9)
    others += ["alive_items", "batch_elements", "call_operations", "nodes"]
    same = {name: getattr(shared, name) for name in others}
    assert replace(own, **same) == shared


def test_a_limit_that_is_set_goes_before_the_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLENS_PROFILE", "class")
    monkeypatch.setenv("GRADLENS_LIMITS__WALL_S", "7.5")
    assert Settings().limits == replace(PROFILES["class"], wall_s=7.5)
    assert Settings(limits=Limits(steps=3)).limits == Limits(steps=3)


def test_a_profile_that_there_is_none_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLENS_PROFILE", "school")
    with pytest.raises(ValidationError, match="Input should be 'own' or 'class'"):
        Settings()


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

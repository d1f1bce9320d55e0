"""`gradlens backup` and `gradlens restore`, and what is printed where a store cannot be used."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gradlens.cli import main
from tests.server.answers.test_store import answer
from tests.server.store.opened import opened_store


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store that has one answer, and is the one that is set."""

    async def fill() -> None:
        async with opened_store(tmp_path / "data" / "gradlens.sqlite3") as store:
            await store.put(answer("p_1"))

    asyncio.run(fill())
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("GRADLENS_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def test_a_backup_is_written_and_comes_back(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(store / "all.backup")
    assert main(["backup", file]) == 0
    assert main(["restore", file]) == 1
    assert main(["restore", file, "--replace"]) == 0
    monkeypatch.setenv("GRADLENS_DATA_DIR", str(store / "new"))
    assert main(["restore", file]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [f"Kept: 1 rows, {file}", *[f"Restored: 1 rows, {file}"] * 2]
    assert printed.err == (
        "The store is not empty: there are results in it. Restore into an empty one, or add --replace to "
        "drop what is there.\n"
    )


def test_what_cannot_be_backed_up_or_restored_says_why(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(store / "missing.backup")
    assert main(["restore", missing]) == 1
    assert capsys.readouterr().err == f"{missing}: No such file or directory.\n"
    monkeypatch.setenv("GRADLENS_DATA_DIR", str(store / "nowhere"))
    assert main(["backup", missing]) == 1
    assert capsys.readouterr().err.startswith("There is no store at ")
    assert not (store / "nowhere").exists()


@pytest.mark.parametrize(
    ("name", "address", "said"),
    [
        (
            "DATABASE_URL",
            "mysql://root:secret@host/db",
            "DATABASE_URL can be postgresql://user@host/name or sqlite:",
        ),
        ("DATABASE_URL", "secret", "DATABASE_URL is no address. Write postgresql://user@host/name."),
        ("DATABASE_URL", "postgresql://host:secret/db", "DATABASE_URL is no address."),
        ("REDIS_URL", "http://secret", "REDIS_URL is no address of a Redis. Write redis://host:6379."),
    ],
)
def test_an_address_that_cannot_be_used_is_reported_and_not_repeated(
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    address: str,
    said: str,
) -> None:
    monkeypatch.setenv(name, address)
    assert main(["serve", "--port", "0"]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith(said)
    assert "secret" not in printed

"""What an operator may set, each by an environment variable: `GRADLENS_DATA_DIR`, `GRADLENS_WORKERS` …"""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def default_data_dir() -> Path:
    """The person's own data folder: `$XDG_DATA_HOME/gradlens`, else `~/.local/share/gradlens`."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "gradlens"


def default_workers() -> int:
    """Two at least, so that one slow program leaves room for another; four at most on one host."""
    return max(2, min(4, os.cpu_count() or 1))


class Settings(BaseSettings):
    """The service's settings, with defaults that need no configuration."""

    model_config = SettingsConfigDict(env_prefix="GRADLENS_", env_nested_delimiter="__", frozen=True)

    data_dir: Path = Field(default_factory=default_data_dir)
    body_bytes: int = Field(default=2_000_000, gt=0, description="A longer request body is refused.")

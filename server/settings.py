"""What an operator may set, each by an environment variable: `GRADLENS_DATA_DIR`, `GRADLENS_WORKERS` …"""

from __future__ import annotations

import ipaddress
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from engine.execution.budget import PROFILES, Limits


class UnusableAddress(ValueError):
    """What is set as the address of a database or of Redis: which variable, why, and what to write."""


def default_data_dir() -> Path:
    """The person's own data folder: `$XDG_DATA_HOME/gradlens`, else `~/.local/share/gradlens`."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "gradlens"


def default_workers() -> int:
    """Four at least, so that slow programs leave room for quick ones even on a small host."""
    return max(4, os.cpu_count() or 1)


class Settings(BaseSettings):
    """The service's settings, with defaults that need no configuration."""

    model_config = SettingsConfigDict(
        env_prefix="GRADLENS_", env_nested_delimiter="__", env_ignore_empty=True, frozen=True
    )

    data_dir: Path = Field(default_factory=default_data_dir)
    body_bytes: int = Field(default=2_000_000, gt=0, description="A longer request body is refused.")
    database_url: str | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="A database that replicas share: `postgresql://user@host/name`.",
    )
    redis_url: str | None = Field(
        default=None,
        validation_alias="REDIS_URL",
        description="A Redis by which replicas hear at once of what happens in a class.",
    )
    store_bytes: int = Field(default=1_000_000_000, gt=0, description="How much of answers the store keeps.")
    link_bytes: int = Field(default=200_000_000, gt=0, description="How much of links the store keeps.")
    keep_days: float | None = Field(
        default=None,
        gt=0,
        description="How long it keeps answers and links; without end where it is not set.",
    )
    memory_bytes: int = Field(
        default=64_000_000,
        ge=0,
        description="How much of answers, and of what programs left behind for their runs, stays in memory.",
    )
    modules: bool = Field(
        default=False,
        description="Whether the page is sent as its modules, to look into them, and not as their bundle.",
    )
    workers: int = Field(default_factory=default_workers, ge=1, description="Programs that run at once.")
    pending: int = Field(
        default=256,
        ge=1,
        description="Programs that run or wait, half of them of one client; more are turned away.",
    )
    queue_s: float = Field(
        default=60.0, gt=0, description="How long a program may wait for its turn; then it is turned away."
    )
    worker_memory_bytes: int = Field(
        default=1_000_000_000,
        gt=0,
        description="One worker's own memory; lowered where all together exceed the machine's.",
    )
    sandbox: bool = Field(
        default=True,
        description="Whether workers give up network, files and processes; off only to look for a fault.",
    )
    grace_s: float = Field(
        default=2.0,
        gt=0,
        description="How long a program may overrun, to report what ran, before it is killed.",
    )
    patience_s: float = Field(
        default=5.0, gt=0, description="How long a run may wait, in all, for whoever reads it."
    )
    dask_scheduler: str | None = Field(
        default=None,
        validation_alias="DASK_SCHEDULER",
        description="A Dask cluster that takes the parts of long races and large landscapes, such as `tcp://host:8786`.",
    )
    profile: Literal["own", "class"] = Field(
        default="own", description="The limits for one's own machine, or for one that a class shares."
    )
    limits: Limits = Field(
        default=PROFILES["own"],
        description="What one program may use; `GRADLENS_LIMITS__NODES` … in place of the profile's figures.",
    )

    # classes
    classes: int = Field(default=200, ge=1, description="At once; each is deleted after four idle hours.")
    class_students: int = Field(default=300, ge=1, description="In one class.")

    # what arrives, and who is connected
    bodies_bytes: int = Field(
        default=64_000_000, gt=0, description="Request bodies on their way, in all; more are turned away."
    )
    connections: int = Field(
        default=3_000, ge=2, description="At once; whoever keeps the service waiting the longest makes room."
    )
    header_bytes: int = Field(default=64_000, gt=0, description="A request's address and headers.")
    header_s: float = Field(default=5.0, gt=0, description="In which a request's headers have to come.")
    body_s: float = Field(
        default=5.0, gt=0, description="In which something of a body has to come; twice that for all of it."
    )
    write_s: float = Field(default=10.0, gt=0, description="In which an answer's next part has to be read.")
    access_key: SecretStr | None = Field(
        default=None,
        min_length=12,
        description="A key that whoever asks has to know; the page asks for it once.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses or networks of proxies, with commas, which say whom they ask for.",
    )
    metrics_from: str = Field(
        default="127.0.0.1,::1",
        description="Addresses or networks that may read /metrics, with commas; `*` is everybody.",
    )
    hosts: str = Field(
        default="",
        description="Names that it is known by, with commas: `gradlens.school`, `*.school.example`, `*`.",
    )

    @property
    def keep_s(self) -> float | None:
        """How long answers and links are kept."""
        return None if self.keep_days is None else self.keep_days * 86_400

    @field_validator("trusted_proxies", "metrics_from")
    @classmethod
    def _are_networks(cls, given: str) -> str:
        """A misspelt address is a mistake when the service starts, not a hole afterwards."""
        for name in given.split(","):
            if name.strip() not in ("", "*"):
                ipaddress.ip_network(name.strip(), strict=False)
        return given

    @model_validator(mode="before")
    @classmethod
    def _fill_in_the_profile(cls, given: Any) -> Any:
        """Limits that are not set are the profile's."""
        profile = PROFILES.get(given.get("profile", "own"))
        if profile is None or isinstance(given.get("limits"), Limits):
            return given
        return {**given, "limits": {**asdict(profile), **given.get("limits", {})}}

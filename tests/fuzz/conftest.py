"""How long to look: some seconds with the other tests, much longer by `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

LONG = os.environ.get("GRADLENS_FUZZ") == "long"
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "short", derandomize=True, deadline=None, max_examples=60, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile("long", deadline=None, max_examples=5_000, suppress_health_check=SLOW_IS_FINE)
settings.load_profile("long" if LONG else "short")

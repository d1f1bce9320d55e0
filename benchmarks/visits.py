"""Lines and processors that a page is visited over."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page


@dataclass(frozen=True, slots=True)
class Condition:
    """A line and a processor; without any figure they are this machine's own."""

    title: str
    delay_ms: float = 0
    mbit_per_s: float = 0
    slower: float = 1  # times

    @property
    def is_plain(self) -> bool:
        """Whether nothing is slowed down."""
        return self.mbit_per_s == 0

    def hold_for(self, page: Page) -> None:
        """Slow a page down from here on."""
        if self.is_plain:
            return
        session = page.context.new_cdp_session(page)
        bytes_per_s = self.mbit_per_s * 1e6 / 8
        line = {"latency": self.delay_ms, "downloadThroughput": bytes_per_s, "uploadThroughput": bytes_per_s}
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {"offline": False, **line})
        session.send("Emulation.setCPUThrottlingRate", {"rate": self.slower})


CONDITIONS = (
    Condition("this machine"),
    Condition("40 ms, 10 Mbit/s", delay_ms=40, mbit_per_s=10),
    Condition("150 ms, 4 Mbit/s, processor four times slower", delay_ms=150, mbit_per_s=4, slower=4),
)

"""A tab that is lent from test to test: nobody finds in it what was done before."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.tabs import Tab

REMEMBERED = """async () => [
  localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length,
  (await caches.keys()).length, history.length, matchMedia("(prefers-color-scheme: dark)").matches,
]"""
REMEMBER = """async () => {
  localStorage.setItem("theme", "dark");
  sessionStorage.setItem("visited", "yes");
  document.cookie = "name=Ada";
  await caches.open("files");
  await new Promise((done) => (indexedDB.open("runs").onsuccess = done));
}"""


def test_a_tab_that_is_lent_again_remembers_and_intercepts_nothing(browser: Browser, bundled: str) -> None:
    tab = Tab(browser, bundled, "en-US")
    page = tab.lend((1440, 900), dark=True, choices={"gradlens.level": "tensorflow"})
    page.goto(bundled)
    assert page.evaluate("localStorage.getItem('gradlens.level')") == "tensorflow"
    page.evaluate(REMEMBER)
    page.route("**/examples", lambda route: route.abort())
    tab.take_back()
    page = tab.lend((390, 844), dark=False, choices={})
    assert page.evaluate(REMEMBERED) == [0, 0, "", 0, 0, 1, False]
    assert page.evaluate("innerWidth") == 390
    assert page.goto(f"{bundled}/api/v1/examples") is not None
    assert tab.troubles == []
    tab.close()


def test_what_would_stay_in_a_tab_that_is_lent_is_refused(browser: Browser, bundled: str) -> None:
    tab = Tab(browser, bundled, "en-US")
    tab.keep_to_what_is_taken_back()
    with pytest.raises(pytest.fail.Exception, match="mark the test own_tab"):
        tab.page.add_init_script("0")
    tab.close()

"""The reference page of the ops is the registry's own."""

from scripts.ops_page import PAGE, ops_page


def test_the_page_says_what_the_registry_says():
    assert PAGE.read_text(encoding="utf-8") == ops_page(), "run: python -m scripts.ops_page"

"""A program's page as one file that needs no server and no network: graph, steps and lesson."""

from gradlens.saved_page.page import saved_page

__all__ = ["saved_page"]

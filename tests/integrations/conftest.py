"""What the tests in a browser share."""

from collections.abc import Iterator
from shutil import which
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(which, BROWSERS)), None)
    assert found, f"none of {', '.join(BROWSERS)} is installed"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])

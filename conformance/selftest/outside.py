"""Programs that a test needs and a machine may lack."""

from __future__ import annotations

import os
import shutil

import pytest


def program(name: str) -> str:
    """Return the path of a program; without it the test is not run, or fails where all must be."""
    found = shutil.which(name)
    if found is None:
        message = f"{name} is missing"
        if os.environ.get("MEMRULES_REQUIRE_ALL") == "1":
            pytest.fail(message)
        pytest.skip(f"not run: {message}")
    return found

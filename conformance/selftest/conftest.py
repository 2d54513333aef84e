"""What every selftest gets: a mark by which the processes that it started are known."""

from __future__ import annotations

import uuid

import pytest

import judging


@pytest.fixture(autouse=True)
def _mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(judging.MARK, uuid.uuid4().hex)

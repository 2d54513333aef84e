"""A module that imports what is not installed."""

import not_installed  # type: ignore[import-not-found]  # noqa: F401 that is its fault

"""A module that breaks when it is imported."""

1 / 0  # noqa: B018 that is its fault

"""Targets that are Python objects: found by name, made with the rules if they take them."""

from __future__ import annotations

import importlib
import inspect
import sys
from typing import TYPE_CHECKING, Any, Protocol

from .protocol import ADAPTER_BROKE, CANNOT_BUILD, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from memrules_spec import Rules

    Factory = Callable[..., "Handler"]


class Handler(Protocol):
    """What a factory returns."""

    def handle(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of one request, or raise an exception with ``code`` and ``data``."""


class NoFactoryError(Exception):
    """There is no such factory; the message says what is missing."""


def find(name: str) -> Factory:
    """Return the factory that ``MODULE:FACTORY`` names, looked for in the working folder too."""
    module_name, _, path = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            raise NoFactoryError(f"there is no module {error.name}") from error
        raise NoFactoryError(f"{module_name} cannot be imported: {error}") from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise NoFactoryError(f"{module_name} cannot be imported: {what}") from error
    for step in path.split("."):
        found = getattr(found, step, None)
    if not callable(found):
        raise NoFactoryError(f"{module_name} has no factory {path}")
    return found  # type: ignore[no-any-return]


def takes_rules(factory: Factory) -> bool:
    """Tell whether a factory has a parameter for the rules: ``rules``, or one without default."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except ValueError:
        return False
    return any(
        p.name == "rules" or (p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, _EITHER))
        for p in parameters
    )


def make(factory: Factory, rules: Rules | None) -> Handler:
    """Return a new target, made with the rules if its factory takes them."""
    if not takes_rules(factory):
        return factory()
    named = "rules" in inspect.signature(factory).parameters
    return factory(rules=rules) if named else factory(rules)


def error_of(error: BaseException) -> dict[str, Any] | None:
    """Return the error object that an exception stands for by ``code`` and ``data``, else None."""
    code, data = getattr(error, "code", None), getattr(error, "data", None)
    if not isinstance(code, int) or isinstance(code, bool) or isinstance(error, SystemExit):
        return None
    said: dict[str, Any] = {"code": code, "message": str(error)}
    if isinstance(data, dict):
        said["data"] = data
    elif code in (UNSUPPORTED, CANNOT_BUILD, ADAPTER_BROKE):
        return None
    return said


_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD

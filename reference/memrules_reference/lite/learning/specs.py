"""The specification of a rule: what it says and where, and the digest that tells two apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memrules_reference.lite.records import Record


@dataclass(frozen=True, slots=True)
class Spec:
    """Title, summary, body and conditions of a rule."""

    title: str
    summary: str
    body: str
    conditions: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, record: Record) -> Spec:
        """Return the specification that a record has."""
        conditions = tuple(one for one in record.conditions or () if isinstance(one, Mapping))
        return cls(record.title or "", record.summary or "", record.body or "", conditions)

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical form, worked out here and never taken from a model."""
        said = [self.title, self.summary, self.body, [dict(one) for one in self.conditions]]
        text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def fields(self) -> dict[str, Any]:
        """Return the fields of a record that a specification gives."""
        return {
            "title": self.title,
            "summary": self.summary,
            "body": self.body,
            "conditions": [dict(one) for one in self.conditions],
            "applicability": "conditional" if self.conditions else "all_in_scope",
        }

"""The form of the organizer's output: nothing that is not named, and no value bent to fit."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_CHANGES = 20


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ProposedSpec(_Strict):
    """The texts and conditions of a rule; conditions are judged by the rules of a save."""

    title: str
    summary: str
    body: str
    conditions: list[Any]


class ProposedChange(_Strict):
    """One change, with the feedback that it rests on and the revisions that this had."""

    op: Literal["add", "revise", "keep"]
    rule_id: str | None = Field(alias="ruleId")
    spec: ProposedSpec
    evidence: list[str]
    revisions: dict[str, int] = Field(alias="feedbackRevisions")
    reason: str


class Output(_Strict):
    """The whole output: at most MOST_CHANGES changes."""

    version: int = Field(ge=1, le=1)
    changes: list[ProposedChange] = Field(max_length=MOST_CHANGES)

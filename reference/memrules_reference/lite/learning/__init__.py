"""Section 七: the one learning chain, from a user's words to a rule of the project (LM-7.2)."""

from .feedback import feedback
from .organize import organize
from .receipts import panel_receipts, receipts

__all__ = ["feedback", "organize", "panel_receipts", "receipts"]

"""Bodies in cold storage: a file each, verified whenever it is read."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Literal

from memrules_reference.lite.records import Cold

from .scopes import safe_name

if TYPE_CHECKING:
    import pathlib

    from memrules_reference.lite.records import Record

ColdCode = Literal["cold_corrupt", "cold_missing"]


class ColdError(Exception):
    """A cold body that cannot be had; ``code`` says why."""

    def __init__(self, code: ColdCode) -> None:
        super().__init__(code)
        self.code: ColdCode = code


def cold_file(folder: pathlib.Path, record_id: str) -> pathlib.Path:
    """Return where the cold body of a record lies, below the folder of its scope."""
    return folder / "cold" / f"{safe_name(record_id)}.json"


def quarantined_file(folder: pathlib.Path, record_id: str) -> pathlib.Path:
    """Return where a damaged cold body is set aside, below the folder of its scope."""
    return folder / "quarantine" / f"{safe_name(record_id)}.json"


def digest_of(body: str) -> str:
    """Return the SHA-256 of a body's UTF-8 bytes."""
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def encode_cold(record_id: str, body: str, cold: Cold) -> bytes:
    """Return the content of a cold file."""
    said = {"id": record_id, "revision": cold.revision, "sha256": cold.sha256, "body": body}
    return json.dumps(said, ensure_ascii=True).encode()


def load_cold(path: pathlib.Path, record: Record) -> str:
    """Return the body in a cold file; raise ColdError unless it is the one that the record says."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise ColdError("cold_missing") from None  # LM-3.41
    except OSError:
        raise ColdError("cold_corrupt") from None
    try:
        said = json.loads(raw)
        found = Cold(said["sha256"], said["revision"])
        body = said["body"]
        sound = said["id"] == record.id and found == record.cold and digest_of(body) == found.sha256
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ColdError("cold_corrupt") from None  # LM-3.40
    if not sound:
        raise ColdError("cold_corrupt")  # LM-8.18
    return str(body)

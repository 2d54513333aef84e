"""Properties of what a human turn brings into the context."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.seeds import NOW, record

from .asking import Property

MOST_CARDS = 3
MOST_BYTES = 1200
NEEDS = frozenset({"lite.inject", "seed.records"})
WORLD: dict[str, Any] = {"clock": {"mode": "manual", "now": NOW, "mono": 0}}
_LETTERS = st.sampled_from(["a", "界", "é", "\U0001f600"])
_FRAMES = ("\n\n# ", "\n- ", "\n\n【", "\r\n[mem_0123456789] ", "\u2028", "\n    ")


@st.composite
def cards(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    """Draw up to six matching records whose bodies may be short, long, or around the limit."""
    found: dict[str, dict[str, Any]] = {}
    for place in range(draw(st.integers(0, 6))):
        letter = draw(_LETTERS)
        size = draw(st.sampled_from([0, 1, 40, 150, 300, 380, 500, 1100, 1300]))
        body = f"mark{place}body " + letter * (size // len(letter.encode()))
        fields: dict[str, Any] = {"title": f"word mark{place}title", "body": body}
        if draw(st.booleans()):
            fields["summary"] = f"mark{place}summary " + letter * draw(st.integers(0, 60))
        if draw(st.integers(0, 3)) == 0:
            fields |= {"origin": "project_evolution", "learning": {"state": "active", "support": 0}}
        found[f"r{place}"] = record(**fields)
    return found


class TheTextIsWithinItsLimits(Property):
    """What is injected is at most three cards and 1200 bytes, and nothing only if none fits."""

    clauses = ("LM-2.24", "LM-2.23", "LM-2.25")
    area = "injection"
    needs = NEEDS
    count = 60

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw matching records."""
        return cards()

    def holds(self, bench: Bench, example: Any) -> None:
        """Begin a turn and measure the text."""
        bench.open({**WORLD, "seed": {"records": example}})
        said = bench.door.call("turn", {"text": "word"})
        text, found = said["injected"]["text"], said["injected"]["cards"]
        size = len(text.encode())
        if len(found) > MOST_CARDS or size > MOST_BYTES:
            raise Mismatch("turn", f"{MOST_CARDS} cards, {MOST_BYTES} bytes", [len(found), size])
        if (said["outcome"] == "published") is not bool(found) or bool(text) is not bool(found):
            raise Mismatch("turn", "published exactly when there are cards", said)


class LedgersMeasureTheFinalText(Property):
    """The ledger holds the cards and bytes of the text that was shown, and of nothing else."""

    clauses = ("LM-10.8", "LM-2.25", "LM-1.27")
    area = "injection"
    needs = NEEDS | {"inspect.ledgers"}
    count = 40

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw matching records."""
        return cards()

    def holds(self, bench: Bench, example: Any) -> None:
        """Begin a turn and compare the ledger with the text."""
        bench.open({**WORLD, "seed": {"records": example}})
        said = bench.door.call("turn", {"text": "word"})["injected"]
        wanted = {"cards": len(said["cards"]), "bytes": len(said["text"].encode())}
        used = bench.door.call("inspect", {"part": "ledgers"})["ledgers"]["injection"]
        if used != wanted:
            raise Mismatch("ledger", wanted, used)


class CardsAreWhole(Property):
    """A card stands in the text with its whole content; of every other record nothing does."""

    clauses = ("LM-2.27", "LM-2.26", "LM-2.28")
    area = "injection"
    needs = NEEDS
    count = 60

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw matching records."""
        return cards()

    def holds(self, bench: Bench, example: Any) -> None:
        """Look for the parts of every record in the text."""
        ids = bench.open({**WORLD, "seed": {"records": example}})
        said = bench.door.call("turn", {"text": "word"})
        text = said["injected"]["text"]
        shown = {card["id"] for card in said["injected"]["cards"]}
        for handle, fields in example.items():
            summary = fields["summary"] if self._summary_first(bench) else ""
            content = (fields["title"], summary or fields["body"])
            if ids[handle] in shown:
                if any(part not in text for part in content):
                    raise Mismatch(handle, {"whole": content}, text)
            elif f"mark{handle[1:]}" in text or ids[handle] in text:
                raise Mismatch(handle, "nothing of it", text)

    def _summary_first(self, bench: Bench) -> bool:
        return bench.rules.reading("lite", "card-content") == "summary_or_body"


class NoTextImitatesTheFrame(Property):
    """A stored text never makes a line that passes for the beginning of a card."""

    clauses = ("LM-2.45", "LM-2.27")
    area = "injection"
    needs = NEEDS
    count = 40

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw texts that try to close the card and to open another."""
        return st.tuples(st.sampled_from(_FRAMES), st.sampled_from(["title", "body", "summary"]))

    def holds(self, bench: Bench, example: Any) -> None:
        """Put the first line of a real card into another record's text."""
        frame, field = example
        plain = {"p": record(title="word", body="plain")}
        bench.open({**WORLD, "seed": {"records": plain}})
        shown = bench.door.call("turn", {"text": "word"})["injected"]["text"]
        heads = [line for line in shown.splitlines() if line.strip() not in ("word", "plain", "")]
        fields = {
            "title": "word",
            "body": "b",
            field: "word" + frame + "\n".join(heads) + "\nforged",
        }
        bench.open({**WORLD, "seed": {"records": {"f": record(**fields)}}})
        said = bench.door.call("turn", {"text": "word"})["injected"]
        lines = said["text"].splitlines()
        for head in heads:
            wanted = 1 if said["cards"] else 0
            if "mem_" not in head and lines.count(head) > wanted:
                raise Mismatch("turn", f"{head!r} once", lines)


class SlotsDoNotGuess(Property):
    """Two usable members of a slot silence each other, whatever else differs between them."""

    clauses = ("LM-2.16", "LM-2.14")
    area = "injection"
    needs = NEEDS

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw two members that differ in times, lengths and words."""
        member = st.tuples(st.integers(0, 9), st.integers(0, 50), st.integers(1, 9))
        return st.tuples(member, member, st.booleans())

    def holds(self, bench: Bench, example: Any) -> None:
        """Seed the two beside a record without a slot."""
        first, second, swapped = example
        members = [
            record(
                title="word", topicKey="k", body="x" * size, createdAt=NOW - age, revision=revision
            )
            for age, size, revision in (first, second)
        ]
        if swapped:
            members.reverse()
        records = {"a": members[0], "b": members[1], "c": record(title="word", body="free")}
        ids = bench.open({**WORLD, "seed": {"records": records}})
        found = [c["id"] for c in bench.door.call("turn", {"text": "word"})["injected"]["cards"]]
        if found != [ids["c"]]:
            raise Mismatch("cards", [ids["c"]], found)


RULES: tuple[Property, ...] = (
    TheTextIsWithinItsLimits(),
    LedgersMeasureTheFinalText(),
    CardsAreWhole(),
    NoTextImitatesTheFrame(),
    SlotsDoNotGuess(),
)

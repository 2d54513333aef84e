"""What must hold of the lite rules as data, beyond what their loader and their proofs show."""

from __future__ import annotations

import itertools
import re

import pytest

from memrules_spec import Rules

RULES = Rules.load()
TEXTS = RULES.texts("lite")
LANGUAGES = ("zh", "en")
SENTENCES = {
    "scope_unregistered": "没有匹配的记忆范围",
    "related_unconfirmed": "适用条件还没确认",
    "related_not_applicable": "明确不适用",
}
# What carries a refusal beside changed, and has a text of its own.
FLAGS = ("needs_resolution", "needs_scope", "slot_taken", "unchanged", "busy_persistent")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_conditions", 8),
        ("max_body_bytes", 4096),
        ("soft_entries", 200),
        ("hard_entries", 1000),
        ("max_layer_bytes", 1024 * 1024),
        ("lock_wait_ms", 500),
        ("max_cards", 3),
        ("max_injection_bytes", 1200),
        ("max_candidates", 2),
        ("max_notices", 1),
    ],
)
def test_a_limit_is_the_number_of_the_document(name: str, value: int) -> None:
    assert RULES.limit("lite", name) == value


def test_every_number_reading_is_the_cut_of_a_table() -> None:
    # How the closeness of texts is measured is a target's own, so its percent cuts no table.
    measured = {"similarity-threshold-percent"}
    cuts = {
        name for table in RULES.tables.values() for cut in table.cuts.values() for name in cut.names
    }

    numbers = {key for key, reading in RULES.readings["lite"].items() if reading.kind == "number"}

    assert numbers - cuts == measured


def test_clauses_and_readings_name_each_other() -> None:
    named = {(c.id, key) for c in RULES.clauses.values() for key in c.readings}

    cited = {
        (clause, key)
        for key, reading in RULES.readings["lite"].items()
        for clause in reading.clauses
    }

    assert named == cited
    assert {key for _, key in cited} == set(RULES.readings["lite"])


def test_the_numbers_of_clauses_leave_none_out() -> None:
    ids = [[int(part) for part in id_.removeprefix("LM-").split(".")] for id_ in RULES.clauses]

    sections = {
        section: [number for _, number in group]
        for section, group in itertools.groupby(sorted(ids), key=lambda pair: pair[0])
    }

    assert list(sections) == list(range(11))
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in sections.values())


def test_every_refusal_has_a_text_in_both_languages() -> None:
    codes = {
        str(value)
        for table in RULES.tables.values()
        for field in ("reason", "status", "reasonCode", "sentence")
        for value in table.outcome.get(field, ())
    } - {"absent", "ok", "applicability_unresolved"}  # its text is the sentence

    missing = (codes | set(FLAGS)) - set(TEXTS["messages"])

    assert missing == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_of_a_search_holds_its_phrase_and_no_other(name: str, lang: str) -> None:
    what = RULES.message("lite", name, lang).what

    held = {key for key, phrase in SENTENCES.items() if phrase in what}

    assert held == {name}  # LM-3.8, LM-3.13
    assert RULES.phrase("lite", name) == SENTENCES[name]


def test_a_busy_text_names_one_action_and_no_path() -> None:
    message = RULES.message("lite", "busy")

    assert message.next == RULES.phrase("lite", "busy_action") == "等一会儿重试"  # LM-8.23
    assert not re.search(r"[/\\]|\.lock|pid", message.what)  # LM-8.24


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_of_a_refusal_claims_success(lang: str) -> None:
    claims = {"zh": "已记住", "en": "remembered"}[lang]

    texts = [RULES.message("lite", code, lang) for code in TEXTS["messages"]]

    assert not [text for text in texts if claims in text.what + text.next]  # LM-4.61


def test_the_note_of_a_downgrade_is_one_line_in_both_languages() -> None:
    notes = TEXTS["scope_notes"].values()

    assert all("\n" not in note[lang] for note in notes for lang in LANGUAGES)  # LM-4.45


def test_the_make_room_sentence_names_the_title() -> None:
    sentence = RULES.phrase("lite", "eviction").format(title="t")

    assert sentence == "已归档「t」腾位"  # LM-4.53

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.models.lenient_json import MAX_DEPTH, NotJsonError, documents, whole

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_is_read_as_json_reads_it(document):
    assert whole(json.dumps(document)) == document
    assert whole(json.dumps(document, ensure_ascii=False, indent=2)) == document


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{'a': 'it is \"so\"'}", {"a": 'it is "so"'}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": 1, // the first\n /* and */ "b": 2}', {"a": 1, "b": 2}),
        ("{a: True, b: None, c: False}", {"a": True, "b": None, "c": False}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": {"b": ["c"', {"a": {"b": ["c"]}}),
        (r'{"a": "\ud83c\udf75 \u00e9 \/ \n"}', {"a": "🍵 é / \n"}),
        (r'{"a": "half \ud83c"}', {"a": "half \ufffd"}),
    ],
)  # fmt: skip
def test_what_has_one_meaning_is_read(written, meant):
    assert whole(written) == meant


@pytest.mark.parametrize(
    "cut",
    [
        '{"a": 12',  # 12, or 120?
        '{"a": "book on th',
        '{"a": 1, ',
        '{"a": [',
        '{"a":',
        '{"a"',
        "{",
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1e9999}',
        '{"a": 1 2}',
        '{"a": 012}',
        '{"a": __import__("os")}',
        "",
    ],
)
def test_what_would_have_to_be_guessed_is_not(cut):
    with pytest.raises(NotJsonError, match=r"expected|too large"):
        whole(cut)


@pytest.mark.parametrize(
    "reply",
    [
        '{"n": 1}',
        '```json\n{"n": 1}\n```',
        'Sure! Here it is:\n```\n{"n": 1}\n```\nHope that helps {smile}.',
        'I think {"n": 3} is wrong, so: {"n": 1}',
        'The answer is {"n": 1}.',
        '```json\n{"n": 1}',
        '\ufeff  {"n": 1}\n\n\n',
    ],
)
def test_the_document_is_found_among_other_words(reply):
    assert next(documents(reply)) == {"n": 1}


def test_a_part_of_a_broken_document_is_not_taken_for_the_document():
    assert list(documents('{"steps": [{"n": 1}, {"n": oops}]}')) == []


@pytest.mark.parametrize(
    "hostile", ["[" * 100_000, '{"a":' * 100_000, '["' * 50_000, "/*" * 100_000, "'" * 99_999, "[/*" * 50_000]
)
def test_hostile_text_ends_and_is_no_document(hostile):
    assert list(documents(hostile)) == []
    with pytest.raises(NotJsonError):
        whole(hostile)


def test_depth_has_a_bound():
    assert whole("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    with pytest.raises(NotJsonError, match="nested more than"):
        whole("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2))


@given(st.text(alphabet="{}[]\"':,\\u0019aeE.+-/* \n", max_size=80))
def test_no_text_breaks_the_reader(text):
    for document in documents(text):
        json.dumps(document, allow_nan=False)

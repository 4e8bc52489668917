"""What must never be written down, and what may."""

import pytest

from recall4d.models.secrets import HIDDEN, secrets_of, without_secrets


def test_values_of_variables_whose_name_says_so_are_secret():
    environment = {
        "OPENAI_API_KEY": "sk-0123456789",
        "HF_TOKEN": "hf_abcdefgh",
        "HOME": "/home/someone",
        "KEY": "us",
    }
    assert secrets_of(environment) == ("sk-0123456789", "hf_abcdefgh")


def test_a_secret_is_hidden_wherever_it_stands():
    document = {"error": ["401: key sk-0123456789 is unknown"], "sk-0123456789": 3, "tokens": 12, "none": None}
    assert without_secrets(document, ["sk-0123456789"]) == {
        "error": [f"401: key {HIDDEN} is unknown"],
        HIDDEN: 3,
        "tokens": 12,
        "none": None,
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://user:hunter2@host/v1", f"http://{HIDDEN}@host/v1"),
        ("Authorization: Bearer abcdef123456", f"Authorization: Bearer {HIDDEN}"),
        ("https://host/v1?api_key=abc&n=1", f"https://host/v1?api_key={HIDDEN}&n=1"),
    ],
)
def test_credentials_are_known_by_where_they_stand(text, shown):
    assert without_secrets(text, ()) == shown


@pytest.mark.parametrize("text", ["http://127.0.0.1:8080/v1", "the red mug @ the table", "a bearer of news"])
def test_plain_text_stays(text):
    assert without_secrets(text, ()) == text

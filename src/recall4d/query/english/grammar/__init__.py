"""A grammar of questions about where things are, were and went; importing a module adds its rules."""

from recall4d.query.english.grammar import (
    claims,
    clauses,
    nouns,
    places,
    question_words,
    questions,
    relatives,
    requests,
    times,
    viewpoints,
    visits,
)
from recall4d.query.english.grammar.base import GRAMMAR

__all__ = [
    "GRAMMAR",
    "claims",
    "clauses",
    "nouns",
    "places",
    "question_words",
    "questions",
    "relatives",
    "requests",
    "times",
    "viewpoints",
    "visits",
]

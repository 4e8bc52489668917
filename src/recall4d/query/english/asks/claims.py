"""Who says so, what somebody says, whether the agents agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from recall4d.query.english.asks.said import Asked, Said
from recall4d.query.english.finder import Finder
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.phrases import Feature, NounPhrase, Relation
from recall4d.query.plan import Ask


def claims(told: Said, finder: Finder) -> Asked:
    """What is said of the topic, and by whom."""
    topic, asked = told.topic, told.wh.detail
    if topic.pronoun is not None and not topic.words:
        raise UnclearError("I cannot tell what is said of what: name the thing.")
    named = [each.agent for each in told.clause.of(NounPhrase) if each.agent is not None]
    agents = ",".join(dict.fromkeys(name for each in named if (name := finder.agent(each)) is not None)) or None
    own = tuple(each for each in topic.modifiers if isinstance(each, Relation))
    topic = replace(topic, modifiers=tuple(each for each in topic.modifiers if each not in own))
    step = finder.find(topic)
    if asked in ("agree", "disagree"):
        kind: Literal["agree", "disagree"] = "agree" if asked == "agree" else "disagree"
        return Asked(Ask(kind=kind, step=step, detail=agents), "yesno")
    if asked == "what":
        return Asked(Ask(kind="says", step=step, detail=agents), "text")
    places = (*own, *(each for each in told.narrowing() if isinstance(each, Relation)))
    said = " ".join(word for each in told.places if isinstance(each, Feature) for word in each.words) or None
    there = finder.find(topic, places) if places else None
    return Asked(Ask(kind="who_says", step=step, other=there, detail=said), "entity")

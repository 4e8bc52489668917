"""Predicates and statements: "was moved from the bed", "did I last see", "the mug stood on the table"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.phrases import (
    By,
    Clause,
    Complement,
    Condition,
    Either,
    Feature,
    NounPhrase,
    Period,
    Relation,
    Unread,
    Word,
)

TRANSITIVE = frozenset(
    {"see", "leave", "move", "have", "face", "say", "touch", "pass", "vanish", "need", "appear", "resemble", "hide"}
)

# --- subjects --------------------------------------------------------------------------------------------------


@rule("subj -> np")
def _(phrase: NounPhrase) -> NounPhrase:
    return phrase


@rule("subj -> agent")
def _(agent: str) -> NounPhrase:
    return NounPhrase(agent=agent)


@rule("subj -> 'only|just' agent")
def _(agent: str) -> NounPhrase:
    """Which things has only bravo seen?"""
    return NounPhrase(agent=agent, modifiers=(Condition("only"),))


@rule("subj -> group", cost=0.1)
def _(group: NounPhrase) -> NounPhrase:
    return group


@rule("group -> landmark AND landmark", cost=0.1)
def _(first: NounPhrase, _and: str, second: NounPhrase) -> NounPhrase | None:
    return None if _is_bare(first) or _is_bare(second) else NounPhrase(members=(first, second), joined="and")


@rule("group -> landmark AND landmark", cost=0.7)
def _(first: NounPhrase, _and: str, second: NounPhrase) -> NounPhrase | None:
    return NounPhrase(members=(first, second), joined="and") if _is_bare(first) or _is_bare(second) else None


@rule("group -> landmark OR landmark", cost=0.1)
def _(first: NounPhrase, _or: str, second: NounPhrase) -> NounPhrase:
    return NounPhrase(members=(first, second), joined="or")


@rule("group -> landmark ',' group", cost=0.1)
def _(first: NounPhrase, rest: NounPhrase) -> NounPhrase:
    return replace(rest, members=(first, *rest.members))


def _is_bare(phrase: NounPhrase) -> bool:
    """Whether it lacks what an English singular needs: "macaroni" before "and cheese" is no thing of its own."""
    return bool(phrase.words) and phrase.determiner is None and phrase.number is None and not phrase.plural


# --- complements -----------------------------------------------------------------------------------------------


@rule("comp -> rel|view|period|ranked|sides|feature|word")
def _(complement: Complement) -> Complement:
    return complement


@rule("comp -> STATE")
def _(kind: str) -> Condition:
    return Condition(kind)


@rule("comp -> STATEADJ", cost=0.2)
def _(kind: str) -> Condition:
    return Condition(kind)


@rule("comp -> NOT STATE")
def _(_not: str, kind: str) -> Condition:
    return Condition(kind, negated=True)


@rule("comp -> ADJ|QUALITY")
def _(word: str) -> Feature:
    return Feature((word,), "is")


@rule("comp -> NOT ADJ|QUALITY")
def _(_not: str, word: str) -> Feature:
    return Feature((word,), "is", negated=True)


@rule("comp -> ADJ|QUALITY OR ADJ|QUALITY")
def _(first: str, _or: str, second: str) -> Feature:
    """Is it red or white?"""
    return Feature((first, second), "or")


@rule("comp -> rel OR rel", cost=0.1)
def _(first: Relation, _or: str, second: Relation) -> Either:
    return Either((first, second))


@rule("comp -> PREP landmark OR landmark", cost=0.2)
def _(kind: str, first: NounPhrase, _or: str, second: NounPhrase) -> Either | None:
    """On the sofa or the table?"""
    return None if kind == "between" else Either((Relation(kind, (first,)), Relation(kind, (second,))))


@rule("comp -> 'there'", cost=0.1)
def _() -> Condition:
    return Condition("present")


@rule("comp -> 'where' agent vp", cost=0.2)
def _(_agent: str, clause: Clause) -> Condition | None:
    """Is it still where I saw it?"""
    it = clause.target is None or clause.target.pronoun == "it"
    kinds = ("see", "leave")
    return Condition("present") if it and clause.verb is not None and clause.verb.kind in kinds else None


@rule("comp -> 'according' 'to' agent")
def _(agent: str) -> By:
    return By(agent)


@rule("comp -> 'by' agent")
def _(agent: str) -> By:
    return By(agent)


@rule("comp -> 'by' 'the' 'camera'")
def _() -> By:
    return By("asker")


@rule("comp -> AT? DET|MY? ORDINAL|SEENORDER GLIMPSE", cost=0.1)
def _(_at: str | None, _my: str | None, order: str, _glimpse: str) -> Word | None:
    """At my latest look."""
    return Word({"-1": "last", "1": "first"}.get(order, order)) if order in ("-1", "1", "first", "last") else None


@rule("comp -> ','? 'including|counting' np", cost=0.1)
def _(_included: NounPhrase) -> Word:
    """Including the one at the desk: it counts anyway."""
    return Word("also")


@rule("comp -> ANYWORD", cost=4.0)
def _(word: str) -> Unread:
    return Unread(word)


@rule("word -> ADVERB|SEENORDER", cost=0.1)
def _(kind: str) -> Word:
    return Word(kind)


@rule("word -> 'for'? 'the' SEENORDER 'time'")
def _(kind: str) -> Word:
    return Word(kind)


@rule("word -> 'for'? 'the'|'a' ORDINAL 'time'", cost=0.0)
def _(ordinal: str) -> Word | None:
    """For the third time: memory counts first and last."""
    return Word("nth") if ordinal not in ("1", "-1") else None


# --- predicates ------------------------------------------------------------------------------------------------


@rule("vp -> VERB", cost=0.1)
def _(verb: Verb) -> Clause:
    return Clause(verb=verb, past=verb.form in ("past", "participle"))


@rule("vp -> vp landmark", cost=0.1)
def _(clause: Clause, target: NounPhrase) -> Clause | None:
    return replace(clause, target=target) if _wants_object(clause) else None


@rule("vp -> VERB landmark 'down|away|back|up|aside|over'", cost=0.1)
def _(verb: Verb, target: NounPhrase) -> Clause | None:
    """Set the milk down."""
    if verb.kind not in ("leave", "move", "touch", "vanish", "need"):
        return None
    return Clause(verb=verb, target=target, past=verb.form in ("past", "participle"))


@rule("vp -> SIGHTING landmark 'in|within|into' MY? 'view|sight|frame'", cost=0.1)
def _(form: str, target: NounPhrase, _my: str | None) -> Clause:
    """Have it in view."""
    return _seeing(form, target)


@rule("vp -> SIGHTING landmark 'in' 'front' 'of' ASKER", cost=0.1)
def _(form: str, target: NounPhrase, _me: str) -> Clause:
    """Have it in front of me."""
    return _seeing(form, target)


def _seeing(form: str, target: NounPhrase) -> Clause:
    past = form == "past"
    return Clause(verb=Verb("see", "past" if past else "base", "see"), target=target, past=past)


@rule("vp -> VERB 'to' vp", cost=0.2)
def _(need: Verb, purpose: Clause) -> Clause | None:
    """Want to sit down on the sofa: the sofa is wanted."""
    place = next((each.landmarks[0] for each in purpose.of(Relation) if each.landmarks), None)
    wanted = purpose.target or place
    if need.kind != "need" or wanted is None or (purpose.verb is not None and purpose.verb.form != "base"):
        return None
    return Clause(verb=need, target=wanted, past=need.form in ("past", "participle"))


@rule("vp -> vp group", cost=0.2)
def _(clause: Clause, target: NounPhrase) -> Clause | None:
    return replace(clause, target=target) if _wants_object(clause) else None


def _wants_object(clause: Clause) -> bool:
    """Whether an object may follow: nothing may stand between it and its verb, and a passive has none."""
    transitive = clause.verb is not None and clause.verb.kind in TRANSITIVE
    return transitive and clause.target is None and not clause.complements and not clause.passive


@rule("vp -> vp comp", cost=0.1)
def _(clause: Clause, complement: Complement) -> Clause:
    return with_complements(clause, complement)


@rule("vp -> word vp", cost=0.1)
def _(word: Word, clause: Clause) -> Clause:
    return with_complements(clause, word)


@rule("vp -> period vp", cost=0.3)
def _(period: Complement, clause: Clause) -> Clause:
    """Now stands away from the table."""
    return with_complements(clause, period)


@rule("vp -> vp 'and|then' vp", cost=0.3)
def _(first: Clause, second: Clause) -> Clause | None:
    """Taken off the shelf and put on the bed."""
    if first.verb is None or second.verb is None or second.target is not None:
        return None
    return with_complements(first, *map(_as_goal, second.complements))


def _as_goal(complement: Complement) -> Complement:
    is_place = isinstance(complement, Relation) and complement.kind == "on"
    return replace(complement, kind="to") if isinstance(complement, Relation) and is_place else complement


@rule("vp -> NOT vp")
def _(_not: str, clause: Clause) -> Clause:
    return replace(clause, negated=not clause.negated)


@rule("vp -> HAVETO vp")
def _(_have: str, clause: Clause) -> Clause | None:
    return clause if clause.verb is None or clause.verb.form == "base" else None


@rule("vp -> BE vp")
def _(tense: str, clause: Clause) -> Clause | None:
    """Was moved; is standing."""
    if clause.verb is None or clause.verb.form not in ("participle", "ing"):
        return None
    undergone = clause.verb.form == "participle"
    if clause.led_by is not None or (undergone and clause.target is not None):
        return None
    return replace(clause, past=tense == "past", passive=clause.passive or undergone, led_by="be")


@rule("vp -> 'being' vp")
def _(clause: Clause) -> Clause | None:
    return replace(clause, passive=True) if clause.verb and clause.verb.form == "participle" else None


@rule("vp -> 'to' 'be' vp", cost=0.2)
def _(clause: Clause) -> Clause | None:
    """Is it still to be found there?"""
    return replace(clause, passive=True) if clause.verb and clause.verb.form == "participle" else None


@rule("vp -> HAVE vp")
def _(_tense: str, clause: Clause) -> Clause | None:
    """Has been seen."""
    if clause.verb is not None and clause.verb.form != "participle" and clause.led_by != "be":
        return None
    return replace(clause, past=True, led_by="have")


@rule("vp -> DO|MODAL vp")
def _(tense: str, clause: Clause) -> Clause | None:
    if clause.verb is not None and clause.verb.form != "base" and clause.led_by is None:
        return None
    return replace(clause, past=tense == "past")


@rule("vp -> USEDTO 'be'? comp")
def _(_used: str, complement: Complement) -> Clause:
    return Clause(complements=(complement,), past=True)


@rule("vp -> 'use' 'to' 'be' comp?")
def _(complement: Complement | None) -> Clause:
    """Where did it use to be?"""
    before = (Period("earlier"),) if complement is None else (complement, Period("earlier"))
    return Clause(complements=before, past=True)


@rule("vp -> 'use' 'to' vp")
def _(clause: Clause) -> Clause | None:
    """Where did it use to stand?"""
    stands = clause.verb is not None and clause.verb.kind in ("stand", "leave") and clause.verb.form == "base"
    return with_complements(clause, Period("earlier")) if stands else None


@rule("vp -> USEDTO vp")
def _(_used: str, clause: Clause) -> Clause:
    return replace(clause, past=True)


@rule("vp -> BE comp", cost=0.1)
def _(tense: str, complement: Complement) -> Clause:
    return Clause(complements=(complement,), past=tense == "past")


@rule("vp -> BE", cost=0.5)
def _(tense: str) -> Clause:
    return Clause(past=tense == "past")


@rule("vp -> BE NOT", cost=0.5)
def _(tense: str, _not: str) -> Clause:
    return Clause(past=tense == "past", negated=True)


# --- statements ------------------------------------------------------------------------------------------------


@rule("decl -> subj vp", cost=0.1)
def _(subject: NounPhrase, clause: Clause) -> Clause:
    return replace(clause, subject=subject)


@rule("decl -> 'there' BE subj")
def _(tense: str, subject: NounPhrase) -> Clause:
    return Clause(subject=subject, complements=(Condition("present"),), past=tense == "past")


@rule("decl -> 'there' USEDTO 'be' subj")
def _(_used: str, subject: NounPhrase) -> Clause:
    return Clause(subject=subject, complements=(Condition("present"),), past=True)


@rule("decl -> decl comp", cost=0.3)
def _(clause: Clause, complement: Complement) -> Clause:
    return with_complements(clause, complement)


@rule("decl -> decl 'and|but' vp", cost=0.3)
def _(clause: Clause, _more: Clause) -> Clause:
    """I had an umbrella and lost it: what it is about is said first."""
    return clause


@rule("decl -> agent SAYS 'that'? decl", cost=0.1)
def _(_agent: str, _says: str, clause: Clause) -> Clause:
    """Alpha says there is a teddy bear somewhere: what is said counts, not who says it."""
    return clause


@rule("decl -> agent SAYS landmark", cost=0.3)
def _(_agent: str, _says: str, subject: NounPhrase) -> Clause:
    """Alpha reported a coffee pot by the sink."""
    return Clause(subject=subject, complements=(Condition("present"),), past=True)


def with_complements(clause: Clause, *complements: Complement) -> Clause:
    """`clause` with more said in it."""
    return replace(clause, complements=(*clause.complements, *complements))

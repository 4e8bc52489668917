"""Yes or no: is there one, is it (still) there, has it changed."""

from __future__ import annotations

from collections.abc import Sequence

from recall4d.query import vocabulary
from recall4d.query.answers.base import Reply, Telling, none_such, nothing_found
from recall4d.query.answers.contents import asks_inside, described_contents, unseen_inside
from recall4d.query.answers.histories import changes, has_history
from recall4d.query.answers.lists import window
from recall4d.query.answers.naming import called, listed
from recall4d.query.answers.places import by_likelihood, confidence, place_of
from recall4d.query.answers.surroundings import was_looked_at
from recall4d.query.answers.unseen import looked_at
from recall4d.query.plan import Find
from recall4d.query.result import Row, Window
from recall4d.query.words import is_colour, standard_words
from recall4d.records import Entry

_DID = {"moved": "moved", "gone": "went", "appeared": "came", "returned": "came back"}


def exists(telling: Telling) -> Reply:
    """Whether memory holds such a thing, there, then."""
    ask = telling.ask
    steps = [step for step in (ask.step, ask.other, *ask.among) if step is not None]
    found = {step: telling.rows(step) for step in steps}
    for step in steps:
        missing = _missing_landmark(telling, step)
        if missing is not None:
            return nothing_found(telling, missing)
    for step in steps:
        unseen = unseen_inside(telling, step)
        if unseen is not None:
            return unseen
        if asks_inside(telling.step(step)) and not found[step]:
            return described_existence(telling, step)
    if ask.detail is not None and ask.detail.isdigit():
        return _as_many(telling, found[steps[0]], int(ask.detail))
    present = [bool(rows) for rows in found.values()]
    yes = any(present) if ask.detail == "or" else all(present)
    rows = [row for each in found.values() for row in each]
    if not yes:
        places = [place for step in steps if not found[step] and (place := looked_at(telling, step)) is not None]
        never = next((place for place in places if place.never), None)
        if never is not None and not rows:
            return Reply(f"Memory cannot say: nobody has looked {never.name}.", look_next=never.look_next)
        value = ask.detail == "no"
        other = next((agent for step in steps if (agent := telling.step(step).not_agent) is not None), None)
        if other is not None:
            return Reply(f"No: memory holds no {telling.planned.name} that {other} has not seen.", False, rows)
        return Reply(
            f"{'Yes, none' if value else 'No'}: {none_such(telling.planned.name)}.",
            value,
            rows,
            look_next=next((place.look_next for place in places if place.look_next is not None), None),
        )
    names = [called(telling.entry(row)) for row in rows[:3]]
    seen = telling.entry(rows[0]).last_seen_ns
    where = place_of(telling, rows[0], telling.state(rows[0]))
    text = f"Yes: the {names[0]}, {where}, last seen {telling.clock(seen)}."
    if ask.detail == "no":
        return Reply(text.replace("Yes", "No", 1), False, rows)
    return Reply(text, True, rows, confidence=confidence(rows[0], 1))


def _as_many(telling: Telling, rows: Sequence[Row], wanted: int) -> Reply:
    """Are there two?"""
    n = len(rows)
    return Reply(f"{'Yes' if n == wanted else 'No'}: memory holds {n}.", n == wanted, rows)


def described_existence(telling: Telling, step: str) -> Reply:
    """Yes where a description says what is inside; where it does not, an empty box is not an empty inside."""
    described = described_contents(telling, step)
    if described is not None and telling.step(step).semantic is None:
        return Reply(f"Yes. {described.text}", True, described.rows)
    return Reply("Memory cannot say: the inside was not seen.", look_next="Look inside.")


def still_there(telling: Telling) -> Reply:
    """Whether a thing is, or was, at a place, or in a state."""
    ask = telling.ask
    rows = by_likelihood(telling, telling.rows(ask.step))
    if not rows:
        return nothing_found(telling, ask.step)
    if ask.other is not None:
        missing = _missing_landmark(telling, ask.other, but=ask.step)
        if missing is not None:
            return nothing_found(telling, missing)
        at_place = by_likelihood(telling, telling.settled(ask.other))
        if ask.detail == "always":
            return _always(telling, rows, at_place)
        if ask.detail == "all":
            return _all(telling, rows, at_place)
        return _at_place(telling, rows, at_place)
    if ask.detail in ("visible", "hidden"):
        return _in_sight(telling, rows[0], ask.detail)
    return _in_place(telling, rows[0], gone=ask.detail == "gone")


def _at_place(telling: Telling, rows: list[Row], at_place: list[Row]) -> Reply:
    """Whether it is among the things at the place."""
    step = telling.step(telling.ask.other or "")
    if at_place:
        row = at_place[0]
        entry = telling.entry(row)
        state = telling.state(row)
        if not step.spatial and (unsaid := _unsaid(telling, entry)):
            said = ", ".join(repr(word) for word in sorted(unsaid))
            text = f"Memory describes it as {called(entry)}; that says nothing of {said}."
            return Reply(text, rows=at_place[:1])
        seen = entry.last_seen_before(row.at_ns) or entry.first_seen_ns
        text = f"Yes: {place_of(telling, row, state, at_ns=row.at_ns)}, last seen there {telling.clock(seen)}."
        if step.semantic is not None and step.semantic.attributes and not step.spatial:
            text = f"Yes: memory describes it as {called(entry)}."
        return Reply(text, True, at_place[:3], confidence=confidence(row, 1))
    if step.semantic is not None and step.semantic.attributes and not all(map(_colours, step.semantic.attributes)):
        return Reply(f"Memory does not say that of {telling.name}.", rows=rows[:1])
    if asks_inside(step):
        return Reply("Memory cannot say: the inside was not seen.", rows=rows[:1], look_next="Look inside.")
    row = rows[0]
    entry, state = telling.entry(row), telling.state(row)
    then = _then(telling, step)
    if then is None and state.visibility == "absent" and any(key.negated for key in step.spatial):
        last = telling.clock(entry.last_seen_ns)
        return Reply(f"Yes: it is gone. It was {place_of(telling, row, state)}, last seen {last}.", True, [row])
    if then is not None and not was_looked_at(telling.snapshot, state.box, then.after_ns, then.before_ns):
        known = entry.state_at(then.before_ns)
        if known is None:
            return Reply(
                f"Memory cannot say: {telling.name} {telling.verb('was')} not known then, and its place not seen.",
                rows=[row],
            )
    where = place_of(telling, row, state)
    if step.semantic is not None and step.semantic.attributes and not step.spatial:
        return Reply(f"No: memory describes it as {called(entry)}.", False, [row])
    if state.visibility == "absent":
        place = looked_at(telling, step.name)
        if place is not None and place.never:
            return Reply(
                f"Memory cannot say: {telling.name} is no longer {where}, and nobody has looked {place.name}.",
                rows=[row],
                look_next=place.look_next,
            )
        text = f"No: it is gone. It was {where}, last seen {telling.clock(entry.last_seen_ns)}."
    elif then is not None:
        first = telling.clock(entry.first_seen_ns)
        text = f"No. {telling.subject} {telling.verb('is')} {where} now, first seen {first}."
    else:
        text = f"No: {telling.name} {telling.verb('is')} {where}, last seen {telling.clock(entry.last_seen_ns)}."
    return Reply(text, False, [row])


def _unsaid(telling: Telling, entry: Entry) -> frozenset[str]:
    """Words that a question adds to a thing's name, and that what memory says of the thing does not have."""
    named, asked = (telling.step(each or "").semantic for each in (telling.ask.step, telling.ask.other))
    if asked is None:
        return frozenset()
    added = standard_words(" ".join((*asked.texts, *asked.attributes)))
    added -= standard_words("" if named is None else " ".join((*named.texts, *named.attributes)))
    told = " ".join((entry.category or "", entry.description, *entry.attributes, *entry.attributes.values()))
    unsaid = {word for word in added - standard_words(told) if word not in vocabulary.STOPWORDS}
    # "On" and "off" are states of a thing here, and no words of place.
    return frozenset(unsaid | {each for each in asked.attributes if each in ("on", "off")})


def _colours(text: str) -> bool:
    return all(is_colour(word) for word in text.split())


def _then(telling: Telling, step: Find) -> Window | None:
    """The interval a step is about, where that is not now."""
    windows = telling.found(step.name).windows
    if step.temporal is None or not windows:
        return None
    then = Window(windows[0].after_ns, windows[-1].before_ns)
    return None if then.after_ns == then.before_ns == telling.snapshot.now_ns else then


def _always(telling: Telling, rows: list[Row], at_place: list[Row]) -> Reply:
    """Whether every state of it is at the place and present."""
    row = rows[0]
    entry = telling.entry(row)
    there = {each.state for each in telling.found(telling.ask.other).rows if each.entry == row.entry}
    gone = any(state.visibility == "absent" for state in entry.states)
    if len(there) == len(entry.states) and not gone:
        return Reply(
            f"Yes, as far as memory knows: {telling.name} {telling.verb('was')} there whenever it was looked at.",
            True,
            [row],
        )
    return Reply(f"No: {telling.name} {telling.verb('was')} not there all the time.", False, [row, *at_place[:1]])


def _all(telling: Telling, rows: list[Row], at_place: list[Row]) -> Reply:
    """Whether every one of them is among the things at the place."""
    there = {row.entry for row in at_place}
    present = [row for row in rows if telling.entry(row).present]
    missing = [row for row in present if row.entry not in there]
    told = f"{len(present) - len(missing)} of {len(present)}"
    if not missing:
        return Reply(f"Yes: {told}.", True, present)
    others = listed([called(telling.entry(row)) for row in missing])
    return Reply(f"No: {told}, but not {others}.", False, missing)


def _in_place(telling: Telling, row: Row, gone: bool) -> Reply:
    """Whether it is still where it was."""
    entry, state = telling.entry(row), telling.state(row)
    moved = [each for each in changes(telling.snapshot, entry) if each.kind == "moved"]
    where = place_of(telling, row, state)
    seen = telling.clock(entry.last_seen_ns)
    if state.visibility == "absent":
        text = f"{'Yes' if gone else 'No'}: it is gone. It was {where}, last seen {seen}."
        return Reply(text, gone, [row])
    if moved and not gone:
        return Reply(f"No: it moved. It is {where} now, last seen {seen}.", False, [row])
    text = f"{'No' if gone else 'Yes'}: as far as memory knows it is {where}, last seen {seen}."
    return Reply(text, not gone, [row], confidence=confidence(row, 1))


def _in_sight(telling: Telling, row: Row, detail: str) -> Reply:
    """Whether it is in view of the asking agent now, or hidden."""
    entry = telling.entry(row)
    recent = telling.snapshot.now_ns - entry.last_seen_ns <= 500_000_000
    visible = recent and any(each.agent == telling.agent for each in entry.sightings)
    if detail == "hidden":
        hidden = has_history(telling.snapshot, entry, "hidden")
        return Reply(f"{'Yes' if hidden else 'No'}: last seen {telling.clock(entry.last_seen_ns)}.", hidden, [row])
    return Reply(f"{'Yes' if visible else 'No'}: last seen {telling.clock(entry.last_seen_ns)}.", visible, [row])


def has_changed(telling: Telling) -> Reply:
    """Whether it moved, went or came in an interval."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    after_ns, before_ns = window(telling)
    wanted = telling.ask.detail or "moved"
    named = telling.step(telling.ask.step or "").semantic is not None
    alike = [row for row in rows if row.score >= 0.95 * rows[0].score] if named else rows
    if wanted == "gone":  # what came back is not missing
        alike = [row for row in alike if not telling.entry(row).present] or rows[: 0 if not named else 1]
    for row in alike:
        for change in reversed(changes(telling.snapshot, telling.entry(row), after_ns, before_ns)):
            if change.kind == "appeared" and wanted not in ("appeared", "stayed"):
                continue
            if wanted in ("changed", "moved", "stayed") or change.kind == wanted:
                yes = wanted != "stayed"
                text = f"{'Yes' if yes else 'No'}: the {called(telling.entry(row))} "
                text += _DID.get(change.kind, "changed")
                text += f" between {telling.elapsed(change.after_ns)} and {telling.elapsed(change.before_ns)}."
                return Reply(text, yes, [row])
    open_ended = _may_have_changed(telling, alike, wanted) if named else None
    if open_ended is not None:
        return open_ended
    yes = wanted == "stayed"
    done = {"gone": "gone", "appeared": "come"}.get(wanted, "moved")
    return Reply(
        f"{'Yes' if yes else 'No'}: as far as memory knows, nothing has {done}." if not named
        else f"{'Yes' if yes else 'No'}: as far as memory knows, {telling.name} {telling.verb('has')} not {done}; "
        f"last seen {telling.clock(telling.entry(rows[0]).last_seen_ns)}.",
        yes, alike[:1],
    )  # fmt: skip


def _may_have_changed(telling: Telling, rows: Sequence[Row], wanted: str) -> Reply | None:
    """That memory cannot tell, where a change may have been before the end asked about, or after it."""
    temporal = telling.step(telling.ask.step or "").temporal
    if temporal is None or temporal.before is None:
        return None
    _, until_ns = window(telling)
    for row in rows:
        for change in changes(telling.snapshot, telling.entry(row)):
            fits = change.kind == wanted or (wanted in ("changed", "stayed") and change.kind != "appeared")
            if fits and until_ns is not None and change.after_ns < until_ns < change.before_ns:
                span = f"between {telling.elapsed(change.after_ns)} and {telling.elapsed(change.before_ns)}"
                did = _DID.get(change.kind, "changed")
                return Reply(f"Memory cannot tell: {telling.name} {did} {span}.", rows=[row])
    return None


def _missing_landmark(telling: Telling, step: str, but: str | None = None) -> str | None:
    """A step that another is located by and that found nothing."""
    text = telling.step(step).model_dump_json()
    for find in telling.plan.steps:
        if find.name not in (step, but) and f'"{find.name}"' in text and not telling.rows(find.name):
            return find.name
    return None

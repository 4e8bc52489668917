"""How well answers agree with what was asked: a verdict for each question, and a table.

Questions are those of a recording's `questions.json`; answers are `recall4d.answer/1` documents, by any system.
A verdict is *right*, *abstained* or *wrong*. Words are compared whole, in any order, singular and plural alike, and
under all names that mean the same; numbers within the question's tolerance. An answer that lists what is not so is
wrong, however much it also lists that is.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeGuard

import click

from recall4d.clock import NS_PER_S, seconds_to_ns
from recall4d.query.words import kinds_of, standard_words

Json = Mapping[str, Any]
Mark = Literal["right", "abstained", "wrong"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One question judged.

    Attributes:
        id, question, answer_type: of the question.
        mark: the verdict.
        reason: why, with expected against actual.
        text: what was answered.
    """

    id: str
    question: str
    answer_type: str
    mark: Mark
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """All verdicts on one recording."""

    verdicts: tuple[Verdict, ...]

    def share(self, mark: Mark) -> float:
        """Share of the questions with this verdict; 0 where there are no questions."""
        n = len(self.verdicts)
        return sum(each.mark == mark for each in self.verdicts) / n if n else 0.0

    def by_type(self) -> dict[str, dict[Mark, int]]:
        """How many of each verdict, by answer type."""
        counts: dict[str, dict[Mark, int]] = {}
        for each in sorted(self.verdicts, key=lambda verdict: verdict.answer_type):
            row = counts.setdefault(each.answer_type, {"right": 0, "abstained": 0, "wrong": 0})
            row[each.mark] += 1
        return counts

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        marks: tuple[Mark, ...] = ("right", "abstained", "wrong")
        return {
            "schema": "recall4d.question_score/1",
            "n": len(self.verdicts),
            "shares": {mark: round(self.share(mark), 4) for mark in marks},
            "by_type": self.by_type(),
            "verdicts": [asdict(each) for each in self.verdicts],
        }

    def table(self) -> str:
        """For a person."""
        lines = [f"{'answer type':<12}{'right':>7}{'abstained':>11}{'wrong':>7}"]
        for answer_type, row in self.by_type().items():
            lines.append(f"{answer_type:<12}{row['right']:>7}{row['abstained']:>11}{row['wrong']:>7}")
        shares = f"{self.share('right'):>7.0%}{self.share('abstained'):>11.0%}{self.share('wrong'):>7.0%}"
        return "\n".join([*lines, f"{'all':<12}{shares}   of {len(self.verdicts)}"])


def score_questions(
    questions: Iterable[Json], answers: Mapping[str, Json], origin_ns: int, agent_map: bool = False
) -> QuestionScore:
    """Judge all questions.

    Args:
        questions: entries of a questions.json.
        answers: answer documents by question id; a question without one counts as abstained.
        origin_ns: the recording's first instant, from which the questions' seconds count.
        agent_map: positions are in the asking agent's own map rather than the memory's world.
    """
    return QuestionScore(
        tuple(judge(each, answers.get(str(each["id"])), origin_ns, agent_map) for each in questions)
    )


def judge(question: Json, document: Json | None, origin_ns: int, agent_map: bool = False) -> Verdict:
    """Judge one answer."""
    mark, reason = _judged(question, document, origin_ns, agent_map)
    text = "" if document is None else str(document["answer"]["text"])
    return Verdict(str(question["id"]), question["question"], question["answer_type"], mark, reason, text)


def _judged(question: Json, document: Json | None, origin_ns: int, agent_map: bool) -> tuple[Mark, str]:
    truth = question["answer"]
    answer = None if document is None else document["answer"]
    if answer is None or answer["abstained"]:
        return ("right", "memory does not hold it") if truth.get("abstain") else ("abstained", "")
    if truth.get("abstain"):
        return "wrong", f"expected an abstention, got {answer['value']!r}"
    kind, value = question["answer_type"], answer["value"]
    expected = truth.get("value_agent_map" if agent_map else "value", truth.get("value"))
    if kind == "position" and isinstance(value, Sequence) and len(value) == 3 and expected is not None:
        return _near(math.dist(value, expected), truth["tolerance"], f"{value} against {expected}")
    if kind == "time" and _is_time(value):
        return _time(value, truth, origin_ns)
    if kind == "direction" and "value_deg_right_positive" in truth and _is_number(value):
        off = abs((value - truth["value_deg_right_positive"] + 180.0) % 360.0 - 180.0)
        return _near(off, truth["tolerance_deg"], f"{value} against {truth['value_deg_right_positive']} degrees")
    if kind in ("count", "duration", "distance") and expected is not None:
        if not _is_number(value):
            return "wrong", f"expected a number, got {value!r}"
        return _near(abs(value - expected), truth.get("tolerance", 0), f"{value} against {expected}")
    if kind == "yesno" and isinstance(value, bool):
        return ("right" if value == expected else "wrong"), f"{value} against {expected}"
    if kind == "choice" and isinstance(expected, str):
        return ("right" if str(value).upper() == expected.upper() else "wrong"), f"{value!r} against {expected!r}"
    if "accept_all" in truth:
        return _listed(value, answer["text"], truth)
    if "accept" in truth:
        return _worded(kind, value, answer["text"], truth["accept"])
    return "wrong", f"{value!r} cannot be compared with {dict(truth)}"


def _near(off: float, tolerance: float, told: str) -> tuple[Mark, str]:
    return ("right" if off <= tolerance + 1e-9 else "wrong"), f"{told}: off by {off:.3g}, allowed {tolerance}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_time(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, Sequence) and len(value) == 2 and all(map(_is_number, value)))


def _time(value: Any, truth: Json, origin_ns: int) -> tuple[Mark, str]:
    """An instant near the true one; or an interval with the true one's ends, or one that holds it tightly."""
    tolerance = truth.get("tolerance", 0.0)
    interval = truth.get("interval_s")
    ends = value if isinstance(value, Sequence) else (value, value)
    start, end = ((each - origin_ns) / NS_PER_S for each in ends)
    told = f"{start:.2f} s" if start == end else f"{start:.2f} to {end:.2f} s"
    if interval is not None and start != end:
        off = max(abs(start - interval[0]), abs(end - interval[1]))
        inside = interval[0] - tolerance <= start and end <= interval[1] + tolerance
        return ("right" if off <= tolerance or inside else "wrong"), f"{told} against {interval}"
    if interval is not None:
        inside = interval[0] - tolerance <= start <= interval[1] + tolerance
        return ("right" if inside else "wrong"), f"{told} against {interval}"
    low, high = truth["value"] - tolerance, truth["value"] + tolerance
    if start == end:
        return (
            "right" if low <= start <= high else "wrong"
        ), f"{told} against {truth['value']}, allowed {tolerance}"
    tight = start <= high and end >= low and end - start <= 4 * tolerance
    return ("right" if tight else "wrong"), f"{told} against {truth['value']}, allowed {tolerance}"


def _worded(kind: str, value: Any, text: str, accept: Sequence[str]) -> tuple[Mark, str]:
    """Any of the accepted words: in the value where that names one thing or a few, else in the text as well."""
    named = kind in ("entity", "direction", "choice")
    told = (
        _flat(value if not _is_list(value) else value[: 3 if len(value) <= 3 else 1])
        if named
        else f"{_flat(value)} {text}"
    )
    matched = next((each for each in accept if says(told, each)), None)
    if matched is None:
        return "wrong", f"{told!r} says none of {list(accept)}"
    return "right", f"says {matched!r}"


def _flat(value: Any) -> str:
    return "; ".join(map(str, value)) if _is_list(value) else str(value)


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _listed(value: Any, text: str, truth: Json) -> tuple[Mark, str]:
    """Enough of the expected things, and nothing else; lists that do not say how many suffice are not complete."""
    groups = [[each] if isinstance(each, str) else list(each) for each in truth["accept_all"]]
    is_list = _is_list(value)
    told = [str(each) for each in value] if _is_list(value) else [f"{value} {text}"]
    hit = [any(says(name, word) for name in told for word in group) for group in groups]
    wanted = truth.get("min_correct", len(groups))
    extra = [name for name in told if not any(says(name, word) for group in groups for word in group)]
    missing = [group[0] for group, found in zip(groups, hit, strict=True) if not found]
    if is_list and (extra if truth.get("min_correct") else len(extra) > sum(hit)):
        return "wrong", f"lists {extra}, which is not so; missing {missing}"
    if sum(hit) < wanted:
        return "wrong", f"{sum(hit)} of {len(groups)} named, {wanted} wanted; missing {missing}"
    return "right", f"{sum(hit)} of {len(groups)} named"


def says(text: str, phrase: str) -> bool:
    """Whether a text holds every word of a phrase, under whatever name."""
    spelled = re.compile(rf"\b{re.escape(phrase.lower())}(?:s|es)?\b")
    if spelled.search(text.lower()):
        return True
    wanted, told = standard_words(phrase), standard_words(text)
    return bool(wanted) and all(word in told or not kinds_of(word).isdisjoint(told) for word in wanted)


def now_ns(question: Json, origin_ns: int) -> int:
    """The instant at which a question is asked."""
    return origin_ns + seconds_to_ns(question["now_s"])


@click.command()
@click.argument("questions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("answers", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--origin-ns", type=int, help="The recording's first instant; by default taken from the answers.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def main(questions: Path, answers: Path, origin_ns: int | None, as_json: bool) -> None:
    """Score ANSWERS (JSON Lines of `recall4d ask --file QUESTIONS --json`) against QUESTIONS."""
    asked = json.loads(questions.read_text())
    lines = [json.loads(line) for line in answers.read_text().splitlines() if line.strip()]
    documents = {str(each["id"]): each for each in lines}
    if origin_ns is None:
        origin_ns = _origin_of(asked, documents)
    score = score_questions(asked, documents, origin_ns)
    if as_json:
        click.echo(json.dumps(score.to_json()))
        return
    for verdict in score.verdicts:
        if verdict.mark != "right":
            click.echo(f"{verdict.id} {verdict.mark}: {verdict.question}\n    {verdict.text}\n    {verdict.reason}")
    click.echo(score.table())


def _origin_of(questions: Sequence[Json], documents: Mapping[str, Json]) -> int:
    """The first instant: an answer's now less the seconds its question was asked at."""
    for question in questions:
        document = documents.get(str(question["id"]))
        if document is not None:
            return int(document["now_ns"]) - seconds_to_ns(question["now_s"])
    raise click.UsageError("no question has an answer; give --origin-ns")


if __name__ == "__main__":
    main()

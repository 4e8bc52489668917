"""Reports of models on pictures that memory kept: written beside what was observed, never over it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from recall4d.ports import Store, StoreWriter
from recall4d.records import Report

FACT = "reports"

MAX_SAID = 400
"""Characters kept of what a model said."""


def reports_of(kept: str | None) -> tuple[Report, ...]:
    """Reports in the order in which they were written, from the fact that keeps them."""
    return tuple(Report(**each) for each in json.loads(kept or "[]"))


def add_reports(store: Store, reports: Sequence[Report]) -> None:
    """Keep reports; the same question about the same picture put to the same model again replaces the answer."""
    if reports:
        with store.writing() as writer:
            take_reports(store, writer, reports)


def take_reports(store: Store, writer: StoreWriter, reports: Sequence[Report]) -> None:
    """The same, with the rest of a transaction."""
    known = {_asked(each): each for each in reports_of(store.fact(FACT))}
    for each in reports:
        known[_asked(each)] = replace(each, said=each.said[:MAX_SAID])
    writer.set_fact(FACT, json.dumps([asdict(each) for each in known.values()], ensure_ascii=False))


def _asked(report: Report) -> tuple[str, str, int, str, str]:
    return report.entry_id, report.agent, report.stamp_ns, report.question, report.model

"""`recall4d diff`: what changed."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, print_json


@click.command()
@memory_argument
@click.option("--from", "since", metavar="INSTANT", help="By default the first instant.")
@click.option("--to", "until", metavar="INSTANT", help="By default the last instant.")
@click.option("--as-of", metavar="INSTANT", help="Bound what is known by this instant instead of --to.")
@json_option
def diff(memory_dir: Path, since: str | None, until: str | None, as_of: str | None, as_json: bool) -> None:
    """Tell what appeared, moved, went and came back in the memory in DIR, in order; then which entries turned out
    to be one thing, or one to be two.
    """
    from recall4d.api import Memory
    from recall4d.cli.documents import diff_document
    from recall4d.clock import ns_to_seconds

    with Memory.open(memory_dir, create=False) as memory:
        events = memory.events(since, until, as_of)
        revisions = memory.revisions(since, as_of if until is None else until)
        origin_ns = memory.snapshot().origin_ns
    if as_json:
        print_json(diff_document(events, revisions))
        return
    for event in events:
        after_s, before_s = (ns_to_seconds(instant - origin_ns) for instant in (event.after_ns, event.before_ns))
        places = [" ".join(f"{v:.2f}" for v in xyz) for xyz in (event.from_xyz, event.to_xyz) if xyz is not None]
        where = " -> ".join(f"({place})" for place in places)
        click.echo(f"{after_s:7.1f}-{before_s:.1f} s  {event.kind}: {event.description} [{event.entry_id}] {where}")
    for each in revisions:
        told = (
            f"is [{each.other_id}]" if each.kind == "merged" else f"is two things, the other is [{each.other_id}]"
        )
        at_s = ns_to_seconds(each.at_ns - origin_ns)
        click.echo(f"{at_s:7.1f} s  {each.kind}: {each.description} [{each.entry_id}] {told}")
    click.echo(f"{len(events)} events, {len(revisions)} revisions of who is who")

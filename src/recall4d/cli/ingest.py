"""`recall4d ingest`: a recording goes in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recall4d.cli.options import json_option, print_json, recording_argument, source_options

if TYPE_CHECKING:
    from recall4d.memory.ingest import IngestReport


@click.command()
@recording_argument
@click.option(
    "--memory", "memory_dir", required=True, type=click.Path(path_type=Path), help="The memory's directory."
)
@click.option(
    "--segmenter",
    help="KIND or KIND:MODEL, such as geometric or yolo-seg:PATH, see docs/perception.md; by default the "
    "recording's own masks if it has any, else geometric.",
)
@click.option("--describer", default="appearance", show_default=True, help="appearance, or chat:MODEL.")
@click.option(
    "--mapper",
    help="Finds poses and depth for frames without: odometry (needs depth) or map-anything; by default those that "
    "came with the recording.",
)
@click.option("--embedder", help="Only for a new memory; an old one knows its own.")
@click.option(
    "--doubtful-below",
    type=click.FloatRange(0, 1),
    metavar="SIMILARITY",
    help="Only for a new memory: descriptions by so much less similar are doubtful, and the judge decides.",
)
@click.option("--judge", metavar="KIND:NAME", help="A chat model to ask about doubtful matches: openai:gemma3:4b.")
@click.option("--base-url", metavar="URL", help="Where the judge's OpenAI-compatible server listens.")
@click.option("--agent", help="Who made the recording; its folder's name if not given.")
@click.option("--shares-world", is_flag=True, help="A new agent's poses are in the world frame already.")
@click.option(
    "--min-pose-confidence", type=click.FloatRange(0, 1), help="Frames less sure of their pose write nothing."
)
@click.option("--keep-frames", type=click.IntRange(min=0), help="Keep at most so many keyframes as images.")
@source_options
@json_option
def ingest(
    recording: Path,
    memory_dir: Path,
    segmenter: str | None,
    describer: str,
    mapper: str | None,
    embedder: str | None,
    doubtful_below: float | None,
    judge: str | None,
    base_url: str | None,
    agent: str | None,
    shares_world: bool,
    min_pose_confidence: float | None,
    keep_frames: int | None,
    format_name: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Take RECORDING into a memory. Frames it already holds are left alone."""
    from recall4d.api import Memory
    from recall4d.cli.documents import ingest_document
    from recall4d.cli.model_options import open_model
    from recall4d.cli.progress import frame_bar
    from recall4d.config import AssociationSettings, IngestSettings
    from recall4d.models.judge import ModelJudge
    from recall4d.records import SourceOptions
    from recall4d.sources import open_recording

    source = open_recording(
        recording, format_name, SourceOptions(**reading, without_poses=mapper not in (None, "given"))
    )
    asked = {"min_pose_confidence": min_pose_confidence, "keep_frames": keep_frames}
    settings = IngestSettings.model_validate({name: value for name, value in asked.items() if value is not None})
    association = None if doubtful_below is None else AssociationSettings(doubtful_below=doubtful_below)
    judged_by = None if judge is None else ModelJudge(open_model(judge, base_url))
    with (
        Memory.open(memory_dir, embedder=embedder, association=association) as memory,
        frame_bar(source, recording.name) as on_frame,
    ):
        report = memory.ingest(
            source,
            agent=agent,
            shares_world=shares_world,
            segmenter=segmenter,
            describer=describer,
            mapper=None if mapper == "given" else mapper,
            settings=settings,
            judge=judged_by,
            on_frame=on_frame,
        )
        apart = report.agent in memory.snapshot().left_out
        memory.keep()
    if apart:
        click.echo(
            f"note: the map of {report.agent} is its own and its entries stay apart: bring it into the world with "
            f"`recall4d align {memory_dir}`",
            err=True,
        )
    if as_json:
        print_json(ingest_document(report))
        return _expect_some(report)
    for note in report.notes:
        click.echo(f"note: {note}", err=True)
    known = f" ({report.frames_known} known already)" if report.frames_known else ""
    click.echo(
        f"{report.frames_used} of {report.frames_read} frames used{known}, {report.observations} observations, "
        f"{report.entries_new} entries new and {report.entries_updated} updated, in {report.seconds:.1f} s"
    )
    for reason, count in sorted(report.skipped.items()):
        click.echo(f"  skipped {count} frames: {reason}")
    for reason, count in sorted(report.dropped.items()):
        click.echo(f"  dropped {count} detections: {reason}")
    _expect_some(report)


def _expect_some(report: IngestReport) -> None:
    """Refuse to call it done when frames were read and none could be used."""
    from recall4d.errors import RecordingError

    if report.frames_read and not report.frames_used and not report.frames_known:
        reasons = ", ".join(f"{count} times {reason}" for reason, count in sorted(report.skipped.items()))
        raise RecordingError(
            f"none of {report.frames_read} frames could be used ({reasons}): try `recall4d doctor`"
        )

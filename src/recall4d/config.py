"""Settings, validated where they enter. Every default says what it was measured on, in benchmarks/README.md."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class AssociationSettings(BaseModel):
    """When an observation is of a thing already in memory.

    The R4 paper asks for ||c' - c|| < epsilon and sim(SEM', SEM) > delta and gives no values. Here the two are the
    gate; inside it a one-to-one assignment decides.

    Attributes:
        rule: `assignment` as above; `published` is the paper's rule alone: of the entries nearer than epsilon and
            more similar than delta, the nearest, several observations to one entry if need be, and no folding of
            parts. For comparison.
        epsilon_m: two box centres closer than this may be the same thing, whatever their size.
        delta: cosine similarity of the two descriptions below which they are not.
        doubtful_below: descriptions less similar than delta, but by no more than this, are doubtful where the boxes
            match: a `Judge` is asked, and without one they are two things. 0 asks nothing.
        min_containment: share of the smaller box inside the larger from which they may be the same thing: the
            visible centre of a large thing wanders with the viewpoint, its box does not leave itself.
        same_class_containment: of one class name, they may be the same thing with less similar descriptions when
            this much of the smaller box lies inside the larger.
        partial_gap_m: a view cut off by the image or by something in front may continue a box this far away.
        margin_m: boxes are grown by this much before they are compared, for noise in pose and depth.
        max_views: views kept in memory for each state; a uniform sample once there are more.
        face_quantile: a face of the fused box is this quantile of the faces seen, from outside.
        sighting_gap_s: sightings closer together than this are one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: Literal["assignment", "published"] = "assignment"
    epsilon_m: float = Field(default=0.15, gt=0)
    delta: float = Field(default=0.7, ge=-1, le=1)
    doubtful_below: float = Field(default=0.0, ge=0, le=1)
    min_containment: float = Field(default=0.25, gt=0, le=1)
    same_class_containment: float = Field(default=0.5, gt=0, le=1)
    partial_gap_m: float = Field(default=0.1, ge=0)
    margin_m: float = Field(default=0.02, ge=0)
    max_views: int = Field(default=128, ge=8)
    face_quantile: float = Field(default=0.1, ge=0, lt=0.5)
    sighting_gap_s: float = Field(default=3.0, ge=0)


class IngestSettings(BaseModel):
    """How a recording is taken in.

    Attributes:
        max_skew_s: depth farther than this from its image in time gives no 3D.
        keep_frames: at most so many keyframes are kept as images, for evidence and for looking again.
        keyframe_distance_m, keyframe_angle_deg: a frame this far from the last keyframe becomes one.
        crop_px: longest side of a saved crop.
        min_pose_confidence: frames less sure of their pose write nothing; what does not say is trusted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_skew_s: float = Field(default=0.05, ge=0)
    keep_frames: int = Field(default=2000, ge=0)
    keyframe_distance_m: float = Field(default=0.3, ge=0)
    keyframe_angle_deg: float = Field(default=15.0, ge=0)
    crop_px: int = Field(default=320, ge=16)
    min_pose_confidence: float = Field(default=0.5, ge=0, le=1)


class BudgetSettings(BaseModel):
    """What answering one question with a model may cost. A call that has begun is finished.

    Attributes:
        rounds: of retrieval.
        calls: to the model.
        tokens: in and out together, as the model counts them.
        seconds: that the model takes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(default=3, ge=1, le=16)
    calls: int = Field(default=16, ge=1)
    tokens: int = Field(default=60_000, ge=1)
    seconds: float = Field(default=300.0, gt=0)


class LoopSettings(BaseModel):
    """How a model and the memory reason together.

    Attributes:
        budget: what a question may cost.
        gate: when the model is asked first whether it needs memory at all: `always`, where there is a `view`, or
            `never`.
        judge: when the model is shown what memory computed: `always`, in `doubt` (the words fit poorly, several
            things fit as well, nothing was computed, the grammar read a part of the question only, or an earlier
            round failed), or `never`.
        samples: replies to the question whether memory is needed; with more than one they must agree.
        min_confidence: product of the reply's own confidence, agreement and token probability from which an answer
            without memory counts.
        form: in which the model writes plans: `flat`, a few fields that small models can fill in, or `whole`, the
            plan language itself.
        examples: how many questions like the one asked are shown with their plans, in the flat form.
        keys: the keys that plans may use; the others are taken out of every plan (the paper's ablation).
        evidence_tokens: of evidence in one prompt, as `query.serialise` estimates them.
        look_again: how many pictures behind the evidence are shown to the model where the rounds end without an
            answer it takes; 0 shows none.
        trace: write down every question, in the memory's directory.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    budget: BudgetSettings = BudgetSettings()
    gate: Literal["always", "view", "never"] = "always"
    judge: Literal["always", "doubt", "never"] = "always"
    samples: int = Field(default=1, ge=1, le=16)
    min_confidence: float = Field(default=0.75, ge=0, le=1)
    form: Literal["flat", "whole"] = "flat"
    examples: int = Field(default=5, ge=0, le=20)
    keys: frozenset[Literal["semantic", "spatial", "temporal"]] = frozenset({"semantic", "spatial", "temporal"})
    evidence_tokens: int = Field(default=800, ge=50)
    look_again: int = Field(default=0, ge=0, le=16)
    trace: bool = True

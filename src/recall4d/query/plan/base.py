"""What every part of a plan has in common, and the bounds of what a plan may ask for."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

MAX_STEPS = 16
MAX_LIMIT = 1000
MAX_DISTANCE_M = 10_000.0
MAX_COORDINATE_M = 1_000_000.0
MAX_SECONDS = 4.0e9
"""127 years; differences of two instants still fit into 64 bits of nanoseconds."""
MAX_NS = 2**62
MAX_TEXTS = 8
MAX_KEYS = 8
MAX_CORNERS = 64
MAX_MEASURES = 8


class Part(BaseModel):
    """Base of everything in a plan: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @model_serializer(mode="wrap")
    def _tagged(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """With the `kind` that tells the members of a union apart, also where defaults are left out."""
        dumped = dump(self)
        kind = getattr(self, "kind", None)
        return dumped if kind is None else {"kind": kind, **dumped}


StepName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Text = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Metres = Annotated[float, Field(ge=0.0, le=MAX_DISTANCE_M)]
Coordinate = Annotated[float, Field(ge=-MAX_COORDINATE_M, le=MAX_COORDINATE_M)]
Xyz = tuple[Coordinate, Coordinate, Coordinate]
Seconds = Annotated[float, Field(ge=-MAX_SECONDS, le=MAX_SECONDS)]

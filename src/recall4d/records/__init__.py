"""The nouns of recall4d: frozen records, validated where they enter."""

from recall4d.records.answer import Answer, AnswerType, Evidence, Usage
from recall4d.records.detection import Description, Detection, Kind, Mask
from recall4d.records.entry import Entry, Motion, Sighting, State, View, Visibility
from recall4d.records.frame import DepthImage, Frame, FrameHeader, Label, PointCloud, StoredMasks
from recall4d.records.observation import Observation

__all__ = [
    "Answer",
    "AnswerType",
    "DepthImage",
    "Description",
    "Detection",
    "Entry",
    "Evidence",
    "Frame",
    "FrameHeader",
    "Kind",
    "Label",
    "Mask",
    "Motion",
    "Observation",
    "PointCloud",
    "Sighting",
    "State",
    "StoredMasks",
    "Usage",
    "View",
    "Visibility",
]

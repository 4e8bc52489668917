"""The nouns of recall4d: frozen records, validated where they enter."""

from recall4d.records.answer import Answer, AnswerType, Evidence, Usage
from recall4d.records.chat import Capabilities, ChatRequest, Message, Outcome, Picture, Reply, Role
from recall4d.records.detection import Description, Detection, Kind, Mask
from recall4d.records.entry import Claim, Entry, Motion, Sighting, State, View, Visibility
from recall4d.records.event import Event, EventKind
from recall4d.records.frame import DepthImage, Frame, FrameHeader, Label, PointCloud, StoredMasks
from recall4d.records.observation import Glimpse, Observation
from recall4d.records.recording import CameraAxes, PoseDirection, SourceOptions, UpAxis
from recall4d.records.report import Report
from recall4d.records.revision import Revision, RevisionKind

__all__ = [
    "Answer",
    "AnswerType",
    "CameraAxes",
    "Capabilities",
    "ChatRequest",
    "Claim",
    "DepthImage",
    "Description",
    "Detection",
    "Entry",
    "Event",
    "EventKind",
    "Evidence",
    "Frame",
    "FrameHeader",
    "Glimpse",
    "Kind",
    "Label",
    "Mask",
    "Message",
    "Motion",
    "Observation",
    "Outcome",
    "Picture",
    "PointCloud",
    "PoseDirection",
    "Reply",
    "Report",
    "Revision",
    "RevisionKind",
    "Role",
    "Sighting",
    "SourceOptions",
    "State",
    "StoredMasks",
    "UpAxis",
    "Usage",
    "View",
    "Visibility",
]

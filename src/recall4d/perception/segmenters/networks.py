"""Exported networks, ONNX or TFLite, behind one call: an image in, float arrays out.

Ultralytics' exporter writes what the model is about beside the weights: into ONNX's metadata map, or into a zip
appended to a TFLite file (`metadata.json`; in older exports `temp_meta.txt`, a printed Python dictionary).
"""

from __future__ import annotations

import ast
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import InputError, MissingExtraError, UsageError

MAX_THREADS = 4
"""More threads do not make a small network faster, and other work wants them."""

DEFAULT_SIDE_PX = 640
"""Side of the input image where a network takes any size and does not say which one it was trained for."""


class Network(Protocol):
    """An image network, loaded.

    Attributes:
        input_wh: width and height of the image it takes, pixels.
        channels_first: whether its arrays are (channels, h, w), in and most likely out.
        metadata: what its exporter wrote of it; empty when nothing.
    """

    input_wh: tuple[int, int]
    channels_first: bool
    metadata: Mapping[str, Any]

    def run(self, image: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """The outputs for one (h, w, 3) RGB image in [0, 1], each as (1, ...) floats."""
        ...


def open_network(path: Path) -> Network:
    """Load a network, its kind told by the name's ending.

    Raises:
        InputError: no such file, or not a network that can be read.
        UsageError: neither .onnx nor .tflite.
        MissingExtraError: the runtime for this kind is not installed.
    """
    kinds: dict[str, type[_OnnxNetwork] | type[_TfliteNetwork]] = {".onnx": _OnnxNetwork, ".tflite": _TfliteNetwork}
    kind = kinds.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"expected an exported model named *.onnx or *.tflite, got {path}")
    if not path.is_file():
        raise InputError(f"no model at {path}")
    return kind(path)


class _OnnxNetwork:
    def __init__(self, path: Path) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingExtraError("onnxruntime", "onnx", "running an .onnx model") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = _n_threads()
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its exceptions share no base below Exception
            raise _unreadable(path, "an ONNX model", error) from error
        self._input = self._session.get_inputs()[0]
        self._dtype = np.float16 if self._input.type == "tensor(float16)" else np.float32
        written = self._session.get_modelmeta().custom_metadata_map
        self.metadata: Mapping[str, Any] = {key: _literal(value) for key, value in written.items()}
        self.input_wh, self.channels_first = _layout(path, self._input.shape, self.metadata)

    def run(self, image: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        feed = {self._input.name: _batch(image, self.channels_first).astype(self._dtype)}
        return [np.asarray(output, dtype=np.float32) for output in self._session.run(None, feed)]


class _TfliteNetwork:
    def __init__(self, path: Path) -> None:
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            raise MissingExtraError("ai-edge-litert", "tflite", "running a .tflite model") from error
        try:
            self._interpreter = Interpreter(str(path), num_threads=_n_threads())
            self._interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as error:
            raise _unreadable(path, "a TFLite model", error) from error
        self._input = self._interpreter.get_input_details()[0]
        self._outputs = self._interpreter.get_output_details()
        self.metadata: Mapping[str, Any] = _appended_metadata(path)
        self.input_wh, self.channels_first = _layout(path, self._input["shape"].tolist(), self.metadata)

    def run(self, image: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        self._interpreter.set_tensor(
            self._input["index"], quantised(_batch(image, self.channels_first), self._input)
        )
        self._interpreter.invoke()
        return [dequantised(self._interpreter.get_tensor(each["index"]), each) for each in self._outputs]


def _n_threads() -> int:
    return min(os.cpu_count() or 1, MAX_THREADS)


def _unreadable(path: Path, kind: str, error: Exception) -> InputError:
    reason = str(error).strip().splitlines() or [type(error).__name__]
    return InputError(f"{path} cannot be read as {kind}: {reason[0]}")


def _layout(path: Path, shape: list[Any], metadata: Mapping[str, Any]) -> tuple[tuple[int, int], bool]:
    """Width and height of the input, and whether channels come first. Sizes left open are names or -1."""
    if len(shape) != 4 or 3 not in (shape[1], shape[3]):
        raise InputError(f"{path} takes {shape}: expected one RGB image, (1, 3, h, w) or (1, h, w, 3)")
    channels_first = shape[1] == 3
    trained = metadata.get("imgsz") or [DEFAULT_SIDE_PX, DEFAULT_SIDE_PX]
    sides = shape[2:] if channels_first else shape[1:3]
    height, width = (
        side if isinstance(side, int) and side > 0 else int(fallback)
        for side, fallback in zip(sides, trained, strict=True)
    )
    return (width, height), channels_first


def _batch(image: NDArray[np.float32], channels_first: bool) -> NDArray[np.float32]:
    return np.ascontiguousarray(image.transpose(2, 0, 1) if channels_first else image)[None]


def quantised(values: NDArray[np.float32], tensor: Mapping[str, Any]) -> NDArray[Any]:
    """Real values as the tensor stores them: `real = scale * (stored - zero_point)`, as TFLite specifies."""
    dtype, (scale, zero_point) = tensor["dtype"], tensor["quantization"]
    if not np.issubdtype(dtype, np.integer):
        return values.astype(dtype)
    limits = np.iinfo(dtype)
    return np.asarray(np.clip(np.rint(values / scale + zero_point), limits.min, limits.max), dtype=dtype)


def dequantised(stored: NDArray[Any], tensor: Mapping[str, Any]) -> NDArray[np.float32]:
    """The inverse of `quantised`; floats stay what they are."""
    scale, zero_point = tensor["quantization"]
    if not np.issubdtype(stored.dtype, np.integer):
        return stored.astype(np.float32)
    return np.asarray((stored.astype(np.float32) - zero_point) * np.float32(scale))


def _appended_metadata(path: Path) -> Mapping[str, Any]:
    if not zipfile.is_zipfile(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            text = archive.read(name).decode("utf-8", errors="replace")
            found = _literal(text) if name.endswith((".json", ".txt")) else None
            if isinstance(found, dict):
                return found
    return {}


def _literal(text: str) -> Any:
    """A value written as JSON or as a Python literal; the text itself when it is neither. Nothing is executed."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError):
            continue
    return text

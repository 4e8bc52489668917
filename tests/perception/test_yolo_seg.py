from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recall4d.errors import InputError, UsageError
from recall4d.perception.segmenters.masks import shared_px
from recall4d.perception.segmenters.networks import dequantised, quantised
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.perception.segmenters.yolo_seg import Letterbox, create
from recall4d.records import Mask

SIDE = 128
TFLITE = "models/yolov8n-seg_int8.tflite"


@pytest.fixture
def onnx_model(tmp_path: Path):
    """Writes a network that answers every image with the same instance, its mask the left half of the input.

    The box spans x 16..116 and y 48..88 of the 128x128 input; the class is number 1, the score 0.9.
    """
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")

    def write(n_classes: int = 2, metadata: dict[str, str] | None = None) -> Path:
        predictions = np.zeros((1, 4 + n_classes + 1, 336), np.float32)
        predictions[0, :4] = SIDE / 2
        predictions[0, :, 0] = [66, 68, 100, 40, 0, 0.9, *[0] * (n_classes - 2), 1]
        prototypes = np.where(np.arange(32) < 16, 1.0, -1.0).astype(np.float32)[None, None, None].repeat(32, axis=2)
        nodes, outputs = [], []
        for name, values in (("output0", predictions), ("output1", prototypes)):
            nodes.append(
                onnx.helper.make_node("Constant", [], [name], value=onnx.numpy_helper.from_array(values, name))
            )
            outputs.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, values.shape))
        image = onnx.helper.make_tensor_value_info("images", onnx.TensorProto.FLOAT, [1, 3, SIDE, SIDE])
        model = onnx.helper.make_model(
            onnx.helper.make_graph(nodes, "always the same", [image], outputs),
            opset_imports=[onnx.helper.make_opsetid("", 17)],
            ir_version=9,
        )
        onnx.helper.set_model_props(model, metadata or {})
        path = tmp_path / "model.onnx"
        path.write_bytes(model.SerializeToString())
        return path

    return write


def test_an_onnx_model_finds_its_instance_where_it_is_in_the_image(onnx_model, make_frame):
    model = onnx_model(metadata={"names": "{0: 'cup', 1: 'red panda'}"})
    frame = make_frame(rgb=np.zeros((128, 256, 3), np.uint8))  # fitted at half size, 32 px from the top

    (panda,) = create(str(model)).segment(frame)

    assert (panda.category, panda.kind, panda.description) == ("red panda", "thing", None)
    assert panda.score == pytest.approx(0.9)
    box_top, box_left, margin_y, margin_x = 32, 32, 4, 10
    assert panda.mask.rectangle == (box_top - margin_y, box_left - margin_x, 112 + margin_y, 128)
    assert panda.mask.patch.all()


def test_a_model_without_names_speaks_of_coco_classes_only_when_it_has_eighty(onnx_model, make_frame):
    frame = make_frame(rgb=np.zeros((SIDE, SIDE, 3), np.uint8))

    assert [found.category for found in create(str(onnx_model(n_classes=80))).segment(frame)] == ["bicycle"]
    assert [found.category for found in create(str(onnx_model(n_classes=7))).segment(frame)] == [None]


def test_the_least_score_is_an_option_of_the_name(onnx_model, make_frame):
    model, frame = onnx_model(), make_frame(rgb=np.zeros((SIDE, SIDE, 3), np.uint8))

    assert len(create(f"{model}?score=0.89").segment(frame)) == 1
    strict = create(f"{model}?score=0.91")
    assert list(strict.segment(frame)) == []
    assert strict.name == f"yolo-seg:{model}?score=0.91"


@pytest.mark.parametrize("image_wh", [(64, 64), (640, 480), (480, 640), (1296, 968), (101, 33)])
def test_a_rectangle_of_the_image_comes_back_from_the_letterbox(image_wh):
    letterbox = Letterbox.fit(image_wh, (640, 640))
    rectangle = (3, 5, image_wh[0] - 7, image_wh[1] - 2)

    assert letterbox.to_image(letterbox.to_input(rectangle)) == rectangle
    assert letterbox.apply(np.zeros((image_wh[1], image_wh[0], 3), np.uint8), (640, 640)).shape == (640, 640, 3)


def test_quantised_values_come_back_within_half_a_step():
    tensor = {"dtype": np.int8, "quantization": (1 / 255, -128)}
    values = np.linspace(0, 1, 50, dtype=np.float32)

    stored = quantised(values, tensor)

    assert stored.dtype == np.int8
    assert dequantised(stored, tensor) == pytest.approx(values, abs=0.5 / 255 + 1e-6)


def iou(a: Mask, b: Mask) -> float:
    shared = shared_px(a, b)
    return shared / (a.area_px + b.area_px - shared)


def test_the_real_kitchens_cups_chairs_and_tables_are_found_and_nothing_else_is_called_so(shared, read_frame):
    pytest.importorskip("ai_edge_litert")
    segmenter, annotated = create(str(shared(TFLITE))), StoredSegmenter()
    n_right: dict[str, int] = {"cup": 0, "chair": 0, "dining table": 0}

    for number in (240, 320, 360, 520, 960):
        frame = read_frame(shared("data/red_kitchen"), number)
        truth = annotated.segment(frame)
        for found in segmenter.segment(frame):
            if found.category in n_right:
                same = [thing for thing in truth if thing.category == found.category]
                assert max(iou(found.mask, thing.mask) for thing in same) > 0.4, (number, found.category)
                n_right[found.category] += 1

    assert n_right["cup"] >= 7
    assert n_right["chair"] >= 8
    assert n_right["dining table"] >= 4


def test_a_detector_without_masks_is_refused_when_it_is_opened(shared):
    pytest.importorskip("onnxruntime")
    with pytest.raises(InputError, match=r"FastestDet.onnx is no YOLO-seg export: .*got \(1, 85, 22, 22\)"):
        create(str(shared("models/FastestDet.onnx")))


@pytest.mark.parametrize("name", ["model.onnx", "model.tflite"])
def test_a_file_that_is_no_model_is_refused(tmp_path, name):
    pytest.importorskip("onnxruntime" if name.endswith("onnx") else "ai_edge_litert")
    (tmp_path / name).write_bytes(b"<!doctype html> not found")

    with pytest.raises(InputError, match=f"{name} cannot be read as an? (ONNX|TFLite) model"):
        create(str(tmp_path / name))


def test_a_missing_model_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"no model at .*gone.onnx"):
        create(str(tmp_path / "gone.onnx"))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (None, "needs a model"),
        ("weights.pt", r"expected an exported model named \*.onnx or \*.tflite"),
        ("m.onnx?score=2", "S between 0 and 1"),
        ("m.onnx?score=high", "S between 0 and 1"),
        ("m.onnx?iou=0.5", "S between 0 and 1"),
        ("m.onnx?fast", "S between 0 and 1"),
    ],
)
def test_an_argument_that_makes_no_sense_is_a_usage_error(argument, message):
    with pytest.raises(UsageError, match=message):
        create(argument)

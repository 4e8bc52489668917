"""What the adapters of torch models share: device, number type, and one sentence when a model cannot be loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from recall4d.errors import MissingExtraError, ModelError
from recall4d.perception.arguments import Options

Loaded = TypeVar("Loaded")

DType = Literal["float32", "bfloat16", "float16"]


class TorchOptions(Options):
    """Options of every adapter that runs a torch model.

    Attributes:
        device: as torch names it ("cuda:1"); the first GPU by default, else the processor.
        dtype: of weights and activations; half the memory with "bfloat16" or "float16".
    """

    device: str = ""
    dtype: DType = "float32"


def torch_and_transformers(purpose: str) -> tuple[Any, Any]:
    """The two modules, imported here because that takes seconds.

    Raises:
        MissingExtraError: one of them, or torchvision, is not installed.
    """
    try:
        import torch
        import torchvision  # noqa: F401  (SAM 2's image processor is written with it)
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "transformers", "transformers", purpose) from error
    return torch, transformers


def device_of(torch: Any, options: TorchOptions) -> Any:
    """The torch device to run on.

    Raises:
        ModelError: the device named is not on this machine.
    """
    if options.device:
        try:
            return torch.empty(0, device=options.device).device
        except (RuntimeError, AssertionError) as error:
            raise ModelError(f"no device {options.device!r} here: {_first_line(error)}") from error
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def load(model: str, purpose: str, read: Callable[[], Loaded]) -> Loaded:
    """What `read` loads of a model.

    Raises:
        ModelError: it is neither a folder nor to be had from the hub, or not a model of this kind.
    """
    try:
        return read()
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:  # transformers raises all of these
        raise ModelError(
            f"{model} cannot be loaded for {purpose}: {_first_line(error)} "
            "(give a folder written by save_pretrained, or a name on the hub that this machine can reach)"
        ) from error


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]

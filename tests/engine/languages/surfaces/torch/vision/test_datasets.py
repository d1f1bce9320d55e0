"""torchvision's data sets and transforms, by numbers that can be checked by hand."""

from __future__ import annotations

from typing import Any

from engine.execution.budget import Limits
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from tests.limits import ROOMY

HEAD = "import torch\nimport numpy as np\nimport torchvision\nfrom torchvision import datasets, transforms\n"


def outcome_of(source: str) -> Any:
    """What a program leaves behind. Fails where it is stopped."""
    outcome = run_request(ProgramRequest(HEAD + source, dialect="torch"), Limits(wall_s=60.0))
    assert [one.message for one in outcome.diagnostics if one.severity == "error"] == []
    return outcome


def printed(source: str) -> list[str]:
    """What a program prints."""
    return [str(line) for line in outcome_of(source).printed]


def test_to_tensor_brings_the_channels_to_the_front_and_divides_by_255() -> None:
    source = (
        "x = transforms.ToTensor()(np.array([[[255, 0, 51]]], dtype=np.uint8))\nprint(x.shape, x.flatten())"
    )
    assert printed(source) == ["torch.Size([3, 1, 1]) tensor([1.0000, 0.0000, 0.2000])"]


def test_normalize_takes_the_mean_away_and_divides_by_the_spread() -> None:
    source = "print(transforms.Normalize((0.5,), (0.25,))(torch.tensor([[[1.0, 0.5]]])))"
    assert printed(source) == ["tensor([[[2., 0.]]])"]  # (1 - 0.5) / 0.25


def test_a_batch_that_is_taken_at_once_is_that_of_its_pictures_one_by_one() -> None:
    source = """
both = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1,), (0.3,))])
data = datasets.MNIST("data", train=False, transform=both, download=True)
images, labels = next(iter(torch.utils.data.DataLoader(data, batch_size=3)))
one = torch.stack([data[i][0] for i in range(3)])
print(images.shape, torch.equal(images, one), labels.tolist() == [data[i][1] for i in range(3)])
"""
    assert printed(source) == ["torch.Size([3, 1, 28, 28]) True True"]


def test_a_data_set_prints_as_torchvision_prints_it() -> None:
    lines = printed('print(datasets.MNIST("data", transform=transforms.ToTensor()))')
    assert lines == [
        "Dataset MNIST",
        "    Number of datapoints: 1200",
        "    Root location: data",
        "    Split: Train",
        "    StandardTransform",
        "Transform: ToTensor()",
    ]


def test_a_note_says_that_the_digits_are_not_mnist() -> None:
    outcome = outcome_of('datasets.MNIST("data")')
    assert [one.code for one in outcome.diagnostics] == ["stand_in_data"]


def test_crops_flips_and_margins_move_pixels_and_change_none() -> None:
    source = """
x = torch.arange(4.0).reshape(1, 2, 2)
print(transforms.RandomHorizontalFlip(p=1.0)(x).tolist(), transforms.RandomCrop(2, padding=1)(x).shape)
print(transforms.CenterCrop(1)(torch.arange(9.0).reshape(1, 3, 3)).item(), transforms.Pad(1)(x).sum().item())
"""
    assert printed(source) == ["[[[1.0, 0.0], [3.0, 2.0]]] torch.Size([1, 2, 2])", "4.0 6.0"]


def test_a_grid_of_two_grey_pictures_stands_in_one_row_with_margins() -> None:
    assert printed("print(torchvision.utils.make_grid(torch.ones(2, 1, 3, 3)).shape)") == [
        "torch.Size([3, 7, 12])"
    ]


def test_trained_models_are_refused_with_a_reason() -> None:
    source = HEAD + "net = torchvision.models.resnet18()"
    outcome = run_request(ProgramRequest(source, dialect="torch"), ROOMY)
    assert [one.code for one in outcome.diagnostics] == ["refused_name"]


def test_functions_of_transforms_do_what_the_transforms_do() -> None:
    source = """
import torchvision.transforms.functional as TF
x = torch.arange(12, dtype=torch.uint8).reshape(3, 2, 2)
print(TF.convert_image_dtype(x)[0, 1].tolist(), TF.hflip(x)[0].tolist(), TF.vflip(x)[0].tolist())
print(TF.crop(x, 1, 0, 1, 2)[2].tolist(), TF.normalize(x.float(), [0.0] * 3, [2.0] * 3)[2, 1].tolist())
print(TF.pad(x, 1, padding_mode="edge")[0].tolist(), TF.rgb_to_grayscale(x).tolist())
"""
    assert printed(source) == [  # as torchvision 0.29.1 prints
        "[0.007843137718737125, 0.0117647061124444] [[1, 0], [3, 2]] [[2, 3], [0, 1]]",
        "[[10, 11]] [5.0, 5.5]",
        "[[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]] [[[3, 4], [5, 6]]]",
    ]


def test_what_a_transform_would_pass_over_is_refused() -> None:
    for call in ("RandomCrop(2, pad_if_needed=True)", "Resize(2, max_size=3)"):
        outcome = run_request(
            ProgramRequest(HEAD + f"transforms.{call}(torch.rand(1, 4, 4))", dialect="torch"), ROOMY
        )
        assert [one.code for one in outcome.diagnostics] == ["refused_name"]

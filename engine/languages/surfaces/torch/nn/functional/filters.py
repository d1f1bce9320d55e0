"""Filters over padded images, and the two functions that are its gradients: each is linear in both arguments.

So the gradient of any of the three is made of the other two, however often it is differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.ops.base.building import constant_node
from engine.ops.networks.convolution import conv2d_backprop_filter, conv2d_backprop_input, conv2d_op

LAST, FIRST = [0, 2, 3, 1], [0, 3, 1, 2]  # channels last, as the kernel takes images, and first
OF_FILTER, FROM_FILTER = [2, 3, 1, 0], [3, 2, 0, 1]  # (O, C, *K) as (*K, C, O), and back


def _how(stride: Any, dilation: Any) -> dict[str, Any]:
    return {"strides": (1, *stride, 1), "padding": "VALID", "dilations": (1, *dilation, 1)}


def _sizes(shape: Any, order: Any) -> Any:
    return constant_node(np.array([shape[axis] for axis in order], np.int32), "sizes")


@differentiable("ConvolutionBackward0", saves="images weight stride dilation", inputs="images weight")
def filtered(images: Any, weight: Any, stride: Any, dilation: Any) -> Any:
    """Shapes: (N, C, H, W), (O, C, h, w) -> (N, O, H', W')."""
    x, w = ops.transpose(images, LAST), ops.transpose(weight, OF_FILTER)
    return ops.transpose(conv2d_op(x, w, **_how(stride, dilation)), FIRST)


@filtered.backward
def _filtered_backward(saved: Any, grad: Any) -> Any:
    images, weight, stride, dilation = saved.images, saved.weight, saved.stride, saved.dilation
    return (
        lambda: to_images(weight, grad, images.shape, stride, dilation),
        lambda: to_weight(images, grad, weight.shape, stride, dilation),
    )


@differentiable("ConvolutionBackward0", saves="weight grad stride dilation", inputs="weight grad")
def to_images(weight: Any, grad: Any, shape: Any, stride: Any, dilation: Any) -> Any:
    """What each element of the images gets. Shapes: (O, C, h, w), (N, O, H', W') -> (N, C, H, W)."""
    w, dy = ops.transpose(weight, OF_FILTER), ops.transpose(grad, LAST)
    found = conv2d_backprop_input(_sizes(shape, LAST), w, dy, **_how(stride, dilation))
    return ops.transpose(found, FIRST)


@to_images.backward
def _to_images_backward(saved: Any, images: Any) -> Any:
    weight, grad, stride, dilation = saved.weight, saved.grad, saved.stride, saved.dilation
    return (
        lambda: to_weight(images, grad, weight.shape, stride, dilation),
        lambda: filtered(images, weight, stride, dilation),
    )


@differentiable("ConvolutionBackward0", saves="images grad stride dilation", inputs="images grad")
def to_weight(images: Any, grad: Any, shape: Any, stride: Any, dilation: Any) -> Any:
    """What each element of the filters gets. Shapes: (N, C, H, W), (N, O, H', W') -> (O, C, h, w)."""
    x, dy = ops.transpose(images, LAST), ops.transpose(grad, LAST)
    found = conv2d_backprop_filter(x, _sizes(shape, OF_FILTER), dy, **_how(stride, dilation))
    return ops.transpose(found, FROM_FILTER)


@to_weight.backward
def _to_weight_backward(saved: Any, weight: Any) -> Any:
    images, grad, stride, dilation = saved.images, saved.grad, saved.stride, saved.dilation
    return (
        lambda: to_images(weight, grad, images.shape, stride, dilation),
        lambda: filtered(images, weight, stride, dilation),
    )

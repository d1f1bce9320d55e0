"""What Gradlens leaves out of PyTorch: names, so that none is taken for misspelt, with what to do instead."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.torch.errors import COMPLEX, not_here
from engine.languages.surfaces.torch.registry import TORCH, torch_function

Hints = tuple[str, str]

HALF: Hints = (
    "Use torch.float32, torch.float16 or torch.bfloat16.",
    "请使用 torch.float32、torch.float16 或 torch.bfloat16。",
)
SPARSE: Hints = (
    "Use a tensor with its zeros, as torch.zeros(…) with index_put_ or scatter_ makes it.",
    "请使用含零的普通张量，例如用 torch.zeros(…) 和 index_put_、scatter_ 生成。",
)
QUANTIZED: Hints = (
    "Quantized numbers are not part of Gradlens. Use floats.",
    "Gradlens 不包含量化数。请使用浮点数。",
)
COMPILED: Hints = (
    "Call the function or the module itself: the numbers are the same.",
    "请直接调用函数或模块本身，数值相同。",
)
PLAIN: Hints = ("It is not part of Gradlens.", "Gradlens 不包含它。")
LAYOUT: Hints = (
    "Leave it out: how a tensor lies in memory changes no number.",
    "请去掉它：张量在内存中的排列不影响数值。",
)

LEFT_OUT: tuple[tuple[Hints, str], ...] = (
    (
        COMPLEX,
        """
        complex32 chalf stft istft eig fft.hfft fft.ihfft fft.hfft2 fft.ihfft2
        """,
    ),
    (HALF, "float8_e4m3fn float8_e5m2 uint16 uint32 uint64"),
    (
        SPARSE,
        """
        sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_compressed_tensor
        sparse_coo sparse_csr spmm smm sspaddmm hspmm sparse.mm sparse.sum sparse.softmax sparse.addmm
        optim.SparseAdam
        """,
    ),
    (
        QUANTIZED,
        """
        quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic dequantize qint8 quint8 qint32
        ao.quantization.quantize_dynamic quantization.quantize_dynamic quantization.prepare
        quantization.convert quantization.QuantStub quantization.DeQuantStub
        """,
    ),
    (
        COMPILED,
        """
        fx.symbolic_trace fx.Tracer fx.GraphModule fx.Interpreter fx.wrap jit.trace jit.load jit.save
        export.export onnx.export
        """,
    ),
    (LAYOUT, "channels_last channels_last_3d"),
    (
        PLAIN,
        """
        igamma igammac lobpcg pca_lowrank svd_lowrank geqrf ormqr orgqr
        kaiser_window segment_reduce histogramdd i0 frombuffer from_file
        cuda.Event cuda.Stream cuda.stream cuda.current_stream cuda.CUDAGraph
        nn.AdaptiveLogSoftmaxWithLoss nn.FractionalMaxPool2d nn.FractionalMaxPool3d nn.SyncBatchNorm
        nn.CrossMapLRN2d nn.Buffer
        nn.functional.fractional_max_pool2d
        nn.functional.multi_head_attention_forward nn.utils.skip_init
        nn.utils.fuse_conv_bn_eval nn.utils.prune.BasePruningMethod nn.utils.prune.LnStructured
        nn.utils.prune.RandomStructured
        utils.data.DistributedSampler
        distributions.LKJCholesky distributions.LowRankMultivariateNormal distributions.VonMises
        distributions.Wishart distributions.ContinuousBernoulli distributions.FisherSnedecor
        distributions.InverseGamma distributions.Kumaraswamy distributions.LogisticNormal
        distributions.register_kl distributions.StickBreakingTransform distributions.SoftmaxTransform
        distributions.StackTransform distributions.IndependentTransform
        linalg.householder_product linalg.ldl_factor linalg.ldl_solve
        special.i0 special.i0e special.i1 special.i1e special.zeta special.gammainc special.gammaincc
        special.erfcx special.bessel_j0 special.bessel_j1 special.bessel_y0
        profiler.profile profiler.record_function autograd.profiler.profile distributed.init_process_group
        nn.parallel.DistributedDataParallel multiprocessing.spawn hub.load utils.benchmark.Timer
        """,
    ),
)

METHODS: tuple[tuple[Hints, str], ...] = (
    (COMPLEX, "chalf stft istft"),
    (SPARSE, "to_sparse to_sparse_csr coalesce indices values sparse_dim dense_dim sparse_mask"),
    (
        PLAIN,
        "storage map_",
    ),
)


def refused_names() -> dict[str, Hints]:
    """Names of `torch` that are left out, each with its hint in both languages."""
    found = {name: hints for hints, names in LEFT_OUT for name in names.split()}
    return {name: hints for name, hints in found.items() if name not in TORCH}


def _refuse_method(name: str, hints: Hints) -> None:
    def refuse(self: Any, *args: Any, **keywords: Any) -> Any:
        raise not_here(f"Tensor.{name}()", f" Tensor.{name}()", *hints)

    refuse.__doc__ = "Refused."
    torch_function(name, method="only")(refuse)


for _hints, _names in METHODS:
    for _name in _names.split():
        _refuse_method(_name, _hints)

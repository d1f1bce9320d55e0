"""PyTorch's optimizers (as of PyTorch 2) as rules.

PyTorch updates a parameter in several small steps; here each update is one Apply op, so that its graph reads
like TensorFlow 1's. The op types begin with `ApplyTorch`.
"""

from engine.optimizers.rules.torch.adadelta import Adadelta
from engine.optimizers.rules.torch.adafactor import Adafactor
from engine.optimizers.rules.torch.adagrad import Adagrad
from engine.optimizers.rules.torch.adam import Adam
from engine.optimizers.rules.torch.adamax import Adamax
from engine.optimizers.rules.torch.asgd import ASGD
from engine.optimizers.rules.torch.nadam import NAdam
from engine.optimizers.rules.torch.radam import RAdam
from engine.optimizers.rules.torch.rmsprop import RMSprop
from engine.optimizers.rules.torch.rprop import Rprop
from engine.optimizers.rules.torch.rule import TorchRule
from engine.optimizers.rules.torch.sgd import SGD, PlainSGD

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "Adamax",
    "NAdam",
    "PlainSGD",
    "RAdam",
    "RMSprop",
    "Rprop",
    "TorchRule",
]

"""What is asked of graphs that other programs wrote, and what the answers look like."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from server.schemas.answers.common import Answer, Diagnostic, Value
from server.schemas.answers.programs import GraphView
from server.schemas.request_parts import MAX_NAMES, ByName, Name, Tensor
from server.schemas.requests import Request


class ImportedGradients(Request):
    """Which gradient an imported graph is to be grown by."""

    y: Name = Field(description="A tensor or a node.", examples=["loss/Mean"])
    xs: Annotated[list[Name], Field(fail_fast=True, min_length=1, max_length=MAX_NAMES)] = Field(
        description="Tensors or nodes, such as variables.", examples=[["w", "b"]]
    )


class ImportedValues(Request):
    """What an imported graph is run with."""

    feeds: ByName[Tensor] = Field(default={}, description="Values of placeholders or other tensors, by name.")
    variables: ByName[Tensor] = Field(
        default={}, description="Values of variables, by name; the others take their initial ones."
    )


class OpCount(Answer):
    """How many nodes of the graph are of one op."""

    op: str
    count: int


class Statistics(Answer):
    """What a graph consists of; `parameters` are the numbers in variables of known shape."""

    edges: int
    control_edges: int
    scopes: int
    phases: dict[str, int]
    variables: int
    parameters: int
    kinds: int = Field(description="Of ops; `ops` counts the most frequent.")
    ops: list[OpCount]


class ImportAnswer(Answer):
    """A graph that another program wrote; `format` is what its file turned out to be."""

    id: str
    format: Literal["pb", "pbtxt", "saved_model", "meta_graph", "events"]
    nodes: int
    graph: GraphView
    statistics: Statistics
    diagnostics: list[Diagnostic]


class Rows(Answer):
    """The tensors of a gradient that holds rows only."""

    values: str
    indices: str
    dense_shape: str | None


class ImportedGradient(Answer):
    """One gradient of an imported graph; `tensor` is null where there is none, and `reason` says why."""

    y: str
    x: str
    name: str
    tensor: str | None
    rows: Rows | None = None
    reason: str | None
    reason_zh: str | None


class ImportedGradientsAnswer(ImportAnswer):
    """The graph grown by the gradient nodes that TensorFlow would add; it is an import of its own by `id`."""

    of: str = Field(description="The import that it was grown from.")
    gradients: list[ImportedGradient]


class ImportedValuesAnswer(Answer):
    """Values of all that can be computed, by tensor."""

    id: str
    values: dict[str, Value]
    variables: dict[str, Literal["given", "initial", "none"]]
    unfed: list[str] = Field(description="Placeholders without a value.")
    diagnostics: list[Diagnostic]

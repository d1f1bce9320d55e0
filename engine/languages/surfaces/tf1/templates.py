"""`tf.make_template`: a function whose variables are made at its first call, and used again at the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.graph import Graph, Variable
from engine.graph.variables.variable_scopes import VariableScope, store_of, variable_scope
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import current_graph


@dataclass(slots=True, eq=False)
class Template:
    """A function of the program with a place for its variables.

    settings: arguments that every call has; scope: the place, once it was called.
    """

    name: str
    function: Any
    settings: dict[str, Any]
    unique_name: str | None = None
    scope: VariableScope | None = None

    @property
    def variables(self) -> list[Variable]:
        """Its variables in the order in which they were made."""
        if self.scope is None:
            return []
        graph: Any = current_graph()
        prefix = f"{self.scope.name}/"
        return [one for name, one in store_of(graph).variables.items() if name.startswith(prefix)]


TEMPLATE = members_of(Template, "Template")


@TF.function("make_template", name_=ANY, func_=ANY)
def make_template(
    name_: Any,
    func_: Any,
    create_scope_now_: Any = False,
    unique_name_: Any = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Template:
    """A function that shares its variables between its calls."""
    refuse_given("make_template", {"custom_getter_": custom_getter_}, *LEFT_OUT)
    made = Template(name_, func_, kwargs, unique_name_)
    if create_scope_now_:
        graph: Any = current_graph()
        with variable_scope(graph, unique_name_, name_) as made.scope:
            pass
    return made


LEFT_OUT = ("Leave it out.", "请去掉它。")


def _call(
    interpreter: Interpreter, template: Template, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    graph: Graph = current_graph()  # type: ignore[assignment]  # a Graph
    given = {**template.settings, **keywords}
    if template.scope is None:
        with variable_scope(graph, template.unique_name, template.name) as template.scope:
            return interpreter.call(template.function, args, given)
    reuse = True if template.variables else None
    with variable_scope(graph, template.scope, reuse=reuse):
        return interpreter.call(template.function, args, given)


CALLABLES[Template] = _call
TEMPLATE.fact("name")(lambda template: template.name)
TEMPLATE.fact("variable_scope", "var_scope")(lambda template: template.scope)
TEMPLATE.fact("variables", "weights", "global_variables")(lambda template: template.variables)
TEMPLATE.fact("trainable_variables", "trainable_weights")(
    lambda template: [one for one in template.variables if one.trainable]
)

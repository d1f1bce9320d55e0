"""Modules of the page become one script."""

from __future__ import annotations

from pathlib import Path

import pytest
import quickjs

from server.pictures.linking import MODULES, linked


def exports(folder: Path, entry: str, what: str) -> object:
    """What a linked module exports under a name, called without arguments."""
    context = quickjs.Context()
    context.eval(linked(folder, entry))
    return context.eval(f'{MODULES}["{entry}"].{what}()')


def write(folder: Path, **modules: str) -> None:
    """Modules of these texts."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)


def test_a_module_finds_what_others_export_under_the_names_that_it_gives_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        a='import { two as b } from "./b.js";\nimport * as C from "./c.js";\n'
        "const two = 1;\nexport const sum = () => b + C.three() + two;\n",
        b="// export const two = 9;\nexport const two = 2;\n",
        c='import { two } from "./b.js";\nexport function three() {\n  return two + 1;\n}\n',
    )
    assert exports(tmp_path, "a.js", "sum") == 6  # 2 + 3 + 1


def test_a_list_of_names_may_take_several_lines(tmp_path: Path) -> None:
    write(
        tmp_path,
        a='import {\n  one,\n  two,\n} from "./b.js";\nexport const sum = () => one + two;\n',
        b="export const one = 1;\nexport const two = 2;\n",
    )
    assert exports(tmp_path, "a.js", "sum") == 3


@pytest.mark.parametrize(
    "line", ['export * from "./b.js";', 'import b from "./b.js";', "export default 1;", 'import "./b.js";']
)
def test_what_is_written_in_another_way_is_named(tmp_path: Path, line: str) -> None:
    write(tmp_path, a=f"{line}\n", b="export const one = 1;\n")
    with pytest.raises(ValueError) as error:
        linked(tmp_path, "a.js")
    assert str(error.value) == f"a.js: {line}"

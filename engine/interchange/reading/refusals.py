"""Why a file is not opened, in words: what is wrong with it, where, and what to try."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import GradlensError, quoted
from engine.interchange.reading.parser_words import in_both_languages

SHOWN = 5  # names of nodes in a message


class FileRefused(GradlensError):
    """A file that holds no graph which could be opened."""

    code = "not_a_graph"


def no_graph() -> FileRefused:
    """Nothing in the file reads as a graph."""
    return FileRefused(
        "This file holds no graph that can be read.",
        message_zh="这个文件里没有可以读取的计算图。",
        hint="Open a GraphDef (.pb or .pbtxt), a saved_model.pb, or an event file of TensorBoard.",
        hint_zh="请打开 GraphDef（.pb 或 .pbtxt）、saved_model.pb 或 TensorBoard 的事件文件。",
    )


def empty_graph() -> FileRefused:
    """The file is well formed and has no nodes."""
    return FileRefused(
        "The graph in this file has no nodes.",
        message_zh="这个文件中的计算图没有节点。",
        hint="Write it again after the graph was built, e.g. tf.get_default_graph().as_graph_def().",
        hint_zh="请在构建图之后重新写出，例如 tf.get_default_graph().as_graph_def()。",
        code="empty_graph",
    )


def damaged() -> FileRefused:
    """The file ends in the middle of something, or its bytes were changed."""
    return FileRefused(
        "This file is damaged: its bytes end too early, or some of them are not those that were written.",
        message_zh="这个文件已损坏：内容过早结束，或其中的字节与写入时不同。",
        hint="Copy or download it again, and compare its size with the original's.",
        hint_zh="请重新复制或下载，并与原文件比较大小。",
        code="damaged_file",
    )


def bad_text(line: int, column: int, what: str) -> FileRefused:
    """A text that is no GraphDef's from some line on; `what` in protobuf's words."""
    english, chinese = in_both_languages(what)
    return FileRefused(
        f"Line {line}, column {column} of this text is not that of a GraphDef: {english}",
        message_zh=f"这段文本的第 {line} 行第 {column} 列不符合 GraphDef 的写法：{chinese}",
        hint='A .pbtxt file holds blocks such as: node { name: "y" op: "Exp" input: "x" }',
        hint_zh='一个 .pbtxt 文件由这样的块组成：node { name: "y" op: "Exp" input: "x" }',
        code="bad_text",
    )


def too_large(limit_bytes: int, *, unpacked: bool = False) -> FileRefused:
    """More bytes than are read."""
    what, what_zh = (
        ("What is packed in this file", "压缩包中的内容") if unpacked else ("This file", "这个文件")
    )
    return FileRefused(
        f"{what} is over {limit_bytes:,} bytes.",
        message_zh=f"{what_zh}超过 {limit_bytes:,} 字节。",
        hint="Write the graph without the values of its variables: as a GraphDef that is not frozen.",
        hint_zh="请写出不含变量值的图：即未冻结的 GraphDef。",
        code="file_too_large",
    )


def too_many(count: int, limit: int, what: str, what_zh: str) -> FileRefused:
    """More nodes, inputs or attributes than are opened."""
    return FileRefused(
        f"The graph has {count:,} {what}; at most {limit:,} are opened.",
        message_zh=f"这个图有 {count:,} 个{what_zh}；最多打开 {limit:,} 个。",
        hint="Write a part of it, for example with tf.graph_util.extract_sub_graph.",
        hint_zh="请只写出其中一部分，例如用 tf.graph_util.extract_sub_graph。",
        code="too_many_nodes",
    )


def nested_too_deep() -> FileRefused:
    """Messages in messages beyond any that TensorFlow writes."""
    return FileRefused(
        "Something in this file is nested more deeply than can be read.",
        message_zh="这个文件中的嵌套层次超过了可以读取的限度。",
        hint="TensorFlow writes nothing of that kind; look at how the file was made.",
        hint_zh="TensorFlow 不会写出这样的内容；请检查文件是如何生成的。",
        code="nested_too_deep",
    )


def bad_archive(what: str, what_zh: str) -> FileRefused:
    """A compressed file without exactly one graph in it."""
    return FileRefused(
        f"This compressed file {what}.",
        message_zh=f"这个压缩文件{what_zh}。",
        hint="Unpack it, and open the saved_model.pb, .pb or .pbtxt that it holds.",
        hint_zh="请先解压，再打开其中的 saved_model.pb、.pb 或 .pbtxt。",
        code="bad_archive",
    )


def bad_name(place: int, name: str, what: str, what_zh: str) -> FileRefused:
    """A node without a name that it can be called by."""
    return FileRefused(
        f"Node {place + 1} of the file, {quoted(name)}, {what}.",
        message_zh=f"文件中的第 {place + 1} 个节点 {quoted(name)} {what_zh}。",
        hint="TensorFlow's names are of letters, digits and _ . - / alone; look at how the file was made.",
        hint_zh="TensorFlow 的名称只含字母、数字和 _ . - /；请检查文件是如何生成的。",
        code="bad_name",
    )


def duplicate(name: str, first: int, second: int) -> FileRefused:
    """Two nodes of one name."""
    return FileRefused(
        f"Nodes {first + 1} and {second + 1} of the file are both named {quoted(name)}.",
        message_zh=f"文件中的第 {first + 1} 个与第 {second + 1} 个节点都叫 {quoted(name)}。",
        hint="The names in a graph are unique; write one of the two under another name.",
        hint_zh="图中的名称各不相同；请给其中一个换名称。",
        code="duplicate_name",
    )


def unknown_input(node: str, wanted: str) -> FileRefused:
    """An input that no node of the file is called."""
    return FileRefused(
        f"Node {quoted(node)} takes {quoted(wanted)}, which is not in the file.",
        message_zh=f"节点 {quoted(node)} 需要 {quoted(wanted)}，而文件中没有它。",
        hint="The file holds a part of a graph only; write the whole of it.",
        hint_zh="文件只包含图的一部分；请写出整个图。",
        code="unknown_input",
    )


def cyclic(names: Sequence[str]) -> FileRefused:
    """Nodes that wait for each other in a circle, and no loop of TensorFlow's."""
    way = " → ".join(map(quoted, [*names[:SHOWN], *(["…"] if len(names) > SHOWN else []), names[0]]))
    return FileRefused(
        f"These nodes wait for each other in a circle: {way}.",
        message_zh=f"这些节点互相等待，形成了环：{way}。",
        hint="Only a NextIteration, which ends a turn of a loop, leads back; look at how the file was made.",
        hint_zh="只有结束一轮循环的 NextIteration 可以返回；请检查文件是如何生成的。",
        code="cyclic_graph",
    )

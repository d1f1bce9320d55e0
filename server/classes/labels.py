"""Labels by which students recognise their own dot: a colour and an animal, in both languages."""

from __future__ import annotations

COLOURS = (
    ("blue", "蓝"), ("red", "红"), ("green", "绿"), ("golden", "金"), ("violet", "紫"),
    ("orange", "橙"), ("white", "白"), ("black", "黑"), ("silver", "银"), ("pink", "粉"),
    ("grey", "灰"), ("brown", "棕"), ("amber", "琥珀"), ("turquoise", "青"), ("crimson", "绯"),
)  # fmt: skip
ANIMALS = (
    ("crane", "鹤"), ("tiger", "虎"), ("panda", "熊猫"), ("dolphin", "海豚"), ("fox", "狐"),
    ("owl", "猫头鹰"), ("turtle", "龟"), ("horse", "马"), ("otter", "水獭"), ("eagle", "鹰"),
    ("whale", "鲸"), ("rabbit", "兔"), ("lynx", "猞猁"), ("swan", "天鹅"), ("koala", "考拉"),
    ("deer", "鹿"), ("seal", "海豹"), ("heron", "鹭"), ("bear", "熊"), ("camel", "骆驼"),
    ("falcon", "隼"), ("gecko", "壁虎"), ("zebra", "斑马"), ("sparrow", "麻雀"),
)  # fmt: skip
STRIDE = 157  # has no factor in common with the number of labels: neighbours look nothing alike
COUNT = len(COLOURS) * len(ANIMALS)


def label(number: int) -> dict[str, str]:
    """The label of a student by their number in the class, from 0: `{"en": "blue crane", "zh": "蓝鹤"}`.

    The first 360 differ; later ones carry a number, too.
    """
    colour, animal = divmod(number * STRIDE % COUNT, len(ANIMALS))
    again = f" {number // COUNT + 1}" if number >= COUNT else ""
    return {
        "en": f"{COLOURS[colour][0]} {ANIMALS[animal][0]}{again}",
        "zh": f"{COLOURS[colour][1]}{ANIMALS[animal][1]}{again}",
    }

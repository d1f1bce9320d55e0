// The words of the gallery and of the card, which come with them.

import { computed } from "@preact/signals-core";

import { inLanguage, translator } from "../../i18n/i18n.js";
import { state } from "../../store.js";

/** @import { Bilingual } from "../../types.js" */

/** @type {Record<import("../../i18n/i18n.js").Language, Record<string, string>>} */
export const WORDS = {
  en: {
    title: "Examples and lessons",
    examples: "Examples",
    lessons: "Lessons",
    close: "Close",
    search: "Search the examples",
    search_hint: "chain rule, 链式法则, 鏈式法則, clip…",
    "found.one": "{count} example",
    "found.other": "{count} examples",
    nothing: "No example speaks of that. Try another word, in English or Chinese.",
    failed: "The examples cannot be loaded: the server does not answer.",
    loading: "Loading…",
    core: "core",
    core_title: "Belongs to the core of the course",
    done: "done",
    minutes: "about {count} minutes",
    "stops.one": "{count} stop",
    "stops.other": "{count} stops",
    begin: "Begin",
    go_on: "Go on at {place}",
    card: "What to do here",
    fold: "Fold the card",
    unfold: "Open the card",
    leave: "Close the card",
    forms: "The same example in another language",
    prompts: "To do",
    actions: "Try",
    ask: "Predict.",
    closing: "At the end.",
    show: "Show the answer",
    trap: "Take care.",
    next: "Next:",
    place: "{place} of {count}",
    previous_stop: "The stop before",
    next_stop: "The next stop",
    over: "That was the last stop of this lesson.",
  },
  "zh-CN": {
    title: "示例与课程",
    examples: "示例",
    lessons: "课程",
    close: "关闭",
    search: "搜索示例",
    search_hint: "链式法则、鏈式法則、chain rule、裁剪……",
    "found.other": "{count} 个示例",
    nothing: "没有示例讲到它。换一个词试试，中文英文都可以。",
    failed: "示例无法载入：服务器没有应答。",
    loading: "正在载入……",
    core: "核心",
    core_title: "属于课程的核心",
    done: "已完成",
    minutes: "约 {count} 分钟",
    "stops.other": "{count} 站",
    begin: "开始",
    go_on: "从第 {place} 站继续",
    card: "在这里做什么",
    fold: "收起卡片",
    unfold: "展开卡片",
    leave: "关闭卡片",
    forms: "用其他语言写的同一个示例",
    prompts: "要做的事",
    actions: "试一试",
    ask: "先预测：",
    closing: "最后想一想：",
    show: "显示答案",
    trap: "当心：",
    next: "接下来：",
    place: "第 {place} 站，共 {count} 站",
    previous_stop: "上一站",
    next_stop: "下一站",
    over: "这是本课的最后一站。",
  },
};

const language = computed(() => state.value.language);
const words = computed(() => translator(WORDS[language.value], language.value));

/** @type {import("../../i18n/i18n.js").Translate} */
export const say = (key, params) => words.value(key, params);

/** A text of the server in the page's language. @param {Bilingual} text */
export const of = ({ en, zh }) => inLanguage(language.value, en, zh);

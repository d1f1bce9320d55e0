// The list of keys that "?" shows.

import { html, render } from "lit";

/** @typedef {import("../i18n/i18n.js").Language} Language */

/** Keys, and what they do in English and in Chinese. */
const KEYS = /** @type {const} */ ([
  ["→ ←", "next step, step before", "下一步、上一步"],
  ["Shift + → ←", "next phase, phase before", "下一阶段、上一阶段"],
  ["Home End", "first step, last step", "第一步、最后一步"],
  ["P", "be asked before the next step", "下一步之前先提问"],
  ["F", "the graph alone, on the whole screen; again or Esc: back", "图占满全屏；再按一次或按 Esc 返回"],
  ["S", "show it to a class, with large text; again or Esc: back", "课堂演示，大字显示；再按一次或按 Esc 返回"],
  ["L", "there: a light on the step, or where the pointer is", "演示时：聚光灯照在步骤上，或跟随指针"],
  ["Ctrl + P", "print a question sheet and its key", "打印练习页和答案页"],
  ["Ctrl + Z", "undo a change of the view", "撤销对视图的更改"],
  ["Esc", "stop what is running; close what is open", "停止运行，或关闭已打开的内容"],
  ["?", "this list", "显示本列表"],
]);

const IN_GRAPH = /** @type {const} */ ([
  ["→ ← ↑ ↓", "along the edges, and to what stands beside", "沿着边移动，或移到相邻的节点"],
  ["Enter", "select a node; open or close a scope", "选中节点；打开或关闭作用域"],
  ["Alt + → ← ↑ ↓", "move the node", "移动节点"],
]);

const IN_PANES = /** @type {const} */ ([
  ["→ ← ↑ ↓", "on a border between two parts: move it; Enter puts it back", "在两个区域的边界上：移动边界；按 Enter 复原"],
  ["A … Z", "in a menu: go to what begins with it", "在菜单中：跳到以该字母开头的一项"],
]);

const IN_TOOLS = /** @type {const} */ ([
  ["→ ← Home End", "on the tools' names: another tool", "在工具名称上：切换工具"],
  [
    "↑ ↓ Home End",
    "in the outline and the list of ops: up and down; a letter: to what begins with it",
    "在大纲和运算列表中：上下移动；按字母：跳到以它开头的一项",
  ],
  ["→ ←", "in the outline: open or close a scope", "在大纲中：展开或折叠作用域"],
  ["Enter", "on a table's heading: sort by it, the other way, not at all", "在表头上：按此列升序、降序、恢复原序"],
  ["→ ← ↑ ↓", "in a landscape: move the point, or turn the surface; + and − zoom", "在损失曲面中：移动点或转动曲面；+ 和 − 缩放"],
  ["Enter Esc", "in a field: take what was typed; give back what stood there", "在输入框中：确认输入；恢复原来的内容"],
]);

const TITLES = {
  en: ["Keys", "Anywhere", "In the graph", "In the tools", "Borders and menus", "Close"],
  "zh-CN": ["快捷键", "任何位置", "在图中", "在工具中", "边界与菜单", "关闭"],
};

/** @param {Language} language */
export function keyList(language) {
  const place = document.createElement("div");
  document.body.append(place);
  const [title, anywhere, graph, tools, panes, close] = TITLES[language];
  const part = (/** @type {string} */ name, /** @type {readonly (readonly string[])[]} */ keys) => html`<h3>${name}</h3>
    <dl class="facts">${keys.map(([key, en, zh]) => html`<dt><kbd>${key}</kbd></dt><dd>${language === "en" ? en : zh}</dd>`)}</dl>`;
  render(
    html`<dialog class="keys" aria-label=${title} @close=${() => place.remove()}>
      <div class="row"><h2>${title}</h2><form method="dialog"><button autofocus>${close}</button></form></div>
      ${part(anywhere, KEYS)}${part(graph, IN_GRAPH)}${part(tools, IN_TOOLS)}${part(panes, IN_PANES)}</dialog>`,
    place,
  );
  place.querySelector("dialog")?.showModal();
}

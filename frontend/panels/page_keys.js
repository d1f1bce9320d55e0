// The keys of the whole page: F for the graph alone, S to show it to a class, Ctrl+P for sheets, ? for what keys there are,
// the skip link, and the arrows of menus.

import { isEmbedded } from "../browser/embedded.js";
import { TAKES_LETTERS, TEXT_FIELDS } from "../browser/keys.js";
import { fetched } from "../requests/request.js";
import { state, update } from "../store.js";
import { fill, fillsScreen } from "./panes.js";

const PAUSE_MS = 700; // between letters of one word

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  const target = event.target instanceof Element ? event.target : document.body;
  const menu = /** @type {HTMLElement | null} */ (target.closest(".menu[popover]"));
  if (!defaultPrevented && asksPrint(event)) return void printSheets(event);
  if (defaultPrevented || ctrlKey || metaKey || altKey || target.closest(TEXT_FIELDS)) return;
  if (menu) return walkMenu(event, menu);
  if (key.length === 1 && target.closest(TAKES_LETTERS)) return;
  if (key === "?") void showKeys();
  else if (key.toLowerCase() === "f") {
    update({ tab: "graph" });
    void fill(!fillsScreen());
  } else if (key.toLowerCase() === "s" && !isEmbedded) update({ present: !state.value.present });
  else if (key === "Escape" && fillsScreen()) void fill(false);
  else if (key === "Escape" && state.value.present) update({ present: false });
  else return;
  event.preventDefault();
}

/** @param {KeyboardEvent} event */
const asksPrint = ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
  key.toLowerCase() === "p" && (ctrlKey || metaKey) && !altKey && !shiftKey && !isEmbedded;

/** Sheets in place of the page as it is on screen. @param {KeyboardEvent} event */
async function printSheets(event) {
  event.preventDefault();
  await (await fetched(() => import("./print/print.js")))?.printSheets();
}

/** The list of keys, in its own dialog. */
async function showKeys() {
  const { keyList } = await import("./key_list.js");
  keyList(state.value.language);
}

/** What is being typed in a menu. */
class Word {
  #letters = "";
  #at = 0;

  /** @param {string} letter @param {number} now */
  with(letter, now) {
    this.#letters = now - this.#at > PAUSE_MS ? letter : this.#letters + letter;
    this.#at = now;
    return this.#letters.toLowerCase();
  }
}
const word = new Word();

/** Arrows walk through a menu, letters go to what begins with them. @param {KeyboardEvent} event @param {HTMLElement} menu */
function walkMenu(event, menu) {
  const buttons = [...menu.querySelectorAll("button")];
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const next = buttons.at(wayThrough(event, buttons, at));
  if (!next || (event.key.length > 1 && !WAYS.has(event.key)) || event.key === " ") return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

const WAYS = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

/** @param {KeyboardEvent} event @param {HTMLButtonElement[]} buttons @param {number} at */
function wayThrough({ key }, buttons, at) {
  if (key === "ArrowDown") return (at + 1) % buttons.length;
  if (key === "ArrowUp") return at <= 0 ? -1 : at - 1;
  if (key === "Home") return 0;
  if (key === "End") return -1;
  const typed = word.with(key, performance.now());
  const order = [...buttons.keys()].sort(
    (a, b) => Number(a < at + Number(typed.length === 1)) - Number(b < at + Number(typed.length === 1)) || a - b,
  );
  return order.find((i) => buttons[i].textContent?.trim().toLowerCase().startsWith(typed)) ?? at;
}

/** A menu that was opened with a key is entered. @param {Event} event */
function enterMenu(event) {
  const menu = /** @type {HTMLElement} */ (event.target);
  const opener = document.activeElement;
  if (/** @type {ToggleEvent} */ (event).newState !== "open" || !menu.matches?.(".menu[popover]")) return;
  if (!opener?.matches(`[popovertarget="${menu.id}"]:focus-visible`)) return;
  enter(menu);
}

/** Its first field or button, once it has come: some menus are fetched. @param {HTMLElement} menu */
function enter(menu) {
  const first = /** @type {HTMLElement | null} */ (menu.querySelector("button, input:not([readonly])"));
  if (first) first.focus();
  else if (menu.matches(":popover-open")) requestAnimationFrame(() => enter(menu));
}

/** The skip link leads to the node where the arrow keys begin. @param {Event} event */
function skip(event) {
  const node = /** @type {HTMLElement | null} */ (document.querySelector('.graph-stage [tabindex="0"]'));
  if (!node) return;
  event.preventDefault();
  update({ tab: "graph" });
  requestAnimationFrame(() => node.focus());
}

addEventListener("keydown", onKey);
addEventListener("toggle", enterMenu, true);
document.querySelector(".skip")?.addEventListener("click", skip);

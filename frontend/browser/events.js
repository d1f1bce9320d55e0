// What the page hears outside its panels: keys, files that are dropped, and its address, which it keeps a link.

import { effect } from "@preact/signals-core";
import { languageIn } from "../i18n/i18n.js";
import { LatestRequest } from "../requests/latest_request.js";
import { fetched } from "../requests/request.js";
import { showStep, stop } from "../requests/run.js";
import { openFile } from "../requests/open_file.js";
import { openDefault, openLinked } from "../requests/session.js";
import { undone } from "../state/look.js";
import { INITIAL, partOfState, reported, state, update } from "../store.js";
import { isEmbedded } from "./embedded.js";
import { actionFor, asksQuestion, asksUndo } from "./keys.js";
import { heldBy, linkedPart, sameChoices, sameLink, samePlace, sharedPart, toHash } from "./link.js";
import { fromFragment, jsonOf, queryText } from "./url_fragment.js";

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (asksUndo(event)) {
    event.preventDefault();
    return update(undone(state.value));
  }
  if (asksQuestion(event)) return askNow(event);
  if (event.key === "Escape" && !event.defaultPrevented) stop();
  const step = actionFor(event, state.value);
  if (step === null) return undefined;
  event.preventDefault();
  return showStep(step);
}

/** Ask before the next step, and bring its field or first choice under the hand. @param {Event} event */
async function askNow(event) {
  event.preventDefault();
  update({ predict: "ask", tab: "step" });
  await fetched(() => import("../panels/lesson/predict.js"));
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(".predict :is(input, button)"))?.focus());
}

/** A file dropped anywhere is opened; text dropped into the editor is the editor's. @param {DragEvent} event */
async function onDrop(event) {
  const file = event.dataTransfer?.files[0];
  if (!file || isEmbedded) return;
  event.preventDefault();
  await openFile(file);
}

/** Another place of the browser's history, or a link pasted over the address. */
const following = new LatestRequest();

const LINK_PAUSE_MS = 400;
/** The address as a link to what is on the page; beside it the browser's history holds the place on the page, too. */
class Address {
  /** What it leads to. @type {import("./link.js").Linked} */
  #linked;
  /** The place that the history holds. */
  #place = state.peek();
  /** What is not written yet. @type {import("../store.js").State | null} */
  #pending = null;
  #writing = new LatestRequest();

  /** @param {import("./link.js").Linked} linked */
  constructor(linked) {
    this.#linked = linked;
  }

  /**
   * Follow the page: a choice at once, for the page may be loaded again right after it; what is typed, slid or moved, and
   * the step, once it has been left alone for a moment.
   */
  follow() {
    const now = state.value;
    if (following.isUnderWay) return;
    if (this.#pending && this.#pending.item !== now.item) this.keep(); // where it belongs to
    const linked = linkedPart(now);
    if (sameLink(linked, this.#linked) && samePlace(now, this.#place)) return this.forget();
    this.#pending = now;
    const write = (/** @type {AbortSignal} */ signal) => this.#write(now, signal);
    if (sameChoices(linked, this.#linked)) this.#writing.startAfter(LINK_PAUSE_MS, write);
    else void this.#writing.start(write);
  }

  /** The page shows what the address leads to: there is nothing to write. */
  hasFollowed() {
    this.forget();
    [this.#linked, this.#place] = [linkedPart(state.peek()), state.peek()];
  }

  /** Write what is pending at once: its place in the history is about to be left. */
  keep() {
    if (this.#pending) history.replaceState(heldIn(this.#pending), "");
    this.forget();
  }

  /** Write nothing of what is pending: its place in the history is left, or it is the address already. */
  forget() {
    this.#pending = null;
    this.#writing.abort();
  }

  /** @param {import("../store.js").State} now @param {AbortSignal} signal */
  async #write(now, signal) {
    const linked = linkedPart(now);
    const hash = sameLink(linked, this.#linked) ? location.hash : await toHash(linked);
    if (signal.aborted) return;
    const query = new URLSearchParams(location.search);
    if (hash) query.delete("link"); // the state that it opened is past
    try {
      history.replaceState(heldIn(now), "", location.pathname + queryText(query) + hash);
    } catch {
      return; // WebKit takes a hundred in ten seconds: the next one, or leaving the page, writes it
    }
    [this.#linked, this.#place, this.#pending] = [linked, now, null];
  }
}

/** What the history holds of a state. @param {import("../store.js").State} now */
const heldIn = (now) => ({ held: JSON.parse(jsonOf(sharedPart(now))) });

const course = partOfState("item", "readyLesson", "language", "program");

/** The address says which example or file is worked on; a language in it holds until another is chosen. @param {typeof course.value} state */
function nameItem({ item, readyLesson, language, program }) {
  const query = new URLSearchParams(location.search);
  const named = { example: item?.id, lesson: item && readyLesson?.id, import: program?.imported };
  for (const [name, value] of Object.entries(named)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  if (languageIn(location.search) !== language) query.delete("lang");
  const search = queryText(query);
  if (search === location.search) return;
  const isOther = query.get("example") !== new URLSearchParams(location.search).get("example");
  const address = location.pathname + search + location.hash;
  if (isOther)
    history.pushState(null, "", address); // Back leads to what was open
  else history.replaceState(history.state, "", address);
}

/** @param {PopStateEvent} event @param {AbortSignal} signal */
async function followLink({ state: kept }, signal) {
  const query = new URLSearchParams(location.search);
  const [example, lesson, file] = [query.get("example"), query.get("lesson"), query.get("import")];
  const held = heldBy(kept?.held ?? (await fromFragment(location.hash)), INITIAL);
  const isOther = example !== (state.value.item?.id ?? null);
  const opener = isOther ? await fetched(() => import("../requests/course.js")) : null;
  if (signal.aborted) return;
  if (isOther && example) await opener?.openItemAt(example, lesson, held !== null);
  else if (isOther) opener?.leaveItem();
  if (signal.aborted) return;
  if (file && file !== state.value.program?.imported)
    await (await fetched(() => import("../requests/graph_file.js")))?.openImport(file);
  if (signal.aborted) return;
  if (held) {
    await openLinked(held.linked);
    if (file && held.linked.feeds) await (await fetched(() => import("../requests/import_values.js")))?.computeGraph();
    if (Object.keys(held.place).length === 0 || signal.aborted) return;
    await (await fetched(() => import("./place.js")))?.goTo(held.place, signal);
  } else if (!example && !file && isOther) await openDefault();
}

/**
 * From here on the address follows the page, and the page the address: once what it led to is open.
 * @param {import("./link.js").Linked} opened
 */
export function keepAddress(opened) {
  const address = new Address(opened);
  effect(() => address.follow());
  effect(() => {
    const now = course.value;
    if (!following.isUnderWay) nameItem(now); // else the address leads, and the page is not there yet
  });
  addEventListener("pagehide", () => address.keep());
  addEventListener("popstate", async (event) => {
    address.forget(); // it would be written to the place that is gone to
    await following.start((signal) => followLink(event, signal));
    if (following.isUnderWay) return;
    address.hasFollowed();
    nameItem(course.peek());
  });
}

addEventListener("keydown", onKey);
addEventListener("program-progress", (event) => update(reported(state.value, /** @type {CustomEvent} */ (event).detail)));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => void onDrop(event));

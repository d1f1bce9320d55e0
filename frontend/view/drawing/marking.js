// Marking: values, states and the selection on what is drawn. Nothing moves; texts and classes change.

import { leaf } from "../../layout/graph/names.js";
import { itemShowing, shownIn } from "../../layout/scene/shown.js";
import { each } from "../../scheduling/scheduler.js";
import { classOf, edgeClassOf } from "./shapes.js";
import { showStrip, stripText } from "./strip.js";

/** @import { Item, Scene } from "../../layout/types.js" */
/** @import { Drawn } from "./painter.js" */
/** @import { GraphMarks, Translate } from "../types.js" */

const UNSOUND = "⚠"; // a value that is not finite, or has such elements

/**
 * A scene, ready to be looked things up in.
 * @typedef {object} SceneIndex
 * @property {Scene} scene
 * @property {ReadonlyMap<string, Item>} items                 by id
 * @property {(name: string) => string | undefined} folded     the id of the closed series that a name stands in
 * @property {ReadonlyMap<string, ReadonlyArray<string>>} inputs  labels of what each item reads
 */

/** @param {Scene} scene @returns {Generator<void, SceneIndex, void>} */
export function* indexScene(scene) {
  const { items, folded } = shownIn(scene);
  yield;
  /** @type {Map<string, string[]>} */
  const inputs = new Map(scene.items.map(({ id }) => [id, []]));
  yield* each(scene.edges, ({ from, to, kind }) => {
    const source = items.get(from);
    if (source && kind !== "control") inputs.get(to)?.push(source.label);
  });
  yield* each(scene.items, ({ id, constants }) =>
    inputs.get(id)?.push(...constants.map(({ names, label }) => (names.length > 1 ? label : leaf(names[0])))),
  );
  return { scene, items, folded, inputs };
}

/**
 * Bring one drawn part up to date.
 * @param {Drawn} drawn @param {GraphMarks} marks @param {SceneIndex} index @param {Translate} t
 */
export function markPart({ element, part }, marks, index, t) {
  const selected = marks.selected === null ? undefined : (itemShowing(index, marks.selected) ?? marks.selected);
  if (part.item) markItem(element, part.item, marks, part.item.id === selected || part.item.name === marks.selected, index, t);
  if (part.band) markBand(element, part.band, marks, t);
  if (part.edge) markEdge(element, part.edge, marks, selected, index);
  marks.decorate?.(element, part);
}

/**
 * @param {SVGElement} element @param {Item} item @param {GraphMarks} marks @param {boolean} selected
 * @param {SceneIndex} index @param {Translate} t
 */
function markItem(element, item, marks, selected, index, t) {
  const known = marks.status.get(item.name) ?? "done";
  const status = known === "current" && item.kind === "tag" ? "done" : known; // the step is at the op that the tag names
  const value = valueOf(item, marks, t);
  const faded = marks.traced !== null && !marks.traced.has(item.name);
  const hue = item.kind === "tag" ? undefined : marks.hues.get(item.name);
  element.style.setProperty("--hue", String(hue ?? ""));
  setClass(
    element,
    classOf(item),
    hue !== undefined && "tinted",
    status,
    selected && "selected",
    value === "?" && "unknown",
    item.valued && value === "" && "bare",
    faded && "faded",
    (marks.lit?.has(item.name) ?? false) && "lit",
  );
  const text = element.querySelector(":scope > .value");
  const strip = marks.strips.get(item.name);
  const shown = strip && !strip.sound ? `${UNSOUND} ${value}` : value;
  if (text && text.textContent !== shown) setValue(text, shown);
  element.classList.toggle("unsound", strip?.sound === false);
  if (text) showStrip(element, item, strip?.cells ?? []);
  const title = element.querySelector(":scope > title");
  if (title) title.textContent = strip ? `${item.title}\n${stripText(strip, t)}` : item.title;
  for (const pill of element.querySelectorAll(":scope > .constant")) {
    pill.classList.toggle("selected", shows(pill, marks.selected));
  }
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", nameFor(item, value, strip, status, index, t));
  if (item.kind === "scope") element.setAttribute("aria-expanded", String(item.open));
  else element.setAttribute("aria-pressed", String(selected));
  element.setAttribute("aria-current", status === "current" ? "step" : "false");
}

/** Whether a pill stands for a constant. @param {Element} pill @param {string | null} name */
const shows = (pill, name) =>
  pill
    .querySelector("title")
    ?.textContent?.split("\n")
    .includes(name ?? "") ?? false;

/** @param {Element} element @param {...(string | false)} classes */
const setClass = (element, ...classes) => element.setAttribute("class", classes.filter(Boolean).join(" "));

/** Eight characters have room in every font; more are set closer. @param {Element} text @param {string} value */
function setValue(text, value) {
  text.textContent = value;
  text.classList.toggle("long", [...value].length > 8);
}

/** @param {Item} item @param {GraphMarks} marks @param {Translate} t */
function valueOf(item, { values }, t) {
  if (item.kind === "tag" && item.name === "") return t("graph.none");
  return values.get(item.name) ?? "";
}

/**
 * The accessible name: what is written on the item, then what it is; "Sin 0.1411, op Sin, inputs: x".
 * @param {Item} item @param {string} value @param {import("../types.js").Strip | undefined} strip @param {string} status @param {SceneIndex} index @param {Translate} t
 */
function nameFor(item, value, strip, status, { inputs }, t) {
  const names = [...new Set(inputs.get(item.id))];
  return [
    t(`graph.node.${item.kind}`, { name: writtenOn(item, value), op: item.detail, count: item.detail }),
    value === "?" && t("graph.node.waiting"),
    strip && stripText(value === strip.shape ? { ...strip, shape: "" } : strip, t),
    status === "current" && t("graph.node.current"),
    names.length > 0 && t("graph.node.inputs", { names: names.join(", ") }),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The texts of an item in their order, its name in full where the drawing has cut it. @param {Item} item @param {string} value */
function writtenOn({ label, title, valued, constants }, value) {
  const texts = [
    label.includes("…") ? title : label,
    valued && value !== "?" && value,
    ...constants.map((constant) => constant.label),
  ];
  return texts.filter(Boolean).join(" ");
}

/** @param {SVGElement} element @param {import("../../layout/types.js").Band} band @param {GraphMarks} marks @param {Translate} t */
function markBand(element, { name, part }, marks, t) {
  element.classList.toggle("selected", marks.selected === name);
  if (part) return;
  element.setAttribute("role", "button");
  element.setAttribute("aria-expanded", "true");
  element.setAttribute("aria-label", t("graph.close", { name }));
}

/** @param {SVGElement} element @param {import("../../layout/types.js").Edge} edge @param {GraphMarks} marks @param {string | undefined} selected @param {SceneIndex} index */
function markEdge(element, edge, marks, selected, index) {
  const from = statusOf(edge.from, marks, index);
  const to = statusOf(edge.to, marks, index);
  const waiting = from === "waiting" || (to === "waiting" && edge.kind !== "data");
  const current = to === "current" && edge.kind !== "control";
  const touched = selected !== undefined && (edge.from === selected || edge.to === selected);
  const traced = marks.traced !== null && [edge.from, edge.to].every((id) => isTraced(id, marks.traced, index));
  const faded = marks.traced !== null && !traced;
  setClass(
    element,
    edgeClassOf(edge),
    waiting && "waiting",
    current && "current",
    touched && "touched",
    traced && "traced",
    faded && "faded",
  );
}

/** @param {string} id @param {ReadonlySet<string> | null} names @param {SceneIndex} index */
const isTraced = (id, names, { items }) => names?.has(items.get(id)?.name ?? "") ?? false;

/** @param {string} id @param {GraphMarks} marks @param {SceneIndex} index */
function statusOf(id, { status }, { items }) {
  const item = items.get(id);
  return item ? (status.get(item.name) ?? "done") : "done";
}

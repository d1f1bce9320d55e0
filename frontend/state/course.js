// The course: what an example's command means for the state, and what a learner has ticked.

import { firstStop, lastStop } from "./lesson.js";

/** @import { Command, Course, Example, ReadyLesson, Step } from "../types.js" */
/** @import { State } from "../store.js" */
/** @import { OptimizerSettings, Process } from "../runs/optimizers.js" */
/**
 * What is kept in this browser: the prompts that were ticked, by example; the place in each lesson; whether the card is folded.
 * @typedef {{readonly ticked: Readonly<Record<string, readonly number[]>>, readonly places: Readonly<Record<string, number>>, readonly folded: boolean}} Notes
 */

/** @type {Notes} */
export const NO_NOTES = Object.freeze({ ticked: {}, places: {}, folded: false });

/** Notes as they were kept; none where they cannot be read. @param {string | null} kept @returns {Notes} */
export function notesFrom(kept) {
  try {
    const { ticked, places, folded } = JSON.parse(kept ?? "{}");
    return { ticked: lists(ticked), places: numbers(places), folded: folded === true };
  } catch {
    return NO_NOTES;
  }
}

/** @param {unknown} found */
const entriesOf = (found) => (typeof found === "object" && found !== null ? Object.entries(found) : []);

/** @param {unknown} found */
const numbers = (found) => Object.fromEntries(entriesOf(found).filter(([, place]) => Number.isInteger(place)));

/** @param {unknown} found */
const lists = (found) =>
  Object.fromEntries(
    entriesOf(found).flatMap(([id, list]) => (Array.isArray(list) ? [[id, list.filter(Number.isInteger)]] : [])),
  );

/** Tick a prompt, or take the tick away. @param {Notes} notes @param {string} item @param {number} prompt @returns {Notes} */
export function withTick(notes, item, prompt) {
  const before = notes.ticked[item] ?? [];
  const after = before.includes(prompt) ? before.filter((each) => each !== prompt) : [...before, prompt];
  return { ...notes, ticked: { ...notes.ticked, [item]: after } };
}

/** Keep the place in a lesson. @param {Notes} notes @param {{id: string, stop: number}} lesson @returns {Notes} */
export const withPlace = (notes, { id, stop }) => ({ ...notes, places: { ...notes.places, [id]: stop } });

/**
 * Where a lesson goes on: at the kept place if that is about this example, else at the first one that is.
 * @param {ReadyLesson} lesson @param {number | undefined} kept @param {string} item @returns {number} -1 where none is
 */
export function placeIn({ stops }, kept, item) {
  if (kept !== undefined && stops[kept]?.item === item) return kept;
  return stops.findIndex((stop) => stop.item === item);
}

/** The group that an example stands in. @param {Course | null} course @param {string} item */
export const groupOf = (course, item) => course?.groups.find(({ items }) => items.includes(item)) ?? null;

/** The languages in which an example can be opened: its own first. @param {Example} item @returns {string[]} */
export const formsOf = ({ dialect, forms }) => [dialect, ...forms.map((form) => form.dialect)];

/** The language in which an example stands in the editor: its own, unless the text is one of its other forms. @param {Example} item @param {string} source */
export const formIn = ({ dialect, forms }, source) => forms.find((form) => form.source === source)?.dialect ?? dialect;

/** A text of an example by its id, or its form for a framework; its own text where there is no such. @param {Example} item @param {string} id @returns {{source: string, at?: Record<string, number>}} */
export const textOf = (item, id) =>
  item.texts.find((text) => text.id === id) ?? item.forms.find((form) => form.dialect === id) ?? item;

/** The optimizer's settings after a command. @param {OptimizerSettings} settings @param {Command} command @returns {OptimizerSettings} */
export function settingsAfter(settings, { optimizer, process }) {
  if (optimizer) {
    const { name, ...parameters } = optimizer;
    return { ...settings, name, parameters };
  }
  if (process === undefined) return settings;
  const [name, limit] = Object.entries(process ?? {})[0] ?? ["none", settings.limit];
  return { ...settings, process: /** @type {Process} */ (name), limit };
}

/**
 * The level at which an example begins: its own, else the one before the last that had its own.
 * @param {Pick<State, "level" | "levelBefore">} state @param {Pick<Example, "start">} example @returns {Partial<State>}
 */
export function levelFor({ level, levelBefore }, { start }) {
  const own = start.find((command) => command.level)?.level;
  if (own) return { level: own, levelBefore: levelBefore ?? level };
  return levelBefore ? { level: levelBefore, levelBefore: null } : {};
}

/** A race as an example describes it, with what it leaves out. @param {NonNullable<Command["race"]>} race @returns {import("./race.js").RaceSettings} */
export const linedUp = ({ contenders, steps, scale = "linear" }) => ({
  contenders: (contenders ?? []).map(({ name, rate, parameters = {}, start = null }) => ({ name, rate, parameters, start })),
  steps,
  scale,
});

/** The step that a command means. @param {NonNullable<Command["step"]>} name @param {{steps: readonly Step[], run: unknown, row: number}} state */
export const stepCalled = (name, state) => ({ first: 0, backward: firstStop(state.steps), last: lastStop(state) })[name];

/** The part of a small screen on which the last of these commands is seen. @param {readonly Command[]} commands */
export const tabAfter = (commands) => (commands.some(({ updates, dock, race }) => updates || dock || race) ? "dock" : "graph");

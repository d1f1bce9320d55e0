// Working on an example of the course: opening it, doing what its buttons say, and going on to the next.

import * as api from "../api.js";
import { readSetting, writeSetting } from "../browser/local_storage.js";
import { hasRoomForDock } from "../browser/room.js";
import { FIRST_SETTINGS, OWN, withRate } from "../runs/optimizers.js";
import {
  levelFor,
  linedUp,
  notesFrom,
  placeIn,
  settingsAfter,
  stepCalled,
  tabAfter,
  textOf,
  withPlace,
} from "../state/course.js";
import { isFramework } from "../state/levels.js";
import { buildsUpdates, docked, state, update } from "../store.js";
import { LatestRequest } from "./latest_request.js";
import { failed } from "./request.js";
import { reset, settingsMoved, showStep } from "./run.js";
import { openExample, openLinked, optimiseText, untilAnswered } from "./session.js";

/** @import { Command, Example } from "../types.js" */

const KEPT = "gradlens.course";
/** An example that is being set up. */
const settingUp = new LatestRequest();
/** What an example does to the page; a press of another button ends it. */
const doing = new LatestRequest();

/** Take in what this browser has kept. */
update({ notes: notesFrom(readSetting(KEPT)) });

/** Keep what was ticked, and where. @param {import("../state/course.js").Notes} notes */
export function keepNotes(notes) {
  update({ notes });
  writeSetting(KEPT, JSON.stringify(notes));
}

/** Every example with groups and lessons, and their pictures; asked for once. */
export async function loadCourse() {
  if (state.value.course) return;
  const [course, thumbnails] = await Promise.all([api.getCourse().catch(failed), api.getThumbnails().catch(() => ({}))]);
  if (course) update({ course, thumbnails, trouble: null });
}

/**
 * Open an example as it is meant to begin.
 * @param {string} id @param {{id: string, stop: number} | null} [readyLesson] that it is part of
 */
export function openItem(id, readyLesson = null) {
  doing.abort();
  return settingUp.start((signal) => setUp(id, readyLesson, signal));
}

/** @param {string} id @param {{id: string, stop: number} | null} readyLesson @param {AbortSignal} signal */
async function setUp(id, readyLesson, signal) {
  const item = await openExample(id, (example) => ({
    ...{ item: example, readyLesson, gallery: null, tab: "input" },
    ...TEXT,
    ...levelFor(state.value, example),
  }));
  if (!item || signal.aborted) return; // another is being set up, which may not have asked for its text yet
  if (readyLesson) keepNotes(withPlace(state.value.notes, readyLesson));
  takeOwnOptimizer();
  await perform(item.start);
  if (signal.aborted) return;
  const isShown = hasRoomForDock() || state.value.dock === "output" || item.start.some(({ race }) => race);
  update({ tab: "input", ...(!isShown && { dockOpen: false }) }); // the tab with the card
}

/** An example's text begins with these settings. */
const TEXT = Object.freeze({ itemText: "main", settings: FIRST_SETTINGS });

/** A program that builds an optimizer is run with that. */
function takeOwnOptimizer() {
  const { program } = state.value;
  if (program && buildsUpdates(program)) set({ ...FIRST_SETTINGS, name: OWN });
}

/**
 * Open the example that the address names; its card alone where the address has a text, too.
 * @param {string} id @param {string | null} lesson @param {boolean} isLinked
 */
export async function openItemAt(id, lesson, isLinked) {
  const readyLesson = lesson === null ? null : await placeOf(lesson, id);
  if (!isLinked) return openItem(id, readyLesson);
  doing.abort();
  return settingUp.start(async (signal) => {
    const item = await api.getExample(id).catch(() => null); // then there is the text
    if (!signal.aborted) update({ item, readyLesson, ...(item && levelFor(state.value, item)) });
  });
}

/** @param {string} lesson @param {string} item */
async function placeOf(lesson, item) {
  await loadCourse();
  const { course, notes } = state.value;
  const found = course?.lessons.find(({ id }) => id === lesson);
  const stop = found ? placeIn(found, notes.places[lesson], item) : -1;
  return stop < 0 ? null : { id: lesson, stop };
}

/** Go to a stop of a lesson. @param {string} id @param {number} stop */
export async function openStop(id, stop) {
  const found = state.value.course?.lessons.find((lesson) => lesson.id === id);
  const item = found?.stops[stop]?.item;
  if (item) await openItem(item, { id, stop });
}

/** Begin a lesson, or go on where it was left. @param {string} id */
export const openLesson = (id) => openStop(id, state.value.notes.places[id] ?? 0);

/** Close the card; what stands in the editor stays. */
export const leaveItem = () => update({ item: null, readyLesson: null });

/** A button of the card is pressed; its example is set up first. @param {readonly Command[]} commands */
export async function press(commands) {
  const { item } = state.value;
  await settingUp.over;
  if (item === state.value.item) await perform(commands);
}

/** Do what is commanded, one thing after the other, until something else is done. @param {readonly Command[]} commands */
function perform(commands) {
  return doing.start(async (signal) => {
    for (const command of commands) {
      if (signal.aborted || !state.value.item) return;
      await obey(command, state.value.item);
      await untilAnswered();
    }
    if (!signal.aborted) update({ tab: tabAfter(commands) });
  });
}

/** @param {Command} command @param {Example} item */
async function obey(command, item) {
  const { text, value, wrt, rate, updates, step, dock, race } = command;
  if (text) await openText(item, text);
  if (value) await openChanged({ at: { ...state.value.at, ...value } });
  if (wrt) await openChanged({ wrt: { of: Object.keys(state.value.at), trained: wrt } });
  if (command.optimizer || command.process !== undefined) set(settingsAfter(state.value.settings, command));
  if (rate) set({ ...state.value.settings, ...withRate(state.value.settings, rate) });
  if (command.reset) reset();
  if (command.level) update({ level: command.level });
  if (step) showStep(stepCalled(step, state.value));
  if (dock) update(dock === "none" ? { dockOpen: false } : docked(state.value, dock));
  if (race) update({ race: linedUp(race), ...docked(state.value, "race") });
  if (updates) await optimiseText(updates);
}

/** @param {import("../runs/optimizers.js").OptimizerSettings} settings */
function set(settings) {
  update({ settings });
  settingsMoved();
}

/** Put one of an example's texts into the editor, with the settings that everything begins with. @param {Example} item @param {string} id */
async function openText(item, id) {
  const { source, at = {} } = textOf(item, id);
  const isSame = source === state.value.source && id === state.value.itemText;
  const isOther = isFramework(state.value.level) && (id === "torch" || id === "jax");
  update({ ...(!isSame && TEXT), ...(isOther && { level: id }), itemText: id });
  await openLinked({ source, at });
  if (!isSame) takeOwnOptimizer();
}

/** The present text with other values, or with other variables trained. @param {Partial<Pick<import("../store.js").State, "at" | "wrt">>} changed */
function openChanged(changed) {
  const { source, dialect, at, inputs, feeds, data, seed, wrt } = state.value;
  return openLinked({ source, dialect, at, inputs, feeds, data, seed, wrt, ...changed });
}

// The scheduler: work in stages, within one time slice where it is short, else with pauses in which the page can answer.

const SLICE_MS = 16; // of the page's work, after which the next stage waits for a turn of its own

/** A turn of its own for what follows: input that waits is answered first. @returns {Promise<void>} */
export const nextTurn = () => new Promise((done) => setTimeout(done));

/** Do something once the next frame is on its way to the screen: nothing in it has to wait. @param {() => void} act */
export const afterFrame = (act) => void requestAnimationFrame(() => setTimeout(act));

/**
 * What a generator returns, all its stages done at once.
 * @template T @param {Generator<void, T, void>} stages @returns {T}
 */
export function atOnce(stages) {
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
  }
}

const AT_ONCE = 2000; // things of a list that are gone through in a stage

/**
 * Go through a list in stages.
 * @template T @param {ReadonlyArray<T>} list @param {(thing: T) => void} act @returns {Generator<void, void, void>}
 */
export function* each(list, act) {
  for (let at = 0; at < list.length; at += AT_ONCE) {
    if (at > 0) yield;
    list.slice(at, at + AT_ONCE).forEach(act);
  }
}

/**
 * Go through the stages and hand on what they return: within this call where they are short.
 * @template T @param {Generator<void, T, void>} stages @param {(result: T) => void} ready
 * @param {() => boolean} isWanted  asked before each stage; it ends there once the work is outdated
 * @param {number} [slice_ms]
 */
export function schedule(stages, ready, isWanted, slice_ms = SLICE_MS) {
  const end = performance.now() + slice_ms;
  while (isWanted()) {
    const { done, value } = stages.next();
    if (done) return ready(value);
    if (performance.now() > end) return void setTimeout(schedule, 0, stages, ready, isWanted, slice_ms);
  }
}

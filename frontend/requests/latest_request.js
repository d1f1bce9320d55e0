// A request of which only the latest counts: starting another one aborts it, and its late answer is ignored.

/** @template [About=unknown] what a request is about */
export class LatestRequest {
  #controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {{answer: Promise<unknown>, about: About | undefined} | null} */
  #underWay = null;

  /** Aborted as soon as another request begins, or this one is given up. */
  get signal() {
    return this.#controller.signal;
  }

  /** Whether a request waits for its pause to end. */
  get isWaiting() {
    return this.#timer !== undefined;
  }

  get isUnderWay() {
    return this.#underWay !== null;
  }

  /** What the request under way is about. */
  get about() {
    return this.#underWay?.about;
  }

  /** Fulfilled when the request under way is over; at once where there is none. */
  get over() {
    return this.#underWay?.answer ?? Promise.resolve();
  }

  /** Give up the request under way and the one that waits. @returns {AbortSignal} of the next one */
  abort() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#underWay = null;
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.signal;
  }

  /**
   * Make this the only request.
   * @template T @param {(signal: AbortSignal) => Promise<T>} ask @param {About} [about] @returns {Promise<T>}
   */
  start(ask, about) {
    const answer = ask(this.abort()).finally(() => {
      if (this.#underWay === mine) this.#underWay = null;
    });
    const mine = { answer, about };
    this.#underWay = mine;
    return answer;
  }

  /**
   * The same after a pause in which no other was begun: what is typed or slid is asked about once it rests.
   * @param {number} pause_ms @param {(signal: AbortSignal) => Promise<unknown>} ask @param {About} [about]
   */
  startAfter(pause_ms, ask, about) {
    this.abort();
    this.#timer = setTimeout(() => void this.start(ask, about), pause_ms);
  }
}

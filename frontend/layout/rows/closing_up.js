// Closing up: a row keeps the order of what stands in it, but not the blank that other columns needed there.

const BLANK_MOST = 30; // px between two things, one above the other: room for a line with its label

/**
 * Where heights come to lie where the blank between some spans is no higher than that. Within a span nothing is moved.
 * @param {ReadonlyArray<{low: number, high: number}>} spans
 * @returns {(y: number) => number}
 */
export function closedUp(spans) {
  const taken = merged(spans);
  const lifts = [0];
  for (let i = 1; i < taken.length; i += 1) lifts.push(lifts[i - 1] + Math.max(0, taken[i].low - taken[i - 1].high - BLANK_MOST));
  return (y) => {
    const next = taken.findIndex(({ high }) => y <= high);
    if (next <= 0) return next === 0 ? y : y - lifts[lifts.length - 1];
    const [before, after] = [taken[next - 1], taken[next]];
    if (y >= after.low) return y - lifts[next];
    const part = (y - before.high) / (after.low - before.high);
    return y - lifts[next - 1] - part * (lifts[next] - lifts[next - 1]);
  };
}

/** Spans that touch as one, from the top. @param {ReadonlyArray<{low: number, high: number}>} spans */
function merged(spans) {
  /** @type {Array<{low: number, high: number}>} */
  const found = [];
  for (const { low, high } of [...spans].sort((a, b) => a.low - b.low)) {
    const last = found[found.length - 1];
    if (last && low <= last.high) last.high = Math.max(last.high, high);
    else found.push({ low, high });
  }
  return found;
}

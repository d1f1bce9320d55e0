// Heights as a scale from 0 to 1: even where the values are, so that a steep wall takes no more of it than a flat valley.

const STEEPEST = 8;
const EVEN = 0.3; // the median lies no lower than here: the scale is that of the values themselves

/** @typedef {{low: number, high: number, power: number}} Heights  a value's place is ((value - low) / (high - low)) ** (1 / power) */

/** @param {readonly number[]} values @returns {Heights | null} null where no value is a finite number */
export function heightsOf(values) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (finite.length === 0) return null;
  const low = finite[0];
  const high = finite[finite.length - 1];
  const middle = high > low ? (finite[finite.length >> 1] - low) / (high - low) : 0.5;
  const power = middle >= EVEN ? 1 : Math.min(STEEPEST, Math.log(Math.max(middle, Number.MIN_VALUE)) / Math.log(0.5));
  return { low, high, power };
}

/** A value's place on the scale. @param {Heights} heights @param {number} value */
export function placeOf({ low, high, power }, value) {
  if (high === low) return 0.5;
  return Math.min(1, Math.max(0, (value - low) / (high - low))) ** (1 / power);
}

/** The value at a place. @param {Heights} heights @param {number} place */
export const valueAt = ({ low, high, power }, place) => low + (high - low) * place ** power;

/** So many values, the lowest among them, at even distances on the scale. @param {Heights} heights @param {number} count */
export const levelsOf = (heights, count) => Array.from({ length: count }, (_, k) => valueAt(heights, k / count));

/** @typedef {readonly (readonly [number, number, number])[]} Ramp  colours from the lowest to the highest */

/** Dark in the valleys, bright on the heights; they differ for who sees no colours, too. @type {{light: Ramp, dark: Ramp}} */
export const RAMPS = {
  light: [
    [84, 116, 178],
    [127, 164, 204],
    [175, 205, 222],
    [217, 232, 232],
    [246, 243, 228],
    [252, 232, 196],
    [249, 211, 158],
  ],
  dark: [
    [18, 30, 58],
    [26, 46, 82],
    [38, 66, 101],
    [56, 85, 110],
    [82, 102, 110],
    [112, 113, 101],
    [139, 119, 89],
  ],
};

/** The colour at a place. @param {Ramp} ramp @param {number} place */
export function colourAt(ramp, place) {
  const at = Math.min(1, Math.max(0, place)) * (ramp.length - 1);
  const k = Math.min(ramp.length - 2, Math.floor(at));
  const mixed = ramp[k].map((part, channel) => Math.round(part + (at - k) * (ramp[k + 1][channel] - part)));
  return `rgb(${mixed.join(",")})`;
}

// Where a curve changes from bending one way to bending the other: its slope is steepest or flattest there.

const NOISE = 1e-6; // of the largest slope: smaller differences are the rounding of float32
const NEAR = 3; // points; farther apart than that the curve is straight in between
const JUMP = 0.25; // of what the slopes make a step expect: beyond it, the curve has a gap there

/**
 * The inflection points of a curve that is given by points at equal distances.
 * @param {readonly number[]} xs @param {readonly number[]} values @param {readonly number[]} slopes @returns {number[]} their x, to about a tenth of a distance
 */
export function inflections(xs, values, slopes) {
  const largest = slopes.reduce((most, slope) => (Number.isFinite(slope) ? Math.max(most, Math.abs(slope)) : most), 0);
  const changes = slopes.slice(1).map((slope, k) => slope - slopes[k]);
  const bends = changes.flatMap((change, k) => (Math.abs(change) > NOISE * largest ? [k] : []));
  return bends.slice(1).flatMap((k, place) => {
    const before = bends[place];
    if (k - before > NEAR || Math.sign(changes[k]) === Math.sign(changes[before])) return [];
    if (isBroken(xs, values, slopes, before, k + 1)) return [];
    return [extremeBetween(xs, slopes, before, k + 1)];
  });
}

/**
 * Whether the values jump, or a slope does, between two points: there is a pole or a kink.
 * @param {readonly number[]} xs @param {readonly number[]} values @param {readonly number[]} slopes @param {number} first @param {number} last
 */
function isBroken(xs, values, slopes, first, last) {
  const h = xs[1] - xs[0];
  const steepest = Math.max(...slopes.slice(first, last + 1).map(Math.abs), Number.MIN_VALUE);
  for (let i = first; i < last; i++) {
    const expected = (h * (slopes[i] + slopes[i + 1])) / 2;
    const jump = Math.abs(values[i + 1] - values[i] - expected);
    if (!(jump <= JUMP * h * steepest)) return true;
  }
  return false;
}

/**
 * Where the parabola through three slopes is at its highest or lowest.
 * @param {readonly number[]} xs @param {readonly number[]} slopes @param {number} first @param {number} last between which it lies
 */
function extremeBetween(xs, slopes, first, last) {
  const middle = slopes.slice(first, last + 1).map(Math.abs);
  const isHigh = slopes[first + 1] > slopes[first];
  const inside = slopes.slice(first, last + 1);
  const k = first + inside.indexOf(isHigh ? Math.max(...inside) : Math.min(...inside));
  if (k === 0 || k === xs.length - 1 || middle.length < 3) return xs[k];
  const [a, b, c] = [slopes[k - 1], slopes[k], slopes[k + 1]];
  const bend = a - 2 * b + c;
  return bend === 0 ? xs[k] : xs[k] + ((xs[1] - xs[0]) * (a - c)) / (2 * bend);
}

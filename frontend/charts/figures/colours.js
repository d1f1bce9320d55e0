// The colours of a figure, as matplotlib has them.

/** @import { Series } from "../../types.js" */

const CYCLE = "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf".split(" ").map((each) => `#${each}`);

/** The colour of a series: its number in the cycle, or one of CSS. @param {Series} series */
export const colourOf = ({ colour = 0 }) => (typeof colour === "number" ? CYCLE[colour % CYCLE.length] : colour);

/** A colour between dark and light, as matplotlib's own. @param {number} share from 0 to 1 */
export function ramp(share) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]]; // prettier-ignore
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(at));
  const mixed = stops[first].map((low, k) => Math.round(low + (at - first) * (stops[first + 1][k] - low)));
  return `#${mixed.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

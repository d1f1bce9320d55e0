// How wide a text will be, without asking the browser: the layout must give the same picture in a
// worker, in a test and on every machine. The widths are those of a wide system font, so that a
// narrower one only leaves some air.

/** @type {ReadonlyArray<readonly [RegExp, number]>} widths in em, first match wins */
const WIDTHS = [
  [/[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/u, 1],
  [/[mMW@%]/u, 0.92],
  [/[wGOQNHUD]/u, 0.78],
  [/[iljI.,:;'|!]/u, 0.3],
  [/[frt()[\]/ -]/u, 0.4],
  [/[A-Z]/u, 0.68],
];
const OTHER = 0.6;

/** @type {Map<string, number>} em, of the characters asked for so far */
const known = new Map();

/** The width of a character in em. @param {string} char */
function widthOf(char) {
  const width = known.get(char) ?? WIDTHS.find(([set]) => set.test(char))?.[1] ?? OTHER;
  known.set(char, width);
  return width;
}

/**
 * Width in pixels of `text` set at `size` pixels.
 * @param {string} text @param {number} size
 */
export function textWidth(text, size) {
  let em = 0;
  for (const char of text) em += widthOf(char);
  return em * size;
}

/**
 * The text, its middle replaced by "…" where it would be wider than `width` pixels.
 * @param {string} text @param {number} size @param {number} width
 */
export function shortened(text, size, width) {
  const chars = [...text];
  let shown = text;
  for (let kept = chars.length - 1; textWidth(shown, size) > width && kept > 1; kept -= 1) {
    const tail = Math.floor(kept / 2);
    shown = `${chars.slice(0, kept - tail).join("")}…${chars.slice(chars.length - tail).join("")}`;
  }
  return shown;
}

// The drawing for who asks for a file of it: as SVG or PNG, or as the marks of which the server makes a PDF.

/** @import { Box } from "../../geometry/viewport.js" */
/** @typedef {<T>(isSeen: boolean, make: (page: Box) => T) => T | null} Painted  what is made of a part of the plane while all of that is drawn */

/** @param {SVGGElement} plane @param {Painted} painted */
export const createPictures = (plane, painted) => ({
  /** All that is open, in sight or not, as a picture; or what is in sight alone. @param {"svg" | "png"} form @param {boolean} [isSeen] */
  async picture(form, isSeen = false) {
    const { pngOf, svgText } = await import("./picture.js");
    const made = painted(isSeen, (page) => ({ page, text: svgText(plane, page) }));
    if (!made) return null;
    return form === "svg" ? new Blob([made.text], { type: "image/svg+xml" }) : pngOf(made.text, made.page);
  },

  /** What is in sight as marks. */
  async marksInSight() {
    const { marksOf } = await import("./marks.js");
    return painted(true, (page) => marksOf(plane, page));
  },
});

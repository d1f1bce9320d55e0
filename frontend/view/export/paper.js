// The picture on paper: all of the graph, in as many pieces as it needs to be read.

import { piecesOf } from "../../geometry/paper.js";
import { svg } from "../svg.js";

/** @import { Box } from "../../geometry/viewport.js" */

/** @param {SVGSVGElement} picture of the graph @param {SVGGElement} plane what it shows */
export function createPaper(picture, plane) {
  /** @type {SVGSVGElement[]} the pieces after the first, which is the picture itself */
  let more = [];
  return {
    /** @param {Box} page all of the graph */
    show(page) {
      const [first, ...others] = piecesOf(page).map(({ x, y, width, height }) => `${x} ${y} ${width} ${height}`);
      picture.classList.add("on-paper");
      picture.setAttribute("viewBox", first);
      more = others.map((viewBox) => svg("svg", { class: "picture on-paper", viewBox }, [plane.cloneNode(true)]));
      picture.after(...more);
    },

    clear() {
      picture.classList.remove("on-paper");
      picture.removeAttribute("viewBox");
      for (const piece of more) piece.remove();
    },
  };
}

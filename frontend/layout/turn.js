// Turns: the direction in which a drawing runs.
//
// A grid is laid out with its flow to the right: x runs along the flow, y across it. A turn lays such a grid on the
// page: as it is, or with the flow running down or up. Texts stay level, so a shape's width lies across the flow there.

/** @import { Direction, Point } from "./types.js" */
/** @typedef {{readonly width: number, readonly height: number}} Size */

/**
 * @typedef {object} Turn
 * @property {boolean} upright                         the flow runs down or up
 * @property {1 | -1} sign                             -1: against the page's own count
 * @property {(size: Size) => Size} size               a size on the page as the grid sees it, and the other way round
 * @property {(point: Point, along: number) => Point} point  of a grid `along` long, from its top-left corner on the page
 */

/** @type {Record<Direction, Turn>} */
export const TURNS = {
  right: {
    upright: false,
    sign: 1,
    size: ({ width, height }) => ({ width, height }),
    point: ({ x, y }) => ({ x, y }),
  },
  down: {
    upright: true,
    sign: 1,
    size: ({ width, height }) => ({ width: height, height: width }),
    point: ({ x, y }) => ({ x: y, y: x }),
  },
  up: {
    upright: true,
    sign: -1,
    size: ({ width, height }) => ({ width: height, height: width }),
    point: ({ x, y }, along) => ({ x: y, y: along - x }),
  },
};

/** @param {{direction?: Direction}} model */
export const turnOf = ({ direction }) => TURNS[direction ?? "right"];

// What passes between the page and the graph view. Types only.

/** @import { GraphModel } from "../layout/types.js" */

/** @typedef {{cells: readonly number[], sound: boolean, shape: string, extent: readonly [string, string, string] | null}} Strip cells from −1 to 1, NaN where not finite */
/** @typedef {"done" | "current" | "waiting"} Status */

/**
 * What changes at every step; never causes a new layout.
 * @typedef {object} GraphMarks
 * @property {ReadonlyMap<string, string>} values    node or scope name -> the text shown on it, already formatted
 * @property {ReadonlyMap<string, Strip>} strips     node or scope name -> its tensor's extent and heat
 * @property {ReadonlyMap<string, Status>} status    node or scope name -> its state in the lesson
 * @property {ReadonlyMap<string, number>} hues      node or scope name -> the hue that fills it, degrees
 * @property {string | null} selected                node or scope name
 * @property {ReadonlySet<string> | null} traced    nodes and scopes to light up; null: all alike
 * @property {ReadonlySet<string> | null} [lit]      nodes and scopes that show the same quantity as what is pointed at
 * @property {boolean} stale                         the text does not parse at the moment
 * @property {(element: SVGElement, part: import("./drawing/painter.js").Part) => void} [decorate]  adds marks of one's own to what is drawn
 */

/** @typedef {(key: string, params?: Record<string, string | number>) => string} Translate */

/**
 * @typedef {object} GraphViewOptions
 * @property {(scope: string) => void} onToggle
 * @property {(name: string | null) => void} onSelect
 * @property {(id: string, dx: number, dy: number) => void} onMove  an item was moved by hand, so far from where it stood
 * @property {(count: number) => void} onDrawn       ops and scopes drawn, once a full frame is on screen
 * @property {(name: string | null) => void} [onPoint]  the pointer or the focus is at a node or scope, or at none
 * @property {() => number} [leastText]            how high the smallest text is to be at first, px
 * @property {Translate} t
 */

/**
 * @typedef {object} GraphView
 * @property {(model: GraphModel, isSame?: boolean) => void} show  isSame: of the same text as the model before
 * @property {(marks: GraphMarks) => void} mark
 * @property {(name: string) => void} reveal        bring a node or scope into sight and focus it, once it is drawn
 * @property {(form: "svg" | "png", isSeen?: boolean) => Promise<Blob | null>} picture  of all that is open, or of what is in sight, as it looks now
 * @property {() => Promise<import("./export/marks.js").MarkedPicture | null>} marksInSight  what is in sight, as it looks now
 * @property {(marks: GraphMarks) => {plane: SVGGElement, page: import("../geometry/viewport.js").Box} | null} copy  all that is open, with other marks
 * @property {() => void} refit                    as at first
 * @property {() => void} fit
 * @property {() => void} destroy
 */

export {};

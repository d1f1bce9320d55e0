// The sizes of the drawing, in graph pixels, all in one place.

export const LABEL_PX = 13;
export const SMALL_PX = 12; // values, constants and shapes: on screen at least 11 at first view
export const VALUE_ROOM = 66; // nine characters of a value: "−1.234e−5"

export const OP_HEIGHT = 40;
export const SCOPE_HEIGHT = 42;
export const TAG_HEIGHT = 38;
export const SIZE_LEAST = 64;
export const QUANTITY_HEIGHT = 44; // its value clear of the strip beneath it
export const QUANTITY_PADDING = 26;
export const FACTOR_PADDING = 14;
export const LABEL_MOST = 190; // longer labels lose their middle; the title has them in full

export const PILL_HEIGHT = 17; // a constant
export const PILL_GAP = 5; // between constants, and between them and their consumer
export const PILL_STALK = 9; // the arrow from a constant to its consumer

export const SCOPE_HEADER = 28; // title of an open scope, clear of the ring around what stands beneath
export const SCOPE_PADDING = 10;
export const TOGGLE = { inset: 2, radius: 9 }; // the sign at a scope's top right corner
export const BAND_HEADER = 32; // its title clear of the signs on what stands beneath
export const BAND_PADDING = 8;

export const ROW_GAP = 16; // between two items of one column
export const BEND_GAP = 10; // around a passing line
export const GAP = 26; // between columns
export const AISLE = 26; // between lanes
export const TRACK = 7; // between parallel lines in a gap or an aisle
export const HEAD = 9; // length of an arrow head
export const PORT_STEP = 11; // between two lines at one item
